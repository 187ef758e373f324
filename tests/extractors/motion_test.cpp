// motion and motion_v2 against values of libvmaf 3.2.0 (motion_v2: of its fork) on clips from formulas.
#include <gtest/gtest.h>

#include "support/expect_values.h"
#include "support/formula_clip.h"

namespace vmafbatch::testing {
namespace {

using io::Chroma;
using Keys = std::set<std::string>;
using Series = std::vector<double>;

const std::string kSad = "VMAF_integer_feature_motion_sad_score";

Pairs translate(int frames) { return formula_pairs(Formula::kTranslate, {64, 48, Chroma::k420, 8}, frames); }
Pairs noise(int width, int height, int depth, int frames) {
  return formula_pairs(Formula::kHash, {width, height, Chroma::k444, depth}, frames);
}

const Series kTranslateSad = {0,
                              13.052241007486979,
                              80.935024261474609,
                              48.302019755045571,
                              89.526069641113281,
                              12.839055379231771,
                              25.084973653157551,
                              91.89166259765625,
                              74.350346883138016};
const Series kTranslateMotion2 = {0,
                                  13.052241007486979,
                                  48.302019755045571,
                                  48.302019755045571,
                                  12.839055379231771,
                                  12.839055379231771,
                                  25.084973653157551,
                                  74.350346883138016,
                                  74.350346883138016};

Series with_start(Series series, double start) {
  series[0] = start;
  return series;
}

TEST(Motion, ComparesNeighbouringFrames) {
  const ExtractorRun run = run_or_fail("motion", translate(9));
  EXPECT_EQ(keys_of(run), (Keys{kSad, "integer_motion2", "integer_motion3"}));
  expect_series(run, kSad, kTranslateSad);
  expect_series(run, "integer_motion2", kTranslateMotion2);
  expect_series(run, "integer_motion3", with_start(kTranslateMotion2, 13.052241007486979));
}

TEST(Motion, FiveFrameWindowComparesWithTheFrameTwoBack) {
  const Series sad = {0,
                      0,
                      86.145792643229171,
                      48.596692403157554,
                      66.832313537597656,
                      92.047420501708984,
                      36.707202911376953,
                      93.403919219970703,
                      73.684230804443359};
  Series motion2 = {0,
                    0,
                    48.596692403157554,
                    66.832313537597656,
                    48.596692403157554,
                    36.707202911376953,
                    92.047420501708984,
                    36.707202911376953,
                    73.684230804443359};
  const ExtractorRun run = run_or_fail("motion=motion_five_frame_window=true", translate(9));
  expect_series(run, kSad + "_mffw", sad);
  expect_series(run, "integer_motion2_mffw", motion2);
  motion2[0] = motion2[1] = 86.145792643229171;
  expect_series(run, "integer_motion3_mffw", motion2);
}

TEST(Motion, MovingAverageIsOverUnaveragedValues) {
  const ExtractorRun run = run_or_fail(
      "motion=motion_five_frame_window=true:motion_moving_average=true:motion_blend_factor=0.5:motion_blend_offset=20", translate(9));
  expect_series(run, "integer_motion3_mbf_0.5_mbo_20_mffw_mma",
                {53.072896321614586, 53.072896321614586, 43.68562126159668, 38.857251485188804, 38.857251485188804, 31.325973828633629,
                 42.188655853271484, 42.188655853271484, 37.597858428955078});
}

TEST(Motion, TakesTheDifferenceBeforeTheBlurAndEarlierMinusCurrent) {
  const ExtractorRun run = run_or_fail("motion", noise(64, 48, 8, 3));
  expect_series(run, kSad, {0, 25.038575490315754, 23.791431427001953});
  expect_series(run, "integer_motion2", {0, 23.791431427001953, 23.791431427001953});
}

TEST(Motion, IsOnTheEightBitScaleAtEveryDepth) {
  expect_series(run_or_fail("motion", noise(64, 48, 10, 3)), kSad, {0, 25.031506856282551, 23.801591237386067});
  const ExtractorRun deep = run_or_fail("motion", noise(33, 31, 16, 3));
  expect_series(deep, kSad, {0, 23.31028913123167, 25.406028531280548});
  expect_series(deep, "integer_motion2", {0, 23.31028913123167, 25.406028531280548});
  const Pairs flash = formula_pairs(Formula::kFlash, {16, 16, Chroma::k420, 16}, 4);
  expect_series(run_or_fail("motion", flash), kSad, {0, 255.99609375, 255.99609375, 255.99609375});
}

TEST(Motion, ScoresThreeByThreeAndRefusesLess) {
  expect_series(run_or_fail("motion", noise(3, 3, 8, 3)), kSad, {0, 63.687934027777779, 90.763020833333329});
  for (const char* extractor : {"motion", "motion_v2"}) {
    for (const auto& [width, height] : {std::pair{2, 3}, std::pair{3, 2}}) {
      const auto run = run_extractor(extractor, noise(width, height, 8, 1));
      ASSERT_FALSE(run.ok());
      EXPECT_EQ(run.error().message, std::string(extractor) + " cannot score " + std::to_string(width) + "x" + std::to_string(height) +
                                         " 4:4:4 8-bit: needs at least 3x3");
    }
  }
}

TEST(Motion, WeightsThenCaps) {
  const ExtractorRun run = run_or_fail("motion=motion_fps_weight=0.6:motion_max_val=30:debug=true", translate(5));
  const Series sad = {0, 7.8313446044921866, 30, 28.981211853027339, 30};
  const Series motion2 = {0, 7.8313446044921866, 28.981211853027339, 28.981211853027339, 30};
  expect_series(run, kSad + "_mfw_0.6_mmxv_30", sad);
  expect_series(run, "integer_motion_mfw_0.6_mmxv_30", sad);
  expect_series(run, "integer_motion2_mfw_0.6_mmxv_30", motion2);
  expect_series(run, "integer_motion3_mfw_0.6_mmxv_30", with_start(motion2, 7.8313446044921866));
}

TEST(Motion, OfClipsOfOneToThreeFrames) {
  for (const char* key : {"VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3"}) {
    expect_series(run_or_fail("motion", translate(1)), key, {0});
    expect_series(run_or_fail("motion=motion_five_frame_window=true", translate(2)), std::string(key) + "_mffw", {0, 0});
  }
  const ExtractorRun two = run_or_fail("motion", translate(2));
  expect_series(two, "integer_motion2", {0, 13.052241007486979});
  expect_series(two, "integer_motion3", {13.052241007486979, 13.052241007486979});
  const ExtractorRun three = run_or_fail("motion=motion_five_frame_window=true", translate(3));
  expect_series(three, "integer_motion2_mffw", {0, 0, 86.145792643229171});
  expect_series(three, "integer_motion3_mffw", {86.145792643229171, 86.145792643229171, 86.145792643229171});
}

TEST(Motion, SubsamplingChangesNoValue) {
  const ExtractorRun run = run_or_fail("motion", translate(9), 4);
  for (const size_t n : {0u, 4u, 8u}) {
    expect_value(run, static_cast<std::int64_t>(n), kSad, kTranslateSad[n]);
    expect_value(run, static_cast<std::int64_t>(n), "integer_motion2", kTranslateMotion2[n]);
  }
  EXPECT_EQ(run.values.size(), 9u);
}

TEST(Motion, ForcedToZeroMeasuresNothing) {
  const ExtractorRun run = run_or_fail("motion=motion_force_zero=true:debug=true", translate(3));
  const Keys keys = {kSad + "_force_0", "integer_motion_force_0", "integer_motion2_force_0", "integer_motion3_force_0"};
  EXPECT_EQ(keys_of(run), keys);
  for (const std::string& key : keys) expect_series(run, key, {0, 0, 0});
  for (const char* feature : {"motion=motion_force_zero=true", "motion_v2=motion_force_zero=true", "float_motion=motion_force_zero=true"}) {
    const auto request = extractors::parse_feature(feature);
    ASSERT_TRUE(request.ok());
    const auto forced = request->extractor->create(request->options, {{64, 48, Chroma::k420, 8}, "clip"});
    ASSERT_TRUE(forced.ok());
    EXPECT_FALSE((*forced)->needs().reference);
    EXPECT_EQ((*forced)->needs().history, 0);
  }
}

TEST(Motion, LooksAtTheReferenceOnly) {
  const ExtractorRun run = run_or_fail("motion", formula_pairs(Formula::kLevel, {16, 16, Chroma::k420, 8}, 3));
  for (const char* key : {"VMAF_integer_feature_motion_sad_score", "integer_motion2", "integer_motion3"}) {
    expect_series(run, key, {0, 0, 0});
  }
}

TEST(MotionV2, HasTheNumbersOfMotion) {
  const std::string sad = "VMAF_integer_feature_motion_v2_sad_score";
  const std::string motion2 = "VMAF_integer_feature_motion2_v2_score";
  const std::string motion3 = "VMAF_integer_feature_motion3_v2_score";
  const ExtractorRun run = run_or_fail("motion_v2", translate(9));
  EXPECT_EQ(keys_of(run), (Keys{sad, motion2, motion3}));
  expect_series(run, sad, kTranslateSad);
  expect_series(run, motion2, kTranslateMotion2);
  expect_series(run, motion3, with_start(kTranslateMotion2, 13.052241007486979));
  for (const std::string& key : {sad, motion2, motion3}) {
    expect_series(run_or_fail("motion_v2", translate(1)), key, {0});
    expect_series(run_or_fail("motion_v2=motion_force_zero=true", translate(2)), key + "_force_0", {0, 0});
  }
}

TEST(MotionV2, TakesTheOptionsOfMotionButDebug) {
  const ExtractorRun averaged =
      run_or_fail("motion_v2=motion_moving_average=true:motion_blend_factor=0.25:motion_blend_offset=10", noise(33, 31, 16, 3));
  const std::string suffix = "_mbf_0.25_mbo_10_mma";
  expect_series(averaged, "VMAF_integer_feature_motion_v2_sad_score" + suffix, {0, 23.31028913123167, 25.406028531280548});
  expect_series(averaged, "VMAF_integer_feature_motion2_v2_score" + suffix, {0, 23.31028913123167, 25.406028531280548});
  expect_series(averaged, "VMAF_integer_feature_motion3_v2_score" + suffix, {13.327572282807918, 13.327572282807918, 13.589539707814026});
  const ExtractorRun capped = run_or_fail("motion_v2=motion_fps_weight=0.6:motion_max_val=30", translate(5));
  expect_series(capped, "VMAF_integer_feature_motion2_v2_score_mfw_0.6_mmxv_30",
                {0, 7.8313446044921866, 28.981211853027339, 28.981211853027339, 30});
  EXPECT_FALSE(extractors::parse_feature("motion_v2=debug=true").ok());
}

}  // namespace
}  // namespace vmafbatch::testing
