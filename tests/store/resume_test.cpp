// Scorings that a run was interrupted in, as the next run finds them.
#include <gtest/gtest.h>

#include <algorithm>

#include "store/scratch.h"
#include "store/writer.h"

namespace vmafbatch::store {
namespace {

class Resume : public ::testing::Test {
 protected:
  void SetUp() override { reopen(); }

  // As the next process would.
  void reopen() {
    if (writer_) ASSERT_OK(writer_->close());
    auto writer = Writer::open(path_);
    ASSERT_OK(writer);
    writer_ = std::move(*writer);
    ASSERT_OK(writer_->begin_run(some_run()));
  }

  // A scoring with `frames` frames, and an `extra` value that no pair follows; then the run is interrupted.
  ScoringId interrupt_after(int frames, const ScoringRecord& record = some_record("a")) {
    const auto begun = writer_->begin_scoring(record, some_columns(), some_extractors());
    EXPECT_TRUE(begun.ok());
    for (int frame = 0; frame < frames; ++frame) add_frame(begun->id, frame);
    EXPECT_TRUE(writer_->add_value(begun->id, 0, frames, 99.0).ok());
    EXPECT_TRUE(writer_->add_measurement(begun->id, 1, frames, std::vector<std::uint64_t>{99}).ok());
    EXPECT_TRUE(writer_->add_failure(begun->id, 1, frames, "behind the last frame").ok());
    reopen();
    return begun->id;
  }

  void add_frame(ScoringId id, int frame) {
    EXPECT_TRUE(writer_->add_value(id, 0, frame, 30.0 + frame).ok());
    EXPECT_TRUE(writer_->add_value(id, 1, frame, 40.0 + frame).ok());
    EXPECT_TRUE(writer_->add_measurement(id, 1, frame, std::vector<std::uint64_t>{static_cast<std::uint64_t>(frame)}).ok());
    EXPECT_TRUE(writer_->add_pair(id, frame, {40 * frame, 41 * frame, {static_cast<std::uint64_t>(frame), 5}}).ok());
  }

  std::optional<StoredPrefix> find(const ScoringRecord& record = some_record("a")) {
    const auto found = writer_->find_unfinished(record);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::nullopt;
  }

  Result<ResumedScoring> resume(const StoredPrefix& prefix) {
    return writer_->resume_scoring(prefix, some_record("a"), some_columns(), some_extractors());
  }

