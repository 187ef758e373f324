// Whole runs in this process: files in, database out.
#include "graph/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "extractors/registry.h"
#include "run_fixture.h"
#include "support/media_files.h"
#include "support/run_extractor.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SyntheticClip;

// An extractor that fails on purpose: throws at frame 3 where asked, gives NaN at frame 2 where asked.
constexpr std::array kBrokenOptions = {
    extractors::OptionSpec{.name = "throws", .default_value = false, .help = "throw at frame 3"},
    extractors::OptionSpec{.name = "nan", .default_value = false, .help = "NaN at frame 2"},
};
constexpr std::array kBrokenFeatures = {
    extractors::FeatureSpec{.internal_name = "broken", .reported_name = "broken"},
};

class Broken final : public extractors::Extractor {
 public:
  Broken(const extractors::Options& options, const extractors::ClipInfo&) : throws_(options.flag("throws")), nan_(options.flag("nan")) {}
  extractors::Needs needs() const override { return {}; }
  std::vector<size_t> outputs() const override { return {0}; }
  void measure(const io::FrameWindow& window, extractors::Measurements& out) const override {
    if (throws_ && window.index() == 3) throw std::runtime_error("planted failure");
    out.resize(1);
    out.set_real(0, nan_ && window.index() == 2 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(window.index()));
  }
  void conclude(const extractors::Measurements& measured, extractors::FrameFeatures& out) const override { out.set(0, measured.real(0)); }

 private:
  bool throws_;
  bool nan_;
};

const extractors::ExtractorInfo kBroken = {.name = "broken",
                                           .summary = "fails on purpose",
                                           .range = "",
                                           .source = "",
                                           .options = kBrokenOptions,
                                           .features = kBrokenFeatures,
                                           .create = extractors::make_extractor<Broken>};

std::shared_ptr<const ScoringRequest> request(const std::vector<std::string>& features) {
  std::vector<extractors::FeatureRequest> list;
  for (const std::string& text : features) {
    if (text.starts_with("broken")) {
      extractors::FeatureRequest broken{&kBroken, extractors::Options(kBrokenOptions)};
      EXPECT_TRUE(broken.options.set(text.substr(text.find('=') + 1), "true").ok());
      list.push_back(broken);
    } else {
      list.push_back(extractors::parse_feature(text).value());
    }
  }
  return std::make_shared<const ScoringRequest>(make_request(list, {}).value());
}

class Run : public RunFixture {
 protected:
  ClipTask task(const std::string& name, const SyntheticClip& clip, const std::vector<std::string>& features) {
    return make_task(name, clip, request(features));
  }
};

TEST_F(Run, StoresTheValuesOfTheExtractors) {
  const SyntheticClip clip{.frames = 4, .distortion = "grain:3000"};
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score({task("clip", clip, {"psnr=enable_mse=true:enable_apsnr=true", "motion", "float_moment"})}, database);
  ASSERT_EQ(summary.clips.size(), 1u);
  EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kDone);
  Rows want;
  for (const char* feature : {"float_moment", "motion", "psnr=enable_mse=true:enable_apsnr=true"}) {
    const Result<testing::ExtractorRun> run = testing::run_extractor(feature, testing::make_pairs(clip));
    ASSERT_TRUE(run.ok());
    for (const auto& [where, value] : run->values) {
      want.push_back("clip|" + where.second + "|" + std::to_string(where.first) + "|" + testing::bits_text(value));
    }
  }
  std::ranges::sort(want);
  EXPECT_EQ(query(database, kAllValues), want);
  EXPECT_EQ(query(database, "SELECT feature FROM clip_aggregates ORDER BY 1"), (Rows{"apsnr_cb", "apsnr_cr", "apsnr_y"}));
}

