#include "report/feature_facts.h"

#include <gtest/gtest.h>

#include "extractors/registry.h"
#include "report/warning_kind.h"

namespace vmafbatch::report {
namespace {

TEST(FeatureFacts, AreKnownForEveryFeatureOfThisProgram) {
  for (const extractors::ExtractorInfo* info : extractors::all_extractors()) {
    for (const extractors::FeatureSpec& feature : info->features) {
      EXPECT_FALSE(feature_facts(feature.reported_name, info->name).help.empty()) << feature.reported_name;
      EXPECT_FALSE(feature_facts(feature.reported_name, info->name).of_model) << feature.reported_name;
    }
  }
}

TEST(FeatureFacts, DecibelsAreSaidWhereTheExtractorSaysThem) {
  EXPECT_EQ(feature_facts("psnr_y", "psnr").unit, "dB");
  EXPECT_EQ(feature_facts("float_psnr", "float_psnr").unit, "dB");
  EXPECT_EQ(feature_facts("apsnr_cb", "psnr").unit, "dB");
  EXPECT_EQ(feature_facts("psnr_hvs", "psnr_hvs").unit, "dB");
  EXPECT_EQ(feature_facts("mse_y", "psnr").unit, "");
  EXPECT_EQ(feature_facts("float_ssim", "float_ssim").unit, "");
}

TEST(FeatureFacts, MotionOfEveryArithmeticIsNoQuality) {
  for (const char* name :
       {"VMAF_integer_feature_motion_sad_score", "VMAF_integer_feature_motion2_v2_score", "integer_motion3", "motion2"}) {
    EXPECT_EQ(feature_facts(name, "motion").direction, Direction::kNeither) << name;
  }
}

TEST(FeatureFacts, AModelMayHaveAnyName) {
  for (const auto& [name, source] : {std::pair{"vmaf", "vmaf"}, {"mine", "mine"}, {"mine_bagging", "mine"}, {"vmaf_neg", "imported"}}) {
    const FeatureFacts facts = feature_facts(name, source);
    EXPECT_TRUE(facts.of_model) << name;
    EXPECT_EQ(facts.high, 100.0) << name;
  }
  EXPECT_FALSE(feature_facts("mine", "imported").of_model);
  EXPECT_EQ(feature_facts("mine_stddev", "mine").direction, Direction::kNeither);
}

TEST(WarningKind, IsToldFromTheSentence) {
  EXPECT_EQ(
      warning_kind("the distorted starts 2 frames late (its picture n is the reference's n + 2): skip_reference 2 brings them in step"),
      WarningKind::kAlignment);
  EXPECT_EQ(warning_kind("the distorted does not stay in step with the reference: in step, from frame 7 on 1 frame behind"),
            WarningKind::kAlignment);
  EXPECT_EQ(warning_kind("the distorted stands still while the reference moves: frames 3 to 9"), WarningKind::kAlignment);
  EXPECT_EQ(warning_kind("--auto-align found no offset within 2 s that explains the clip clearly; it is scored as it is"),
            WarningKind::kAlignment);
  EXPECT_EQ(warning_kind("sync timestamp paired distorted pictures again 3 times and left out 0 that no reference picture's time met"),
            WarningKind::kAlignment);
  EXPECT_EQ(warning_kind("the two sides differ in colour range: reference tv, distorted pc; the samples are compared as they are"),
            WarningKind::kColour);
  EXPECT_EQ(warning_kind("only the reference side is tagged PQ; the samples of the two sides mean different light"), WarningKind::kColour);
  EXPECT_EQ(warning_kind("r.y4m ends after 9 frames, d.mp4 goes on; the common 9 frames are scored"), WarningKind::kLengths);
  EXPECT_EQ(warning_kind("psnr_y: 3 values are null in the log and stored as inf"), WarningKind::kOther);
}

}  // namespace
}  // namespace vmafbatch::report
