// The comparison is no yes-man: every small change is found and named.
#include "store/diff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "store/diff_fixture.h"

namespace vmafbatch::store {
namespace {

void add_failed_clips(const std::string& path) {
  auto writer = Writer::open(path);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  ASSERT_OK((*writer)->add_failed_clip(some_record("a"), "cannot be opened"));
  ASSERT_OK((*writer)->close());
}

TEST_F(DiffTest, EqualDatabasesAreEqual) {
  EXPECT_EQ(outcome(), DiffOutcome::kEqual);
  EXPECT_EQ(text_, "equal: 3 clips, 63 values compared\n");
}

TEST_F(DiffTest, TheOrderOfScoringDoesNotMatter) {
  std::filesystem::remove(new_);
  auto writer = Writer::open(new_);
  ASSERT_OK(writer);
  ASSERT_OK((*writer)->begin_run(some_run()));
  for (const char* clip : {"c", "a", "b"}) add_clip(**writer, some_record(clip));
  ASSERT_OK((*writer)->close());
  EXPECT_EQ(outcome(), DiffOutcome::kEqual);
}

TEST_F(DiffTest, FindsOneUnitInTheLastPlace) {
  const double before = some_value(0, 4);
  const std::string after = format_double(std::nextafter(before, 1e9));
  report_after("UPDATE frame_score SET value = " + after + " WHERE frame = 4 AND scoring_feature = " + kColumnOfB);
  EXPECT_TRUE(says("b: feature psnr_y: 1 of 10 frames changed, largest difference")) << text_;
  EXPECT_TRUE(says("at frame 4 (" + format_double(before) + " -> " + after + ")")) << text_;
  EXPECT_TRUE(says("different: 3 clips, 63 values compared, 1 values changed, 1 differences")) << text_;
}

TEST_F(DiffTest, TellsZeroFromNegativeZero) {
  run_sql(old_, "UPDATE frame_score SET value = 0.0 WHERE frame = 2 AND scoring_feature = " + std::string(kColumnOfB));
  report_after("UPDATE frame_score SET value = -0.0 WHERE frame = 2 AND scoring_feature = " + std::string(kColumnOfB));
  EXPECT_TRUE(says("at frame 2 (0 -> -0)")) << text_;
}

TEST_F(DiffTest, NamesTheLargestDifference) {
  report_after("UPDATE frame_score SET value = value + 0.5 * frame WHERE frame IN (3, 8, 5) AND scoring_feature = " +
               std::string(kColumnOfB));
  EXPECT_TRUE(says("3 of 10 frames changed")) << text_;
  EXPECT_TRUE(says("at frame 8")) << text_;
}

TEST_F(DiffTest, FindsADeletedRow) {
  report_after("DELETE FROM frame_score WHERE frame = 9 AND scoring_feature = " + std::string(kColumnOfB));
  EXPECT_TRUE(says("b: feature psnr_y: 1 frames only in old, first 9")) << text_;
}

TEST_F(DiffTest, FindsAnAddedRow) {
  report_after("INSERT INTO frame_score SELECT " + std::string(kColumnOfB) + ", 10, 1.0");
  EXPECT_TRUE(says("b: feature psnr_y: 1 frames only in new, first 10")) << text_;
}

TEST_F(DiffTest, FindsARenamedBackend) {
  report_after("UPDATE feature_backend SET backend = 'hip', implementation = 'psnr_hip', device = 'gfx90a' WHERE scoring = 3");
  EXPECT_TRUE(says("c: backend of psnr=enable_apsnr=true, old: psnr on cpu; new: psnr_hip on hip (gfx90a)")) << text_;
}

TEST_F(DiffTest, FindsClipsFeaturesAndClipValues) {
  report_after(
      "UPDATE aggregate_score SET value = 34.0 WHERE scoring_feature = (SELECT id FROM scoring_feature WHERE scoring = 1 AND scope = "
      "'aggregate')");
  EXPECT_TRUE(says("a: clip value apsnr_y: 33.25 -> 34")) << text_;
  report_after("UPDATE feature SET name = 'psnr_z' WHERE name = 'psnr_y'");
  EXPECT_TRUE(says("a: feature psnr_y: only in old")) << text_;
  EXPECT_TRUE(says("a: feature psnr_z: only in new")) << text_;
  report_after("UPDATE clip SET name = 'bb' WHERE name = 'b'");
  EXPECT_TRUE(says("b: only in old")) << text_;
  EXPECT_TRUE(says("bb: only in new")) << text_;
}

TEST_F(DiffTest, FindsStatusFailuresCountsAndPooledValues) {
  report_after("UPDATE scoring SET status = 'partial', identical_frames = 2 WHERE id = 1");
  EXPECT_TRUE(says("a: status, old: done; new: partial")) << text_;
  EXPECT_TRUE(says("a: frame count, old: 10 frames, 0 identical; new: 10 frames, 2 identical")) << text_;
  report_after("INSERT INTO failure (scoring, extractor, frame, reason) VALUES (2, 1, 7, 'no memory')");
  EXPECT_TRUE(says("b: failures of motion, old: nothing; new: frame 7: no memory")) << text_;
  report_after("UPDATE pooled_score SET p99 = 1.5 WHERE scoring_feature = " + std::string(kColumnOfB));
  EXPECT_TRUE(says("b: feature psnr_y: pooled values changed, no frame did")) << text_;
}

TEST_F(DiffTest, NamesWhatElseDiffers) {
  run_sql(new_, "UPDATE scoring SET c_library = 'glibc 2.41', distorted_size = 7 WHERE id = 2");
  EXPECT_EQ(outcome(), DiffOutcome::kEqual) << "another library alone is no difference";
  report_after("UPDATE frame_score SET value = 1.0 WHERE frame = 0 AND scoring_feature = " + std::string(kColumnOfB));
  EXPECT_TRUE(
      says("b: also differs: distorted file, old: 500 bytes; new: 7 bytes\nb: also differs: C library, old: glibc 2.36; new: glibc 2.41\n"))
      << text_;
}

TEST_F(DiffTest, TheOrderOfFeaturesIsNoCause) {
  run_sql(old_, "UPDATE scoring SET options = 'features=psnr;motion scale=bicubic'");
  run_sql(new_, "UPDATE scoring SET options = 'features=motion;psnr scale=bicubic'");
  report_after("UPDATE frame_score SET value = 1.0 WHERE frame = 0 AND scoring_feature = " + std::string(kColumnOfB));
  EXPECT_FALSE(says("options")) << text_;
  run_sql(new_, "UPDATE scoring SET options = 'features=motion;psnr scale=none'");
  outcome();
  EXPECT_TRUE(says("also differs: options, old: features=motion;psnr scale=bicubic; new: features=motion;psnr scale=none")) << text_;
}

TEST_F(DiffTest, BackendRangesThatSayTheSameAreEqual) {
  run_sql(new_,
          "UPDATE feature_backend SET last_frame = 4; INSERT INTO feature_backend SELECT scoring, extractor, 5, 9, implementation, "
          "backend, device, 'resumed' FROM feature_backend");
  EXPECT_EQ(outcome(), DiffOutcome::kEqual) << text_;
}

TEST_F(DiffTest, NothingToCompareIsNotEqual) {
  std::filesystem::remove(old_);
  std::filesystem::remove(new_);
  for (const std::string& path : {old_, new_}) {
    auto writer = Writer::open(path);
    ASSERT_OK(writer);
    ASSERT_OK((*writer)->close());
  }
  EXPECT_EQ(outcome(), DiffOutcome::kNothingCompared);
  add_failed_clips(new_);
  add_failed_clips(old_);
  EXPECT_EQ(outcome(), DiffOutcome::kNothingCompared) << "clips without a value";
}

TEST_F(DiffTest, JsonIsValid) {
  run_sql(new_, "UPDATE frame_score SET value = 9e999 WHERE frame = 0 AND scoring_feature = " + std::string(kColumnOfB));
  run_sql(new_, "UPDATE clip SET name = x'E9' WHERE name = 'c'");
  std::ostringstream out;
  ASSERT_OK(print_diff(old_, new_, DiffFormat::kJson, out));
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["summary"]["result"], "different");
  ASSERT_EQ(json["clips"].size(), 3U);
  EXPECT_EQ(json["clips"][0]["differences"][0]["new"], "inf");
  EXPECT_EQ(json["clips"][1]["only_in"], "old");
  EXPECT_EQ(json["clips"][2]["clip"], "\\xE9");
  std::ostringstream equal;
  ASSERT_OK(print_diff(old_, old_, DiffFormat::kJson, equal));
  EXPECT_EQ(nlohmann::json::parse(equal.str())["clips"].size(), 0U);
}

}  // namespace
}  // namespace vmafbatch::store