TEST_F(Run, DoesNotDependOnThreadsMemoryOrOrder) {
  std::vector<ClipTask> tasks;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const SyntheticClip clip{.frames = 7, .seed = seed, .distortion = seed % 2 == 0 ? "blur" : "quantise:2000"};
    tasks.push_back(task("clip" + std::to_string(seed), clip, {"psnr", "motion=motion_five_frame_window=true", "float_motion"}));
  }
  const std::string first = folder_.path("first.db");
  score(tasks, first, {.threads = 1});
  const Rows want = query(first, kAllValues);
  ASSERT_FALSE(want.empty());
  std::ranges::reverse(tasks);
  for (const int threads : {2, 8}) {
    for (const size_t memory : {size_t{1}, size_t{100'000}, size_t{1} << 30}) {
      const std::string other = folder_.path(std::to_string(threads) + "_" + std::to_string(memory) + ".db");
      score(tasks, other, {.threads = threads, .memory_bytes = memory});
      EXPECT_EQ(query(other, kAllValues), want) << threads << " threads, " << memory << " bytes";
    }
  }
}

TEST_F(Run, ALadderDecodesItsReferenceOnce) {
  std::vector<ClipTask> ladder;
  for (int i = 0; i < 6; ++i) {
    const SyntheticClip clip{.frames = 5, .distortion = "quantise:" + std::to_string(500 * (i + 1))};
    ladder.push_back(task("rung" + std::to_string(i), clip, {"psnr", "motion"}));
  }
  const std::string together = folder_.path("together.db");
  EXPECT_EQ(score(ladder, together).reference_frames_decoded, 5);
  const std::string apart = folder_.path("apart.db");
  for (const ClipTask& rung : ladder) EXPECT_EQ(score({rung}, apart).reference_frames_decoded, 5);
  EXPECT_EQ(query(together, kAllValues), query(apart, kAllValues));
}

TEST_F(Run, ABadClipDoesNotTouchItsLadderOrOthers) {
  const SyntheticClip clip{.frames = 4, .distortion = "blur"};
  std::vector<ClipTask> tasks = {task("good", clip, {"psnr"}), task("missing", clip, {"psnr"})};
  std::filesystem::remove(tasks[1].row.distorted);
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score(tasks, database);
  EXPECT_EQ(query(database, "SELECT DISTINCT clip FROM frame_features"), Rows{"good"});
  const Rows failures = query(database, "SELECT clip, reason FROM failures");
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("missing"));
  EXPECT_EQ(summary.clips.size(), 2u);
}

TEST_F(Run, AnExtractorThatThrowsEndsThereAndTheOthersGoOn) {
  const SyntheticClip clip{.frames = 6, .distortion = "blur"};
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score({task("clip", clip, {"broken=throws", "psnr=enable_chroma=false"})}, database, {.threads = 4});
  EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kPartial);
  EXPECT_THAT(query(database, "SELECT frame FROM frame_features WHERE feature = 'broken_throws' ORDER BY 1"), ElementsAre("0", "1", "2"));
  EXPECT_EQ(query(database, "SELECT frame FROM frame_features WHERE feature = 'psnr_y'").size(), 6u);
  EXPECT_THAT(query(database, "SELECT extractor, frame, reason FROM failures"), ElementsAre("broken|3|planted failure"));
}

TEST_F(Run, WhenTheLastExtractorFailsNothingBehindItCounts) {
  const SyntheticClip clip{.frames = 40};
  for (const int threads : {1, 8}) {
    const std::string database = folder_.path("threads" + std::to_string(threads));
    const RunSummary summary = score({task("clip", clip, {"broken=throws"})}, database, {.threads = threads});
    EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kPartial);
    EXPECT_EQ(query(database, "SELECT frames, identical_frames FROM scoring"), Rows{"4|4"});
  }
}

