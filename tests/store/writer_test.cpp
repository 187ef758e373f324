// What the writer stores, and what it says of scorings that are there already. This file also runs under ThreadSanitizer.
#include "store/writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A database that is open, with a run.
class WriterTest : public ::testing::Test {
 protected:
  void SetUp() override { reopen(); }

  void reopen(const OpenOptions& options = {}) {
    if (writer_) ASSERT_OK(writer_->close());
    auto writer = Writer::open(path_, options);
    ASSERT_OK(writer);
    writer_ = std::move(*writer);
    ASSERT_OK(writer_->begin_run(some_run()));
  }

  ScoringId begin(const ScoringRecord& record) {
    const auto begun = writer_->begin_scoring(record, some_columns(), some_extractors());
    EXPECT_TRUE(begun.ok()) << begun.error().message;
    EXPECT_EQ(begun->kind, BeginOutcome::Kind::kNew);
    return begun->id;
  }

  std::string csv(const std::string& sql) const { return csv_of(path_, sql); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
  std::unique_ptr<Writer> writer_;
};

TEST_F(WriterTest, StoresWhatTheViewsShow) {
  add_clip(*writer_, some_record("a"), 3);
  EXPECT_EQ(csv("SELECT * FROM frame_features WHERE feature = 'psnr_y' ORDER BY frame"),
            "a,0,psnr_y,30\na,1,psnr_y,30.7\na,2,psnr_y,30.1\n");
  EXPECT_EQ(csv("SELECT clip, feature, frames, min, max, p50, infinite FROM clip_scores ORDER BY feature"),
            "a,integer_motion2,3,31,31.7,31.1,0\na,psnr_y,3,30,30.7,30.1,0\n");
  EXPECT_EQ(csv("SELECT * FROM clip_aggregates"), "a,apsnr_y,33.25\n");
  EXPECT_EQ(csv("SELECT * FROM backends"), "a,psnr,psnr,cpu,,\n");
  EXPECT_EQ(csv("SELECT clip, feature, value, label, run, status FROM all_clip_aggregates"), "a,apsnr_y,33.25,,1,done\n");
  EXPECT_EQ(csv("SELECT status, frames, seconds, subsample, fps FROM scoring"), "done,3,0.5,1,25\n");
}

TEST_F(WriterTest, KeepsTheBitsOfEveryValue) {
  const std::vector<double> values = {-0.0, 0.0, kInfinity, -kInfinity, 60.0, 5e-324, 1.7976931348623157e308, 0.1, 100.0};
  const ScoringId id = begin(some_record("a"));
  for (size_t frame = 0; frame < values.size(); ++frame) ASSERT_OK(writer_->add_value(id, 0, static_cast<int>(frame), values[frame]));
  ASSERT_OK(writer_->commit());
  const auto stored = writer_->column_values(id, 0);
  ASSERT_OK(stored);
  ASSERT_EQ(stored->size(), values.size());
  for (size_t frame = 0; frame < values.size(); ++frame) EXPECT_EQ(bits((*stored)[frame].second), bits(values[frame])) << frame;
  EXPECT_EQ(csv("SELECT count(*) FROM frame_score WHERE typeof(value) <> 'real'"), "0\n");
}

TEST_F(WriterTest, RefusesNaN) {
  const ScoringId id = begin(some_record("a"));
  const Status status = writer_->add_value(id, 0, 7, std::nan(""));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "\"psnr_y\" at frame 7 is not a number");
  EXPECT_FALSE(writer_->add_aggregate(id, 2, std::nan("")).ok());
  EXPECT_TRUE(writer_->add_value(id, 0, 7, 1.0).ok()) << "a wrong call must not stop the writer";
}

