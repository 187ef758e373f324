// Runs that are stopped in the middle of a clip, and the runs that go on: the database is that of a run that never stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "extractors/registry.h"
#include "graph/run.h"
#include "run_fixture.h"
#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::graph {
namespace {

using ::testing::HasSubstr;
using testing::SyntheticClip;

std::atomic<bool> stop_now{false};
std::atomic<std::int64_t> stop_at{-1};  // the frame that stops the run when it is measured
std::atomic<int> measured{0};
std::function<void(std::int64_t)> at_frame;  // called with each frame that is measured, where it is set

// Counts what is measured, stops the run at a frame, fails at another one.
constexpr std::array kOptions = {
    extractors::OptionSpec{.name = "throws", .default_value = false, .help = "throw at frame 3"},
    extractors::OptionSpec{.name = "nan", .default_value = false, .help = "NaN at frame 5"},
};
constexpr std::array kFeatures = {extractors::FeatureSpec{.internal_name = "stopper", .reported_name = "stopper"}};

class Stopper final : public extractors::Extractor {
 public:
  Stopper(const extractors::Options& options, const extractors::ClipInfo&) : throws_(options.flag("throws")), nan_(options.flag("nan")) {}
  extractors::Needs needs() const override { return {.history = 2}; }
  std::vector<size_t> outputs() const override { return {0}; }
  void measure(const io::FrameWindow& window, extractors::Measurements& out) const override {
    ++measured;
    if (at_frame) at_frame(window.index());
    if (window.index() == stop_at.load()) stop_now.store(true);
    if (throws_ && window.index() == 3) throw std::runtime_error("planted failure");
    const bool nan = nan_ && window.index() == 5;
    out.resize(1);
    // What it looks back to must be there after a resume as well.
    out.set_real(0, nan ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(10 * window.index() + window.history()));
  }
  void conclude(const extractors::Measurements& found, extractors::FrameFeatures& out) const override { out.set(0, found.real(0)); }

 private:
  bool throws_;
  bool nan_;
};

const extractors::ExtractorInfo kStopper = {.name = "stopper",
                                            .summary = "stops the run",
                                            .range = "",
                                            .source = "",
                                            .options = kOptions,
                                            .features = kFeatures,
                                            .create = extractors::make_extractor<Stopper>};

std::shared_ptr<const ScoringRequest> request(const std::vector<std::string>& features, const std::string& stopper_option = "") {
  extractors::FeatureRequest stopper{&kStopper, extractors::Options(kOptions)};
  if (!stopper_option.empty()) {
    EXPECT_TRUE(stopper.options.set(stopper_option, "true").ok());
  }
  std::vector<extractors::FeatureRequest> list = {stopper};
  for (const std::string& text : features) list.push_back(extractors::parse_feature(text).value());
  return std::make_shared<const ScoringRequest>(make_request(list, {}).value());
}

const std::vector<std::string> kTemporal = {"psnr=enable_apsnr=true", "motion", "motion_v2", "float_motion", "speed_temporal"};

// All that a scoring says, but for times and counters of work.
constexpr std::array kTables = {
    "SELECT clip, feature, frame, value FROM frame_features ORDER BY 1, 2, 3",
    "SELECT * FROM clip_scores ORDER BY clip, feature",
    "SELECT * FROM clip_aggregates ORDER BY clip, feature",
    "SELECT * FROM failures ORDER BY clip, extractor, frame, reason",
    "SELECT * FROM warnings ORDER BY clip, text",
    "SELECT clip, extractor, implementation, backend, device, reason, first_frame, last_frame FROM all_backends ORDER BY 1, 2, 7",
    "SELECT c.name, s.status, s.frames, s.identical_frames, s.pictures, s.decoded_reference, s.decoded_distorted, s.subsample "
    "FROM scoring s JOIN clip c ON c.id = s.clip ORDER BY 1",
    "SELECT count(*) FROM measurement",
    "SELECT count(*) FROM frame_time",
    "SELECT * FROM tags ORDER BY clip, name",
};

class ResumedRun : public RunFixture {
 protected:
  void SetUp() override {
    stop_at = -1;
    stop_now = false;
    at_frame = nullptr;
  }