  std::string csv(const std::string& sql) const { return csv_of(path_, sql); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path("scores.db");
  std::unique_ptr<Writer> writer_;
};

TEST_F(Resume, FindsTheFramesThatAreStored) {
  const ScoringId id = interrupt_after(3);
  const auto prefix = find();
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->id, id);
  EXPECT_EQ(prefix->frames, 3);
  ASSERT_EQ(prefix->newest.size(), 3U);
  EXPECT_EQ(prefix->newest[2].reference_ns, 80);
  EXPECT_EQ(prefix->newest[2].distorted_ns, 82);
  EXPECT_EQ(prefix->newest[2].words, (std::vector<std::uint64_t>{2, 5}));
}

TEST_F(Resume, KeepsTheNewestPairsOfALongOneAtHand) {
  interrupt_after(static_cast<int>(StoredPrefix::kMostNewest) + 10);
  const auto prefix = find();
  ASSERT_TRUE(prefix);
  ASSERT_EQ(prefix->newest.size(), static_cast<size_t>(StoredPrefix::kMostNewest));
  EXPECT_EQ(prefix->newest.back().words[0], static_cast<std::uint64_t>(prefix->frames - 1));
}

TEST_F(Resume, EndsAsIfItHadNeverStopped) {
  interrupt_after(3);
  const auto prefix = find();
  ASSERT_TRUE(prefix);
  const auto resumed = resume(*prefix);
  ASSERT_OK(resumed);
  EXPECT_TRUE(resumed->has_values);
  EXPECT_TRUE(resumed->failures.empty()) << "what lies behind the last frame is found again";
  for (int frame = 3; frame < 5; ++frame) add_frame(prefix->id, frame);
  const auto measured = writer_->measurements(prefix->id, 1);
  ASSERT_OK(measured);
  EXPECT_EQ(*measured, (std::vector<std::vector<std::uint64_t>>{{0}, {1}, {2}, {3}, {4}}));
  ASSERT_OK(writer_->finish_scoring(prefix->id, {}));
  EXPECT_EQ(csv("SELECT frame, value FROM frame_features WHERE feature = 'psnr_y'"), "0,30\n1,31\n2,32\n3,33\n4,34\n");
  EXPECT_EQ(csv("SELECT frames, mean FROM clip_scores WHERE feature = 'psnr_y'"), "5,32\n");
  EXPECT_EQ(csv("SELECT count(*) FROM measurement"), "0\n");
  EXPECT_EQ(csv("SELECT count(*) FROM frame_time"), "0\n");
  EXPECT_EQ(csv("SELECT count(*) FROM scoring"), "1\n");
  EXPECT_EQ(csv("SELECT count(*) FROM failure"), "0\n");
}

TEST_F(Resume, RemembersFailuresAndBackendsAndForgetsWhatIsSaidAnew) {
  const auto begun = writer_->begin_scoring(some_record("a"), some_columns(), some_extractors());
  ASSERT_OK(begun);
  for (int frame = 0; frame < 4; ++frame) add_frame(begun->id, frame);
  ASSERT_OK(writer_->add_failure(begun->id, 1, 2, "no memory"));
  ASSERT_OK(writer_->add_failure(begun->id, 0, std::nullopt, "refused"));
  ASSERT_OK(writer_->add_warning(begun->id, "of the first try"));
  ASSERT_OK(writer_->add_backend(begun->id, 0, {"psnr_hip", "hip", "gfx90a", "", 0, 0}));
  ASSERT_OK(writer_->add_backend(begun->id, 0, {"psnr", "cpu", "", "the device is gone", 2, 2}));
  ASSERT_OK(writer_->add_backend(begun->id, 0, {"psnr_hip", "hip", "gfx90a", "", 4, 4}));
  reopen();
  const auto prefix = find();
  ASSERT_TRUE(prefix);
  const auto resumed = resume(*prefix);
  ASSERT_OK(resumed);
  ASSERT_EQ(resumed->failures.size(), 1U);
  EXPECT_EQ(resumed->failures[0].extractor, 1);
  EXPECT_EQ(resumed->failures[0].frame, 2);
  EXPECT_EQ(resumed->failures[0].reason, "no memory");
  ASSERT_EQ(resumed->backends.size(), 2U);
  ASSERT_EQ(resumed->backends[0].size(), 2U) << "the range that begins behind the last frame is gone";
  EXPECT_EQ(resumed->backends[0][1].first_frame, 2);
  EXPECT_EQ(resumed->backends[0][1].reason, "the device is gone");
  ASSERT_OK(writer_->commit());
  EXPECT_EQ(csv("SELECT count(*) FROM warning"), "0\n");
  EXPECT_EQ(csv("SELECT reason FROM failure"), "no memory\n");
}

TEST_F(Resume, AnEndThatWasInterruptedIsForgotten) {
  ScoringRecord record = some_record("a");
  record.models = {{"vmaf", "vmaf.json", "abc"}};
  std::vector<ColumnSpec> columns = some_columns();
  columns.push_back({"vmaf", ColumnScope::kFrame, "vmaf", 3});
  const auto begun = writer_->begin_scoring(record, columns, some_extractors());
  ASSERT_OK(begun);
  for (int frame = 0; frame < 3; ++frame) {
    ASSERT_OK(writer_->add_value(begun->id, 0, frame, 30.0 + frame));
    ASSERT_OK(writer_->add_pair(begun->id, frame, {40 * frame, 41 * frame, {1, 5}}));
  }
  const auto end = [&] {
    ASSERT_OK(writer_->add_value(begun->id, 1, 0, 7.0));
    ASSERT_OK(writer_->add_aggregate(begun->id, 2, 33.0));
    for (int frame = 0; frame < 3; ++frame) ASSERT_OK(writer_->add_value(begun->id, 3, frame, 90.0));
  };
  end();
  reopen();
  const auto prefix = find(record);
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->columns, columns);
  EXPECT_TRUE(std::ranges::equal(prefix->extractors, some_extractors(), is_same_producer));
  ASSERT_OK(writer_->resume_scoring(*prefix, record, columns, some_extractors()));
  end();
  ASSERT_OK(writer_->finish_scoring(begun->id, {}));
  EXPECT_EQ(csv("SELECT feature, frame, value FROM frame_features ORDER BY 1, 2"),
            "integer_motion2,0,7\npsnr_y,0,30\npsnr_y,1,31\npsnr_y,2,32\nvmaf,0,90\nvmaf,1,90\nvmaf,2,90\n");
  EXPECT_EQ(csv("SELECT value FROM clip_aggregates"), "33\n");
}

TEST(Producers, AreTheSameWhateverAModelsFileIsCalled) {
  EXPECT_TRUE(is_same_producer({"vmaf", "model a.json"}, {"vmaf", "model b.json"}));
  EXPECT_FALSE(is_same_producer({"vmaf", "model a.json"}, {"vmaf_neg", "model a.json"}));
  EXPECT_FALSE(is_same_producer({"cambi", "topk=0.1"}, {"cambi", "topk=0.2"}));
  EXPECT_FALSE(is_same_producer({"cambi", "topk=0.1"}, {"cambi", "model a.json"}));
}

TEST_F(Resume, OtherFilesOrLibrariesBeginAnew) {
  interrupt_after(3);
  EXPECT_FALSE(find(some_record("b")));
  ScoringRecord record = some_record("a");
  record.c_library = "another";
  EXPECT_FALSE(find(record));
  record = some_record("a");
  record.decoder = "another";
  EXPECT_FALSE(find(record));
  record = some_record("a");
  ++record.distorted.mtime_ns;
  EXPECT_FALSE(find(record));
  record = some_record("a");
  record.label = "another";
  EXPECT_FALSE(find(record));
  EXPECT_TRUE(find());
}

TEST_F(Resume, OtherOptionsOrModelsAreRefusedWhereFramesAreStored) {
  interrupt_after(3);
  ScoringRecord options = some_record("a");
  options.options += " frames=2";
  ScoringRecord models = some_record("a");
  models.models.push_back({"vmaf", "a file", "a hash"});
  for (const ScoringRecord& record : {options, models}) {
    const auto found = writer_->find_unfinished(record);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(
        found.error().message,
        "clip \"a\": an interrupted run scored 3 of its frames under no label with other options or models; give this scoring another "
        "--label, or give those frames up with --fresh");
  }
  interrupt_after(0);
  EXPECT_FALSE(find(options)) << "nothing is lost";
}

TEST_F(Resume, NothingIsFoundWhereNoFrameIsStoredOrOneIsMissing) {
  interrupt_after(0);
  EXPECT_FALSE(find());
  interrupt_after(3);
  ASSERT_OK(writer_->close());
  run_sql(path_, "DELETE FROM measurement WHERE extractor = -1 AND frame = 1");
  writer_.reset();
  reopen();
  EXPECT_FALSE(find());
}

TEST_F(Resume, RowsOfAnotherProgramAreAnErrorAndNoCrash) {
  for (const char* change :
       {"DELETE FROM scoring_feature WHERE position = 1", "UPDATE scoring_extractor SET name = 'vif' WHERE extractor = 0",
        "UPDATE scoring_feature SET scope = 'series' WHERE position = 0",
        "INSERT INTO failure (scoring, extractor, frame, reason) SELECT id, 77, 0, '' FROM scoring",
        "INSERT INTO feature_backend SELECT id, -3, 0, 0, '', '', '', '' FROM scoring"}) {
    SCOPED_TRACE(change);
    writer_.reset();
    std::filesystem::remove(path_);
    reopen();
    interrupt_after(2);
    ASSERT_OK(writer_->close());
    run_sql(path_, change);
    writer_.reset();
    reopen();
    const auto prefix = find();
    ASSERT_TRUE(prefix);
    const auto resumed = resume(*prefix);
    ASSERT_FALSE(resumed.ok());
    EXPECT_NE(resumed.error().message.find("score it with --fresh"), std::string::npos);
  }
}

TEST_F(Resume, AFailureToOpenKeepsWhatIsStored) {
  interrupt_after(3);
  ASSERT_OK(writer_->add_failed_clip(some_record("a"), "input/output error"));
  reopen();
  EXPECT_TRUE(find());
}

TEST_F(Resume, FreshBeginsAnewWhateverIsThere) {
  add_clip(*writer_, some_record("a"), 2);
  const auto begun = writer_->begin_scoring(some_record("a"), some_columns(), some_extractors(), {.again = true});
  ASSERT_OK(begun);
  EXPECT_EQ(begun->kind, BeginOutcome::Kind::kNew);
  ASSERT_OK(writer_->finish_scoring(begun->id, {}));
  EXPECT_EQ(csv("SELECT count(*) FROM scoring"), "2\n");
  EXPECT_EQ(csv("SELECT count(*) FROM frame_features"), "0\n") << "the newest counts";
}

}  // namespace
}  // namespace vmafbatch::store