TEST_F(Run, ADamagedClipKeepsOnlyValuesThatAreFinal) {
  const SyntheticClip clip{.frames = 6, .distortion = "blur"};
  const ClipTask whole = task("clip", clip, {"psnr=enable_apsnr=true", "motion"});
  const std::string full = folder_.path("full.db");
  score({whole}, full);
  std::filesystem::resize_file(whole.row.distorted, std::filesystem::file_size(whole.row.distorted) - 2000);  // in the last frame
  const std::string cut = folder_.path("cut.db");
  const RunSummary summary = score({whole}, cut);
  EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kPartial);
  const auto frames = [&](const std::string& feature) {
    return query(cut, "SELECT frame FROM frame_features WHERE feature = '" + feature + "' ORDER BY 1");
  };
  EXPECT_THAT(frames("psnr_y"), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_THAT(frames("integer_motion2"), ElementsAre("0", "1", "2", "3")) << "frame 4 would need frame 5";
  EXPECT_TRUE(query(cut, "SELECT * FROM clip_aggregates").empty());
  const Rows kept = query(cut, kAllValues);
  const Rows all = query(full, kAllValues);
  for (const std::string& row : kept) EXPECT_THAT(all, ::testing::Contains(row));
  EXPECT_EQ(query(cut, "SELECT count(*) FROM failures"), Rows{"1"});
}

TEST_F(Run, FailedClipsAreKeptUnlessTheyAreToBeTriedAgain) {
  const std::vector<ClipTask> tasks = {task("clip", {.frames = 5}, {"broken=throws"})};
  const std::string database = folder_.path("a.db");
  score(tasks, database);
  const RunSummary kept = score(tasks, database);
  EXPECT_EQ(kept.kept, 1);
  EXPECT_EQ(kept.kept_failed, 1);
  EXPECT_TRUE(kept.clips.empty());
  EXPECT_EQ(score(tasks, database, {.retry_failed = true}).clips.size(), 1u);
}

TEST_F(Run, AKeptClipHasTheTagsOfTheLastRun) {
  std::vector<ClipTask> tasks = {task("clip", {.frames = 2}, {"psnr"})};
  const std::string database = folder_.path("a.db");
  tasks[0].row.tags = {{"codec", "h264"}, {"title", "x"}};
  score(tasks, database);
  tasks[0].row.tags = {{"codec", "av1"}};
  EXPECT_EQ(score(tasks, database).kept, 1);
  EXPECT_EQ(query(database, "SELECT name, value FROM tags"), Rows{"codec|av1"});
}

TEST_F(Run, ARefusedExtractorIsNamedByItsFailure) {
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score({task("tiny", {.width = 2, .height = 2, .frames = 2}, {"psnr", "motion"})}, database);
  EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kPartial);
  EXPECT_EQ(query(database, "SELECT extractor FROM failures"), Rows{"motion"});
}

TEST_F(Run, NaNIsAFailureThatNamesTheKey) {
  const SyntheticClip clip{.frames = 6, .distortion = "blur"};
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score({task("clip", clip, {"broken=nan"})}, database);
  EXPECT_EQ(summary.clips[0].status, store::ScoringStatus::kPartial);
  EXPECT_THAT(query(database, "SELECT frame FROM frame_features"), ElementsAre("0", "1"));
  EXPECT_THAT(query(database, "SELECT extractor, frame, reason FROM failures"), ElementsAre("broken|2|broken_nan is not a number (NaN)"));
}

TEST_F(Run, SubsampleReportsEveryNthFrameWithTheValuesOfAFullRun) {
  const SyntheticClip clip{.frames = 7, .distortion = "blur"};
  ClipTask one = task("clip", clip, {"motion", "psnr"});
  const std::string full = folder_.path("full.db");
  score({one}, full);
  one.subsample = 3;
  const std::string third = folder_.path("third.db");
  score({one}, third);
  EXPECT_EQ(query(third, kAllValues),
            query(full, "SELECT clip, feature, frame, value FROM frame_features WHERE frame % 3 = 0 ORDER BY 1, 2, 3"));
}