  RunSummary run(const std::vector<ClipTask>& tasks, const std::string& database, std::int64_t stop_at_frame = -1,
                 RunOptions options = {}) {
    stop_at = stop_at_frame;
    stop_now = false;
    measured = 0;
    options.memory_bytes = 1;  // one position at a time, so that a stop comes soon
    auto writer = store::Writer::open(database);
    EXPECT_TRUE(writer.ok()) << writer.error().message;
    ProgressCounters progress;
    Result<RunSummary> summary = run_tasks(tasks, options, **writer, stop_now, progress);
    EXPECT_TRUE(summary.ok()) << summary.error().message;
    EXPECT_TRUE((*writer)->close().ok());
    return summary.ok() ? *summary : RunSummary{};
  }

  // Scores once without a stop and once with stops at `frames`, and compares.
  void expect_the_same(const std::vector<ClipTask>& tasks, const std::vector<std::int64_t>& frames, const RunOptions& options = {}) {
    const std::string whole = folder_.path("whole.db");
    const std::string stopped = folder_.path("stopped.db");
    run(tasks, whole, -1, options);
    const int all = measured.load();
    int together = 0;
    for (const std::int64_t frame : frames) {
      EXPECT_TRUE(run(tasks, stopped, frame, options).interrupted);
      together += measured.load();
    }
    const RunSummary last = run(tasks, stopped, -1, options);
    EXPECT_FALSE(last.interrupted);
    EXPECT_GT(last.frames_resumed, 0);
    // A NaN is only seen after the frame was measured: a run that never stopped may measure more.
    EXPECT_LE(together + measured.load(), all) << "a frame was measured twice";
    for (const char* sql : kTables) EXPECT_EQ(query(stopped, sql), query(whole, sql)) << sql;
  }

  // A finished scoring, and one of --fresh that was stopped at frame 12; the database.
  std::string score_and_stop_a_fresh_run(const ClipTask& task) {
    std::string database = folder_.path("a.db");
    run({task}, database);
    RunOptions options;
    options.fresh = true;
    run({task}, database, 12, options);
    return database;
  }