TEST_F(WriterTest, RefusesWhatIsNotThere) {
  const ScoringId id = begin(some_record("a"));
  EXPECT_FALSE(writer_->add_value(id + 1, 0, 0, 1.0).ok());
  EXPECT_FALSE(writer_->add_value(id, 3, 0, 1.0).ok());
  EXPECT_FALSE(writer_->add_value(id, -1, 0, 1.0).ok());
  EXPECT_FALSE(writer_->add_value(id, 2, 0, 1.0).ok()) << "an aggregate has no frames";
  EXPECT_FALSE(writer_->add_aggregate(id, 0, 1.0).ok()) << "a frame feature is no aggregate";
  EXPECT_FALSE(writer_->add_backend(id, 2, {}).ok());
  ASSERT_OK(writer_->add_aggregate(id, 2, 1.0));
  EXPECT_FALSE(writer_->add_aggregate(id, 2, 1.0).ok()) << "twice";
  EXPECT_FALSE(writer_->finish_scoring(id, ScoringEnd{ScoringStatus::kRunning}).ok());
}

TEST_F(WriterTest, ReadsBackWhatIsNotCommittedInFrameOrder) {
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->add_value(id, 1, 4, 4.0));
  ASSERT_OK(writer_->add_value(id, 1, 2, 2.0));
  ASSERT_OK(writer_->commit());
  ASSERT_OK(writer_->add_value(id, 1, 3, 3.0));
  ASSERT_OK(writer_->add_value(id, 1, 0, 0.5));
  const auto values = writer_->column_values(id, 1);
  ASSERT_OK(values);
  EXPECT_EQ(*values, (std::vector<std::pair<std::int64_t, double>>{{0, 0.5}, {2, 2.0}, {3, 3.0}, {4, 4.0}}));
}

TEST_F(WriterTest, KeepsMeasurementsAndTimesWhileAScoringIsUnfinished) {
  const ScoringId id = begin(some_record("a"));
  const std::vector<std::uint64_t> first = {1, ~std::uint64_t{0}};
  const std::vector<std::uint64_t> second = {2, 3};
  ASSERT_OK(writer_->add_measurement(id, 1, 1, second));
  ASSERT_OK(writer_->add_measurement(id, 1, 0, first));
  ASSERT_OK(writer_->add_measurement(id, 0, 0, std::vector<std::uint64_t>{}));
  ASSERT_OK(writer_->add_pair(id, 0, {40'000'000, 41'000'000, {7, 8, 9}}));
  for (const bool committed : {false, true}) {
    SCOPED_TRACE(committed ? "committed" : "waiting");
    if (committed) ASSERT_OK(writer_->commit());
    const auto found = writer_->measurements(id, 1);
    ASSERT_OK(found);
    EXPECT_EQ(*found, (std::vector<std::vector<std::uint64_t>>{first, second}));
    const auto pairs = writer_->pairs(id);
    ASSERT_OK(pairs);
    EXPECT_EQ(*pairs, (std::vector<std::vector<std::uint64_t>>{{7, 8, 9}}));
  }
  ASSERT_OK(writer_->add_pair(id, 1, {std::nullopt, 42, {}}));
  ASSERT_OK(writer_->commit());
  EXPECT_EQ(csv("SELECT frame, reference_ns, distorted_ns FROM frame_time"), "0,40000000,41000000\n");

  ASSERT_OK(writer_->finish_scoring(id, {}));
  EXPECT_EQ(csv("SELECT count(*) FROM measurement"), "0\n");
  EXPECT_EQ(csv("SELECT count(*) FROM frame_time"), "0\n");
}

TEST_F(WriterTest, PoolsAcrossCommits) {
  const ScoringId id = begin(some_record("a"));
  for (int frame = 0; frame < 100; ++frame) {
    ASSERT_OK(writer_->add_value(id, 0, frame, some_value(0, frame)));
    if (frame % 17 == 0) ASSERT_OK(writer_->commit());
  }
  ASSERT_OK(writer_->finish_scoring(id, {}));
  reopen();
  add_clip(*writer_, some_record("b"), 100);
  EXPECT_EQ(csv("SELECT count(DISTINCT mean || ' ' || stddev || ' ' || p99 || ' ' || frames) FROM clip_scores WHERE feature = 'psnr_y'"),
            "1\n");
}

TEST_F(WriterTest, AnInfiniteValueMakesMeanAndDeviationWhatIeeeSays) {
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->add_value(id, 0, 0, kInfinity));
  ASSERT_OK(writer_->add_value(id, 0, 1, 40.0));
  ASSERT_OK(writer_->finish_scoring(id, {}));
  EXPECT_EQ(csv("SELECT mean, stddev IS NULL, min, max, infinite, finite_mean FROM clip_scores"), "inf,1,40,inf,1,40\n");
}