TEST_F(Run, CountsIdenticalPairs) {
  const std::string database = folder_.path("a.db");
  score({task("same", {.frames = 3}, {"psnr"})}, database);
  EXPECT_EQ(query(database, "SELECT identical_frames FROM scoring"), Rows{"3"});
}

// Y4M files of 64x48: the pictures of a clip from `first` on.
void keep_from(const std::string& source, int first, const std::string& path) {
  const std::string bytes = testing::file_bytes(source);
  const size_t header = bytes.find("FRAME");
  const size_t frame = 6 + 64 * 48 * 3 / 2;
  testing::write_file(path, bytes.substr(0, header) + bytes.substr(header + static_cast<size_t>(first) * frame));
}

TEST_F(Run, WarnsOfADistortedSideOutOfStepAndItsCureHelps) {
  ClipTask late = task("late", {.frames = 40}, {"psnr"});
  ClipTask early = late;
  early.row.name = "early";
  early.row.reference = folder_.path("shorter.y4m");  // without its first two pictures
  keep_from(late.row.reference, 2, early.row.reference);
  late.row.distorted = early.row.reference;
  const std::string database = folder_.path("a.db");
  const RunSummary summary = score({late, early}, database);
  EXPECT_THAT(
      query(database, "SELECT text FROM warnings WHERE text LIKE 'the distorted %' ORDER BY clip"),
      ElementsAre("the distorted starts 2 frames early (its picture n is the reference's n - 2): skip_distorted 2 brings them in step",
                  "the distorted starts 2 frames late (its picture n is the reference's n + 2): skip_reference 2 brings them in step"));
  EXPECT_EQ(summary.clips[0].warnings.size(), 2u) << "with the one of the lengths";
  late.row.skip_reference = 2;
  early.row.skip_distorted = 2;
  const std::string cured = folder_.path("cured.db");
  score({late, early}, cured);
  EXPECT_EQ(query(cured, "SELECT frames, identical_frames FROM scoring"), (Rows{"38|38", "38|38"}));
  EXPECT_TRUE(query(cured, "SELECT text FROM warnings").empty());
}

TEST_F(Run, AutoAlignScoresALadderEachInStep) {
  const ClipTask whole = task("whole", {.frames = 50}, {"psnr"});
  std::vector<ClipTask> ladder;
  for (const int late : {0, 3, 1, 3}) {  // of each rung
    ClipTask rung = whole;
    rung.row.name = "rung" + std::to_string(ladder.size());
    rung.row.distorted = folder_.path(rung.row.name + ".y4m");
    keep_from(whole.row.reference, late, rung.row.distorted);
    ladder.push_back(rung);
  }
  const std::string database = folder_.path("a.db");
  score(ladder, database, {.threads = 2, .auto_align = true});
  EXPECT_THAT(
      query(database, "SELECT frames, identical_frames, pictures FROM scoring JOIN clip ON clip.id = scoring.clip ORDER BY name"),
      ElementsAre("50|50|", "47|47|aligned by skip_reference 3", "49|49|aligned by skip_reference 1", "47|47|aligned by skip_reference 3"));
  EXPECT_THAT(
      query(database, "SELECT text FROM warnings WHERE clip = 'rung2'"),
      ElementsAre(
          "the distorted starts 1 frame late (its picture n is the reference's n + 1): --auto-align scores it with skip_reference 1"));
  EXPECT_EQ(score(ladder, database, {.auto_align = true}).kept, 4);
}