  // Both sides as H.264 in MP4, a key picture every 8.
  ClipTask coded_task(const std::string& name, const SyntheticClip& clip, std::shared_ptr<const ScoringRequest> asked) {
    ClipTask task = make_task(name, clip, std::move(asked));
    for (std::string* side : {&task.row.reference, &task.row.distorted}) {
      const std::string coded = *side + ".mp4";
      EXPECT_TRUE(testing::run_ffmpeg({"-i", *side, "-c:v", "libx264", "-g", "8", "-bf", "2", "-pix_fmt", "yuv420p", coded}));
      *side = coded;
    }
    return task;
  }
};

TEST_F(ResumedRun, EqualsOneThatNeverStopped) {
  const SyntheticClip clip{.frames = 24, .distortion = "blur"};
  expect_the_same({make_task("a", clip, request(kTemporal))}, {4, 11, 12, 21});
}

TEST_F(ResumedRun, GoesOnWhereItsFeaturesAreNamedInAnotherOrder) {
  const SyntheticClip clip{.frames = 16, .distortion = "blur"};
  const std::vector<ClipTask> tasks = {make_task("a", clip, request({"psnr", "motion", "float_motion"}))};
  std::vector<ClipTask> turned = tasks;
  turned[0].request = request({"float_motion", "psnr", "motion"});
  const std::string whole = folder_.path("whole.db");
  run(tasks, whole);
  // Today's text, and one that an earlier version stored.
  for (const char* change : {"", "UPDATE scoring SET options = replace(options, 'float_motion;motion;psnr', 'psnr;motion;float_motion')"}) {
    const std::string stopped = folder_.path("stopped.db");
    std::filesystem::remove(stopped);
    EXPECT_TRUE(run(tasks, stopped, 7).interrupted);
    run_sql(stopped, change);
    EXPECT_GT(run(turned, stopped).frames_resumed, 0) << change;
    for (const char* sql : kTables) EXPECT_EQ(query(stopped, sql), query(whole, sql)) << sql;
    EXPECT_EQ(run(turned, stopped).kept, 1);
    EXPECT_EQ(run(tasks, stopped).kept, 1);
  }
}

TEST_F(ResumedRun, StopsAtAnyFrame) {
  const SyntheticClip clip{.width = 32, .height = 32, .frames = 7, .distortion = "blur"};
  const std::vector<ClipTask> tasks = {make_task("a", clip, request({"psnr", "motion", "float_motion"}))};
  for (const std::int64_t frame : {1, 2, 3, 4, 5, 6}) {
    SCOPED_TRACE(frame);
    std::filesystem::remove(folder_.path("whole.db"));
    std::filesystem::remove(folder_.path("stopped.db"));
    expect_the_same(tasks, {frame});
  }
}

TEST_F(ResumedRun, ALadderGoesOnWithEachOfItsMembers) {
  const std::vector<ClipTask> tasks = {make_task("a", {.frames = 20, .distortion = "blur"}, request(kTemporal)),
                                       make_task("b", {.frames = 20, .distortion = "quantise:3"}, request(kTemporal)),
                                       make_task("c", {.frames = 20, .distortion = "none"}, request({"psnr"}))};
  expect_the_same(tasks, {5, 9, 16});
}

TEST_F(ResumedRun, AFailedExtractorStaysFailedAndIsNotTriedAgain) {
  const SyntheticClip clip{.frames = 16, .distortion = "blur"};
  expect_the_same({make_task("a", clip, request({"psnr"}, "throws"))}, {3});
}

TEST_F(ResumedRun, FailuresOfTheStoredFramesAreKept) {
  const SyntheticClip clip{.frames = 16, .distortion = "blur"};
  const std::vector<ClipTask> tasks = {make_task("a", clip, request({"psnr", "motion"}, "nan"))};
  expect_the_same(tasks, {5});
}

TEST_F(ResumedRun, SubsampleKeepsItsFrames) {
  ClipTask task = make_task("a", {.frames = 23, .distortion = "blur"}, request({"psnr=enable_apsnr=true", "float_motion", "motion"}));
  task.subsample = 3;
  expect_the_same({task}, {6, 9, 15});
}

TEST_F(ResumedRun, WarnsOfASideOutOfStepAsIfItHadSeenAllFrames) {
  ClipTask task = make_task("a", {.frames = 40, .distortion = "blur"}, request({"psnr"}));
  task.row.skip_distorted = 2;
  expect_the_same({task}, {12, 25});
}

TEST_F(ResumedRun, CountsIdenticalPairsOfBothRuns) {
  expect_the_same({make_task("a", {.frames = 12, .distortion = "none"}, request({"psnr"}))}, {5});
}

TEST_F(ResumedRun, DecodesFromTheStartUnderACutOrTimestamps) {
  ClipTask cut = make_task("a", {.frames = 40, .distortion = "blur"}, request({"psnr", "motion"}));
  cut.row.start_s = 0.4;
  cut.row.duration_s = 0.9;
  ClipTask timed = make_task("b", {.frames = 20, .seed = 2, .distortion = "blur"}, request({"psnr", "motion"}));
  timed.sync = io::Sync::kTimestamp;
  expect_the_same({cut, timed}, {9, 14});
}

TEST_F(ResumedRun, ADamagedClipEndsWhereItIsDamaged) {
  ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request(kTemporal));
  testing::cut_file(task.row.distorted, std::filesystem::file_size(task.row.distorted) - 5000);
  expect_the_same({task}, {7, 13});
}

TEST_F(ResumedRun, GoesStraightToTheFrameInACodedFile) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const ClipTask task = coded_task("a", {.frames = 60, .distortion = "blur"}, request(kTemporal));
  expect_the_same({task}, {13, 30});
  std::filesystem::remove(folder_.path("stopped.db"));
  run({task}, folder_.path("stopped.db"), 50);
  const RunSummary last = run({task}, folder_.path("stopped.db"));
  EXPECT_LT(last.reference_frames_decoded, 20) << "from the key picture at 48 at the most";
}