TEST_F(WriterTest, KeepsWhatIsDone) {
  add_clip(*writer_, some_record("a"));
  reopen();
  const auto again = writer_->begin_scoring(some_record("a"), some_columns(), some_extractors());
  ASSERT_OK(again);
  EXPECT_EQ(again->kind, BeginOutcome::Kind::kKept);
  EXPECT_EQ(again->status, ScoringStatus::kDone);
}

TEST_F(WriterTest, OtherOptionsNeedAnotherLabel) {
  add_clip(*writer_, some_record("a"));
  const auto refused = writer_->begin_scoring(some_record("a", "psnr;motion"), some_columns(), some_extractors());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "clip \"a\" was scored under no label with other options or models; give this scoring another --label");
  ScoringRecord other_model = some_record("a");
  other_model.models = {{"vmaf", "m.json", "abc"}};
  EXPECT_FALSE(writer_->begin_scoring(other_model, some_columns(), some_extractors()).ok());
  add_clip(*writer_, some_record("a", "psnr;motion", "second"));
  EXPECT_EQ(csv("SELECT label FROM newest_scoring"), "second\n");
}

TEST_F(WriterTest, OptionsThatAnEarlierVersionStoredInAnotherOrderAreTheSame) {
  const std::string before = "features=psnr;cambi=window_size=33;model vmaf 01ab adm.a=b frames=5 scale=bicubic";
  const std::string now = "features=cambi=window_size=33;model vmaf 01ab adm.a=b;psnr frames=5 scale=bicubic";
  add_clip(*writer_, some_record("a", before));
  reopen();
  const auto ended = writer_->find_ended(some_record("a", now));
  ASSERT_OK(ended);
  EXPECT_TRUE(ended->has_value());
  const auto kept = writer_->begin_scoring(some_record("a", now), some_columns(), some_extractors());
  ASSERT_OK(kept);
  EXPECT_EQ(kept->kind, BeginOutcome::Kind::kKept);
  ASSERT_OK(writer_->begin_scoring(some_record("a", now), some_columns(), some_extractors(), BeginOptions{true}));
  EXPECT_EQ(csv("SELECT DISTINCT options FROM scoring"), before + "\n") << "a clip's scorings under one label have one text";
  EXPECT_FALSE(writer_->find_ended(some_record("a", "features=psnr;cambi=window_size=33 frames=5 scale=bicubic")).ok());
}

TEST_F(WriterTest, ChangedFilesAndVersionsAreScoredAgain) {
  add_clip(*writer_, some_record("a"), 3);
  ScoringRecord changed = some_record("a");
  changed.distorted.mtime_ns += 1;
  add_clip(*writer_, changed, 4);
  ScoringRecord newer = changed;
  newer.program_version = "0.2.0";
  add_clip(*writer_, newer, 5);
  EXPECT_EQ(csv("SELECT DISTINCT frames FROM clip_scores"), "5\n");
  EXPECT_EQ(csv("SELECT count(*) FROM all_clip_scores"), "6\n");
  EXPECT_EQ(csv("SELECT count(*) FROM frame_features"), "10\n");
  EXPECT_EQ(csv("SELECT count(*) FROM all_frame_features"), "24\n");
}

TEST_F(WriterTest, AShortScoringNeverStoresWhatIsOnlyKeptWhileItIsUnfinished) {
  const ScoringId other = begin(some_record("b"));
  ASSERT_OK(writer_->add_measurement(other, 1, 0, std::vector<std::uint64_t>{1}));
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->add_value(id, 0, 0, 1.0));
  ASSERT_OK(writer_->add_measurement(id, 1, 0, std::vector<std::uint64_t>{1}));
  ASSERT_OK(writer_->add_pair(id, 0, {0, 0, {1}}));
  ASSERT_OK(writer_->finish_scoring(id, {}));
  EXPECT_EQ(csv("SELECT count(*) FROM measurement"), "0\n") << "also what another one holds back waits for its checkpoint";
  ASSERT_OK(writer_->commit());
  EXPECT_EQ(csv("SELECT count(*) FROM measurement"), "1\n");
}