TEST_F(Run, AlignSearchLooksFartherAndSaysWhenItFindsNothing) {
  ClipTask late = task("late", {.frames = 160}, {"psnr"});
  ClipTask flat = task("flat", {.scene = "flat", .frames = 20}, {"psnr"});
  late.row.distorted = folder_.path("late.y4m");
  keep_from(late.row.reference, 50, late.row.distorted);
  const std::string near = folder_.path("near.db");
  score({late}, near, {.auto_align = true});
  EXPECT_EQ(query(near, "SELECT pictures FROM scoring"), Rows{""}) << "50 frames are out of its reach";
  const std::string far = folder_.path("far.db");
  score({late, flat}, far, {.auto_align = true, .align_search_s = 3});
  EXPECT_EQ(query(far, "SELECT frames, identical_frames, pictures FROM scoring WHERE pictures <> ''"),
            Rows{"110|110|aligned by skip_reference 50"});
  EXPECT_EQ(query(far, "SELECT text FROM warnings WHERE clip = 'flat'"),
            Rows{"--align-search 3 found no offset within 3 s that explains the clip clearly; it is scored as it is"});
}

TEST_F(Run, AStrictLengthMakesTheScoringPartial) {
  ClipTask one = task("one", {.frames = 5}, {"psnr"});
  one.row.distorted = folder_.path("short.y4m");
  keep_from(one.row.reference, 2, one.row.distorted);
  const std::string database = folder_.path("a.db");
  EXPECT_EQ(score({one}, database, {.strict_length = true}).clips[0].status, store::ScoringStatus::kPartial);
  const Rows reasons = query(database, "SELECT reason FROM failures");
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_THAT(reasons[0], HasSubstr("ends after 3 frames"));
}

TEST_F(Run, AStoppedRunGoesOnWhenItIsStartedAgain) {
  const SyntheticClip clip{.frames = 4, .distortion = "blur"};
  const std::vector<ClipTask> tasks = {task("a", clip, {"psnr"}), task("b", clip, {"motion"})};
  const std::string database = folder_.path("a.db");
  const RunSummary stopped = score(tasks, database, {}, true);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.unfinished, 2);
  EXPECT_TRUE(query(database, kAllValues).empty());
  score(tasks, database);
  const Rows rows = query(database, kAllValues);
  EXPECT_FALSE(rows.empty());
  const RunSummary again = score(tasks, database);
  EXPECT_EQ(again.kept, 2);
  EXPECT_EQ(query(database, kAllValues), rows);
}

TEST_F(Run, AFullDatabaseStopsTheRunAndKeepsWhatIsThere) {
  std::vector<ClipTask> tasks;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    tasks.push_back(task("clip" + std::to_string(seed), {.width = 16, .height = 16, .frames = 60, .seed = seed, .distortion = "blur"},
                         {"psnr", "float_moment"}));
  }
  const std::string database = folder_.path("a.db");
  auto writer = store::Writer::open(database, {.max_pages = 60});
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  ProgressCounters progress;
  const std::atomic<bool> stop{false};
  // Many threads and no memory to spare: steps that stay open after the error would stand in each other's way.
  const Result<RunSummary> summary = run_tasks(tasks, {.threads = 8, .memory_bytes = 1}, **writer, stop, progress);
  ASSERT_TRUE(summary.ok()) << summary.error().message;
  ASSERT_TRUE(summary->error.has_value());
  EXPECT_THAT(summary->error->message, HasSubstr("full"));
  writer->reset();
  EXPECT_EQ(query(database, "PRAGMA integrity_check"), Rows{"ok"});
}

TEST_F(Run, AnotherSetOfOptionsNeedsALabel) {
  const SyntheticClip clip{.frames = 2, .distortion = "blur"};
  ClipTask one = task("clip", clip, {"psnr"});
  const std::string database = folder_.path("a.db");
  score({one}, database);
  one.request = request({"motion"});
  auto writer = store::Writer::open(database);
  ASSERT_TRUE(writer.ok());
  ProgressCounters progress;
  const std::atomic<bool> stop{false};
  const Result<RunSummary> refused = run_tasks({one}, {}, **writer, stop, progress);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("--label"));
  one.label = "second";
  EXPECT_TRUE(run_tasks({one}, {}, **writer, stop, progress).ok());
}

}  // namespace
}  // namespace vmafbatch::graph