TEST_F(ResumedRun, StoredScoresOfOtherPicturesAreGivenUp) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const ClipTask task = coded_task("a", {.frames = 60, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("stopped.db");
  run({task}, database, 50);
  run_sql(database,
          "UPDATE measurement SET words = (SELECT words FROM measurement WHERE extractor = -1 AND frame = 0) WHERE extractor = -1 "
          "AND frame > 30");
  const RunSummary last = run({task}, database);
  EXPECT_FALSE(last.error);
  EXPECT_EQ(last.frames_resumed, 0);
  EXPECT_EQ(measured.load(), 60);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring"), Rows{"done|60"});
}

// Overwrites `path` with the bytes of `other`, which are as many, and keeps its time: nothing but its pictures tells.
void replace_in_place(const std::string& path, const std::string& other) {
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::copy_file(other, path, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::last_write_time(path, time);
}

TEST_F(ResumedRun, AFileThatWasOverwrittenUnseenBeginsAnewAndTheOthersOfItsLadderGoOn) {
  const std::vector<ClipTask> tasks = {make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr", "motion"})),
                                       make_task("b", {.frames = 20, .distortion = "blur"}, request({"psnr", "motion"}))};
  const ClipTask other = make_task("c", {.frames = 20, .distortion = "quantise:3"}, request({"psnr"}));
  const std::string stopped = folder_.path("stopped.db");
  const std::string whole = folder_.path("whole.db");
  run(tasks, stopped, 12);
  replace_in_place(tasks[1].row.distorted, other.row.distorted);
  const RunSummary last = run(tasks, stopped);
  EXPECT_GT(last.frames_resumed, 0);
  EXPECT_LT(last.frames_resumed, 20) << "of one clip";
  run(tasks, whole);
  for (const char* sql : kTables) EXPECT_EQ(query(stopped, sql), query(whole, sql)) << sql;
}

TEST_F(ResumedRun, AFileThatEndsBeforeItsStoredFramesBeginsAnew) {
  ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("a.db");
  run({task}, database, 12);
  task.row.frames = 5;  // and the stored scoring gets its options: as if it had found fewer pictures than before
  run({task}, folder_.path("short.db"));
  run_sql(database, "UPDATE scoring SET options = '" + query(folder_.path("short.db"), "SELECT options FROM scoring").front() + "'");
  const RunSummary last = run({task}, database);
  EXPECT_EQ(last.frames_resumed, 0);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring"), Rows{"done|5"});
}

TEST_F(ResumedRun, AFileThatIsReplacedBeforeItsTurnBeginsAnew) {
  const std::vector<ClipTask> tasks = {make_task("a", {.frames = 6, .distortion = "none"}, request({"psnr"})),
                                       make_task("b", {.frames = 20, .seed = 2, .distortion = "blur"}, request({"psnr"}))};
  const ClipTask other = make_task("c", {.frames = 20, .seed = 2, .distortion = "quantise:3"}, request({"psnr"}));
  const std::string stopped = folder_.path("stopped.db");
  const std::string whole = folder_.path("whole.db");
  run({tasks[1]}, stopped, 12);
  at_frame = [&](std::int64_t frame) {  // of the first clip
    if (frame == 2)
      std::filesystem::copy_file(other.row.distorted, tasks[1].row.distorted, std::filesystem::copy_options::overwrite_existing);
    if (frame == 2) at_frame = nullptr;
  };
  EXPECT_EQ(run(tasks, stopped).frames_resumed, 0);
  run(tasks, whole);
  for (const char* sql : kTables) EXPECT_EQ(query(stopped, sql), query(whole, sql)) << sql;
  const char* const kFile =
      "SELECT distorted_size, distorted_mtime_ns FROM newest_scoring s JOIN clip c ON c.id = s.clip WHERE c.name = 'b'";
  EXPECT_EQ(query(stopped, kFile), query(whole, kFile));
}

TEST_F(ResumedRun, PicturesThatWerePreparedInAnotherWayBeginAnew) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("a.db");
  run({task}, database, 12);
  run_sql(database, "UPDATE scoring SET pictures = 'reference: 3 frames skipped'");
  EXPECT_EQ(run({task}, database).frames_resumed, 0);
  EXPECT_EQ(query(database, "SELECT status, frames, pictures FROM scoring"), Rows{"done|20|"});
}

TEST_F(ResumedRun, ExtractorsThatDoNotFitCostTheirClipAndNotTheRun) {
  const std::vector<ClipTask> tasks = {make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"})),
                                       make_task("b", {.frames = 20, .seed = 2, .distortion = "blur"}, request({"psnr"}))};
  const std::string database = folder_.path("a.db");
  run(tasks, database, 12);
  run_sql(database, "UPDATE scoring_extractor SET options = 'another=1' WHERE extractor = 1");
  const RunSummary last = run(tasks, database);
  EXPECT_FALSE(last.error);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring ORDER BY clip"), (Rows{"done|20", "done|20"}));
}

TEST_F(ResumedRun, DamagedRowsBeginAnew) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("stopped.db");
  run({task}, database, 10);
  run_sql(database, "UPDATE measurement SET words = x'00' WHERE extractor = -1");
  const RunSummary last = run({task}, database);
  EXPECT_EQ(last.frames_resumed, 0);
  EXPECT_EQ(measured.load(), 20);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring"), Rows{"done|20"});
}