TEST_F(WriterTest, AnUnfinishedScoringStartsAgain) {
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->add_value(id, 0, 0, 99.0));
  ASSERT_OK(writer_->add_warning(id, "of the first try"));
  reopen();
  ASSERT_EQ(writer_->notes().size(), 1U);
  EXPECT_NE(writer_->notes()[0].find("1 scoring of an earlier run did not end"), std::string::npos);
  add_clip(*writer_, some_record("a"), 2);
  EXPECT_EQ(csv("SELECT count(*) FROM scoring"), "1\n");
  EXPECT_EQ(csv("SELECT count(*) FROM frame_score"), "4\n");
  EXPECT_EQ(csv("SELECT count(*) FROM warnings"), "0\n");
}

TEST_F(WriterTest, FailuresAreRows) {
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->add_value(id, 0, 0, 1.0));
  ASSERT_OK(writer_->add_failure(id, 1, 5, "no memory"));
  ASSERT_OK(writer_->add_warning(id, "the tags differ"));
  ASSERT_OK(writer_->finish_scoring(id, ScoringEnd{ScoringStatus::kPartial, 6}));
  ASSERT_OK(writer_->add_failed_clip(some_record("b"), "cannot be opened"));
  EXPECT_EQ(csv("SELECT * FROM failures ORDER BY clip"), "a,motion,5,no memory\nb,,,cannot be opened\n");
  EXPECT_EQ(csv("SELECT * FROM warnings"), "a,the tags differ\n");
  EXPECT_EQ(csv("SELECT name, status FROM newest_scoring s JOIN clip c ON c.id = s.clip ORDER BY name"), "a,partial\nb,failed\n");
}

TEST_F(WriterTest, AFailedClipThatFailsAgainStaysOneRow) {
  ASSERT_OK(writer_->add_failed_clip(some_record("b"), "first"));
  ASSERT_OK(writer_->add_failed_clip(some_record("b"), "second"));
  EXPECT_EQ(csv("SELECT reason FROM all_failures"), "second\n");
}

TEST_F(WriterTest, FailedAndPartialScoringsAreRetriedOnRequest) {
  const ScoringId id = begin(some_record("a"));
  ASSERT_OK(writer_->finish_scoring(id, ScoringEnd{ScoringStatus::kPartial}));
  const auto kept = writer_->begin_scoring(some_record("a"), some_columns(), some_extractors());
  ASSERT_OK(kept);
  EXPECT_EQ(kept->kind, BeginOutcome::Kind::kKept);
  EXPECT_EQ(kept->status, ScoringStatus::kPartial);
  const auto retried = writer_->begin_scoring(some_record("a"), some_columns(), some_extractors(), BeginOptions{true});
  ASSERT_OK(retried);
  EXPECT_EQ(retried->kind, BeginOutcome::Kind::kNew);
}

TEST_F(WriterTest, OneClipCannotBeScoredTwiceAtATime) {
  begin(some_record("a"));
  EXPECT_FALSE(writer_->begin_scoring(some_record("a"), some_columns(), some_extractors()).ok());
  EXPECT_TRUE(writer_->begin_scoring(some_record("a", "psnr", "other"), some_columns(), some_extractors()).ok());
}

TEST_F(WriterTest, TwoColumnsOfOneNameAreRefused) {
  const std::vector<ColumnSpec> columns = {{"x", ColumnScope::kFrame, "psnr", 0}, {"x", ColumnScope::kFrame, "psnr", 1}};
  EXPECT_FALSE(writer_->begin_scoring(some_record("a"), columns, some_extractors()).ok());
}