TEST_F(ResumedRun, MissingRowsBeginAnew) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr", "motion"}));
  const std::string whole = folder_.path("whole.db");
  run({task}, whole);
  for (const char* change : {"DELETE FROM frame_score WHERE frame = 4 AND scoring_feature = (SELECT max(scoring_feature) FROM frame_score)",
                             "DELETE FROM frame_score WHERE frame = 0", "DELETE FROM measurement WHERE extractor <> -1 AND frame = 5"}) {
    SCOPED_TRACE(change);
    const std::string database = folder_.path("a.db");
    std::filesystem::remove(database);
    run({task}, database, 10);
    const Rows before = query(database, "SELECT (SELECT count(*) FROM frame_score) + (SELECT count(*) FROM measurement)");
    run_sql(database, change);
    ASSERT_NE(query(database, "SELECT (SELECT count(*) FROM frame_score) + (SELECT count(*) FROM measurement)"), before);
    EXPECT_EQ(run({task}, database).frames_resumed, 0);
    EXPECT_EQ(query(database, kTables[0]), query(whole, kTables[0]));
  }
}

TEST_F(ResumedRun, FreshMeasuresEverythingAnew) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("a.db");
  run({task}, database, 10);
  RunOptions options;
  options.fresh = true;
  EXPECT_EQ(run({task}, database, -1, options).frames_resumed, 0);
  EXPECT_EQ(measured.load(), 20);
  run({task}, database, -1, options);
  EXPECT_EQ(measured.load(), 20);
  EXPECT_EQ(query(database, "SELECT count(*) FROM scoring WHERE status = 'done'"), Rows{"2"});
  EXPECT_EQ(run({task}, database).kept, 1);
}

TEST_F(ResumedRun, AnUnreadableFileKeepsWhatIsStoredOfItsClip) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = folder_.path("a.db");
  run({task}, database, 10);
  std::filesystem::rename(task.row.distorted, task.row.distorted + ".gone");
  EXPECT_EQ(run({task}, database).clips.size(), 1U);
  std::filesystem::rename(task.row.distorted + ".gone", task.row.distorted);
  EXPECT_GE(run({task}, database).frames_resumed, 9);
  EXPECT_EQ(query(database, "SELECT status, frames FROM newest_scoring"), Rows{"done|20"});
}

TEST_F(ResumedRun, AFreshRunThatWasStoppedGoesOnWithoutFresh) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = score_and_stop_a_fresh_run(task);
  const RunSummary last = run({task}, database);
  EXPECT_EQ(last.kept, 0);
  EXPECT_GE(last.frames_resumed, 11);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring"), (Rows{"done|20", "done|20"}));
  EXPECT_EQ(run({task}, database).kept, 1);
}

TEST_F(ResumedRun, WhatAFreshRunDidNotStoreAFrameOfIsForgotten) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const std::string database = score_and_stop_a_fresh_run(task);
  run_sql(database, "DELETE FROM measurement");
  EXPECT_EQ(run({task}, database).kept, 1);
  EXPECT_EQ(query(database, "SELECT status FROM scoring"), Rows{"done"});
}

TEST_F(ResumedRun, OtherOptionsDoNotThrowStoredFramesAway) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  const ClipTask other = [&] {
    ClipTask changed = task;
    changed.request = request({"motion"});
    return changed;
  }();
  const std::string database = folder_.path("a.db");
  run({task}, database, 12);
  auto writer = store::Writer::open(database);
  ASSERT_TRUE(writer.ok());
  ProgressCounters progress;
  const Result<RunSummary> refused = run_tasks({other}, {}, **writer, stop_now, progress);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("an interrupted run scored 1"));
  EXPECT_THAT(refused.error().message, HasSubstr("with other options or models; give this scoring another --label"));
  ASSERT_TRUE((*writer)->close().ok());
  EXPECT_GE(run({task}, database).frames_resumed, 11);

  std::filesystem::remove(database);
  run({task}, database, 12);
  RunOptions fresh;
  fresh.fresh = true;
  EXPECT_FALSE(run({other}, database, -1, fresh).error);
  EXPECT_EQ(query(database, "SELECT status, frames FROM scoring"), Rows{"done|20"});
}

TEST_F(ResumedRun, ScoresOfAFileThatWasAwayAreShownAgainWhenItIsBack) {
  ClipTask task = make_task("a", {.frames = 8, .distortion = "blur"}, request({"psnr"}));
  task.row.tags = {{"codec", "av1"}};
  const std::string database = folder_.path("a.db");
  run({task}, database);
  const Rows values = query(database, kAllValues);
  std::filesystem::rename(task.row.distorted, task.row.distorted + ".gone");
  EXPECT_EQ(run({task}, database).clips.size(), 1U);
  EXPECT_EQ(query(database, kAllValues), Rows{}) << "the newest scoring failed";
  EXPECT_EQ(run({task}, database).kept_failed, 1);
  std::filesystem::rename(task.row.distorted + ".gone", task.row.distorted);
  task.row.tags = {{"codec", "hevc"}};
  EXPECT_EQ(run({task}, database).kept, 1);
  EXPECT_EQ(measured.load(), 0);
  EXPECT_EQ(query(database, kAllValues), values);
  EXPECT_EQ(query(database, "SELECT value FROM tags"), Rows{"hevc"}) << "tags are those of the last run";
}

TEST_F(ResumedRun, ScoresOfAFileThatWasPutBackAreShownAgain) {
  const ClipTask task = make_task("a", {.frames = 8, .distortion = "blur"}, request({"psnr"}));
  const ClipTask other = make_task("c", {.frames = 8, .distortion = "quantise:3"}, request({"psnr"}));
  const std::string database = folder_.path("a.db");
  run({task}, database);
  const Rows values = query(database, kAllValues);
  const auto time = std::filesystem::last_write_time(task.row.distorted);
  std::filesystem::rename(task.row.distorted, folder_.path("kept.y4m"));
  std::filesystem::copy_file(other.row.distorted, task.row.distorted);
  std::filesystem::last_write_time(task.row.distorted, time + std::chrono::seconds(1));
  EXPECT_EQ(run({task}, database).kept, 0);
  EXPECT_NE(query(database, kAllValues), values);
  std::filesystem::rename(folder_.path("kept.y4m"), task.row.distorted);
  EXPECT_EQ(run({task}, database).kept, 1);
  EXPECT_EQ(query(database, kAllValues), values);
}

TEST_F(ResumedRun, DamageBehindTheLastExtractorsFailureDoesNotCount) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({}, "throws"));
  testing::cut_file(task.row.distorted, std::filesystem::file_size(task.row.distorted) / 2);
  at_frame = [](std::int64_t frame) {  // so that the decoder meets the damage before the failure is known
    if (frame == 3) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  const std::string database = folder_.path("a.db");
  RunOptions options;
  options.threads = 2;
  score({task}, database, options);
  EXPECT_EQ(query(database, "SELECT extractor, frame FROM failures"), Rows{"stopper|3"});
  EXPECT_EQ(query(database, "SELECT count(*) FROM warnings"), Rows{"0"});
}