TEST_F(WriterTest, NamesAreBytes) {
  const std::string odd = "caf\xE9 \"x\",\n'y'";
  ScoringRecord record = some_record(odd);
  record.tags = {{"note", "\xFF"}, {"codec", "av1"}};
  add_clip(*writer_, record, 2);
  reopen();
  const auto again = writer_->begin_scoring(record, some_columns(), some_extractors());
  ASSERT_OK(again);
  EXPECT_EQ(again->kind, BeginOutcome::Kind::kKept);
  EXPECT_EQ(csv("SELECT typeof(name), hex(name) FROM clip"), "blob,636166E9202278222C0A277927\n");
  EXPECT_EQ(csv("SELECT hex(distorted_path) = hex('d/') || hex(name) || hex('.mp4') FROM scoring JOIN clip ON clip.id = clip"), "1\n");
  EXPECT_EQ(csv("SELECT name, value FROM tags ORDER BY name"), "codec,av1\nnote,\\xFF\n");
}

TEST_F(WriterTest, SeveralScoringsAtATime) {
  const ScoringId a = begin(some_record("a"));
  const ScoringId b = begin(some_record("b"));
  for (int frame = 0; frame < 40; ++frame) {
    ASSERT_OK(writer_->add_value(a, 0, frame, 1.0));
    ASSERT_OK(writer_->add_value(b, 0, frame, 2.0));
    if (frame == 20) ASSERT_OK(writer_->commit());
  }
  ASSERT_OK(writer_->finish_scoring(b, {}));
  EXPECT_EQ(csv("SELECT clip, mean, frames FROM clip_scores"), "b,2,40\n") << "a is not finished";
  ASSERT_OK(writer_->finish_scoring(a, {}));
  EXPECT_EQ(csv("SELECT clip, mean, frames FROM clip_scores ORDER BY clip"), "a,1,40\nb,2,40\n");
}

TEST_F(WriterTest, LeavesAPlainSingleFile) {
  add_clip(*writer_, some_record("a"));
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_TRUE(std::filesystem::exists(path_ + ".lock"));
  ASSERT_OK(writer_->end_run());
  ASSERT_OK(writer_->close());
  ASSERT_OK(writer_->close());
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 1U);
  EXPECT_EQ(read_file(path_).substr(18, 2), "\1\1") << "the file format's mark of WAL mode is 2";
  EXPECT_EQ(csv("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(csv("SELECT ended_at IS NOT NULL FROM run"), "1\n");
  EXPECT_FALSE(writer_->commit().ok()) << "closed";
}

TEST_F(WriterTest, GivesThePagesOfMeasurementsBack) {
  const ScoringId id = begin(some_record("a"));
  const std::vector<std::uint64_t> words(100, 1);
  for (int frame = 0; frame < 1000; ++frame) ASSERT_OK(writer_->add_measurement(id, 0, frame, words));
  ASSERT_OK(writer_->commit());
  ASSERT_OK(writer_->finish_scoring(id, {}));
  ASSERT_OK(writer_->close());
  EXPECT_LT(std::filesystem::file_size(path_), 300'000U) << "800,000 bytes of measurements were stored";
}

TEST_F(WriterTest, WorksWithoutWal) {
  reopen(OpenOptions{.avoid_wal = true});
  add_clip(*writer_, some_record("a"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "-wal"));
  ASSERT_OK(writer_->close());
  EXPECT_EQ(csv("SELECT count(*) FROM clip_scores"), "2\n");
}

// One writer, many threads, one at a time; and readers that never see half a clip.
TEST_F(WriterTest, ThreadsTakeTurnsWhileReadersRead) {
  std::mutex turn;
  std::atomic<bool> stop = false;
  std::atomic<int> reads = 0;
  std::thread reader([&] {
    while (!stop || reads == 0) {
      EXPECT_EQ(csv("SELECT count(*) FROM clip_scores WHERE frames <> 50"), "0\n");
      ++reads;
    }
  });
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 3; ++thread) {
    writers.emplace_back([&, thread] {
      for (int clip = 0; clip < 5; ++clip) {
        const std::lock_guard lock(turn);
        add_clip(*writer_, some_record(std::to_string(thread) + "_" + std::to_string(clip)), 50);
      }
    });
  }
  for (std::thread& thread : writers) thread.join();
  stop = true;
  reader.join();
  EXPECT_EQ(csv("SELECT count(*) FROM clip_scores"), "30\n");
}

}  // namespace
}  // namespace vmafbatch::store