TEST_F(ResumedRun, APartialScoringThatIsTriedAgainIsNotStoredTwice) {
  const ClipTask task = make_task("a", {.frames = 20, .distortion = "blur"}, request({"psnr"}));
  testing::cut_file(task.row.distorted, std::filesystem::file_size(task.row.distorted) - 5000);
  const std::string database = folder_.path("a.db");
  RunOptions options;
  options.retry_failed = true;
  for (int night = 0; night < 3; ++night) {
    run({task}, database, -1, options);
    EXPECT_GT(measured.load(), 0);
    EXPECT_EQ(query(database, "SELECT count(*), min(status) FROM scoring"), Rows{"1|partial"});
  }
}

TEST_F(ResumedRun, AnotherFileOfTheSameSizeAndTimeIsScored) {
  ClipTask task = make_task("a", {.frames = 8, .distortion = "blur"}, request({"psnr"}));
  ClipTask other = make_task("b", {.frames = 8, .distortion = "quantise:3"}, request({"psnr"}));
  const auto whole_second = std::filesystem::file_time_type(
      std::chrono::duration_cast<std::chrono::seconds>(std::filesystem::last_write_time(task.row.distorted).time_since_epoch()));
  const std::string moved = folder_.path("moved");
  std::filesystem::create_directory(moved);
  for (const std::string& path : {task.row.distorted, other.row.distorted}) std::filesystem::last_write_time(path, whole_second);
  const std::string database = folder_.path("a.db");
  run({task}, database);
  const Rows values = query(database, kAllValues);
  const std::string first = task.row.distorted;
  task.row.distorted = other.row.distorted;
  EXPECT_EQ(run({task}, database).kept, 0) << "another name";
  EXPECT_NE(query(database, kAllValues), values);
  task.row.distorted = moved + "/" + std::filesystem::path(first).filename().string();
  std::filesystem::copy_file(first, task.row.distorted);
  std::filesystem::last_write_time(task.row.distorted, whole_second);
  EXPECT_EQ(run({task}, database).kept, 0) << "another folder, and a time that many files have";
  EXPECT_EQ(query(database, kAllValues), values);
}

TEST_F(ResumedRun, ALibraryThatWasMovedIsKept) {
  ClipTask task = make_task("a", {.frames = 8, .distortion = "blur"}, request({"psnr"}));
  const auto time = std::filesystem::file_time_type(
      std::chrono::duration_cast<std::chrono::seconds>(std::filesystem::last_write_time(task.row.distorted).time_since_epoch()) +
      std::chrono::milliseconds(123));
  for (const std::string& path : {task.row.distorted, task.row.reference}) std::filesystem::last_write_time(path, time);
  const std::string database = folder_.path("a.db");
  run({task}, database);
  const std::string moved = folder_.path("moved");
  std::filesystem::create_directory(moved);
  for (std::string* path : {&task.row.distorted, &task.row.reference}) {
    const std::string to = moved + "/" + std::filesystem::path(*path).filename().string();
    std::filesystem::rename(*path, to);
    *path = to;
  }
  EXPECT_EQ(run({task}, database).kept, 1);
}

TEST_F(ResumedRun, RatesThatDoNotBelongTogetherAreTold) {
  const ClipTask task = make_task("a", {.frames = 8, .distortion = "blur"}, request({"psnr"}));
  std::string bytes = testing::file_bytes(task.row.distorted);
  const size_t rate = bytes.find(" F25:1");
  ASSERT_NE(rate, std::string::npos);
  bytes.replace(rate, 6, " F50:1");
  testing::write_file(task.row.distorted, bytes);
  const std::string database = folder_.path("a.db");
  run({task}, database);
  EXPECT_THAT(query(database, "SELECT text FROM warnings"), ::testing::ElementsAre(HasSubstr("25 and the distorted 50 pictures a second")));
  std::filesystem::remove(database);
  ClipTask timed = task;
  timed.sync = io::Sync::kTimestamp;
  run({timed}, database);
  EXPECT_THAT(query(database, "SELECT text FROM warnings"), ::testing::Not(::testing::Contains(HasSubstr("pictures a second"))));
}

}  // namespace
}  // namespace vmafbatch::graph
