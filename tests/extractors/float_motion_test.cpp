// float_motion against values of libvmaf 3.2.0 on clips from formulas.
#include <gtest/gtest.h>

#include "support/expect_values.h"
#include "support/formula_clip.h"

namespace vmafbatch::testing {
namespace {

using io::Chroma;
using Keys = std::set<std::string>;
using Series = std::vector<double>;

Pairs translate(int frames) { return formula_pairs(Formula::kTranslate, {64, 48, Chroma::k420, 8}, frames); }
Pairs noise(const io::PictureFormat& format) { return formula_pairs(Formula::kHash, format, 3); }

TEST(FloatMotion, ComparesNeighbouringFrames) {
  const ExtractorRun run = run_or_fail("float_motion", translate(5));
  EXPECT_EQ(keys_of(run), (Keys{"motion", "motion2", "motion3"}));
  Series motion2 = {0, 13.052250862121582, 48.302043914794922, 48.302043914794922, 89.526161193847656};
  expect_series(run, "motion", {0, 13.052250862121582, 80.935249328613281, 48.302043914794922, 89.526161193847656});
  expect_series(run, "motion2", motion2);
  motion2[0] = 13.052250862121582;
  expect_series(run, "motion3", motion2);
}

TEST(FloatMotion, BlendsTheWeightedButUncappedValue) {
  const ExtractorRun run =
      run_or_fail("float_motion=motion_fps_weight=0.6:motion_max_val=30:motion_blend_factor=0.5:motion_blend_offset=20", translate(5));
  const std::string suffix = "_mbf_0.5_mbo_20_mfw_0.6_mmxv_30";
  expect_series(run, "motion" + suffix, {0, 7.8313505172729485, 30, 28.981226348876952, 30});
  expect_series(run, "motion2" + suffix, {0, 7.8313505172729485, 28.981226348876952, 28.981226348876952, 30});
  expect_series(run, "motion3" + suffix, {7.8313505172729485, 7.8313505172729485, 24.490613174438476, 24.490613174438476, 30});
}

TEST(FloatMotion, AddsTheChromaPlanes) {
  const ExtractorRun run = run_or_fail("float_motion=motion_add_uv=true", noise({64, 48, Chroma::k420, 10}));
  expect_series(run, "motion_mau", {0, 79.509000778198242, 72.186384201049805});
  expect_series(run, "motion2_mau", {0, 72.186384201049805, 72.186384201049805});
  expect_series(run, "motion3_mau", {79.509000778198242, 72.186384201049805, 72.186384201049805});
}

TEST(FloatMotion, HalfSizeCoordinatesAreDoublesRoundedOnce) {
  const ExtractorRun run = run_or_fail("float_motion=motion_add_scale1=true", noise({13, 9, Chroma::k444, 8}));
  expect_series(run, "motion_mdc", {0, 50.723564147949219, 49.602237701416016});
  expect_series(run, "motion2_mdc", {0, 49.602237701416016, 49.602237701416016});
}

TEST(FloatMotion, HalfSizeAndChromaTogether) {
  const std::string feature = "float_motion=motion_add_scale1=true:motion_add_uv=true";
  expect_series(run_or_fail(feature, noise({64, 48, Chroma::k444, 8})), "motion_mdc_mau", {0, 144.15138244628906, 138.32888031005859});
  // Subsampled chroma: the meant planes, not libvmaf's wrong stride.
  expect_series(run_or_fail(feature, noise({64, 48, Chroma::k420, 8})), "motion_mdc_mau", {0, 152.04354095458984, 137.42015075683594});
}

TEST(FloatMotion, FilterOfThreeTapsOrNone) {
  expect_series(run_or_fail("float_motion=motion_filter_size=3", noise({33, 31, Chroma::k420, 16})), "motion_mfs_3",
                {0, 41.970668792724609, 43.033958435058594});
  const ExtractorRun run = run_or_fail("float_motion=motion_filter_size=1:debug=false", noise({33, 31, Chroma::k420, 12}));
  EXPECT_EQ(keys_of(run), (Keys{"motion2_mfs_1", "motion3_mfs_1"}));
  expect_series(run, "motion2_mfs_1", {0, 86.463035583496094, 86.463035583496094});
  expect_series(run, "motion3_mfs_1", {88.495903015136719, 86.463035583496094, 86.463035583496094});
}

TEST(FloatMotion, OfClipsOfOneAndTwoFrames) {
  for (const char* key : {"motion", "motion2", "motion3"}) expect_series(run_or_fail("float_motion", translate(1)), key, {0});
  const ExtractorRun two = run_or_fail("float_motion", translate(2));
  expect_series(two, "motion", {0, 13.052250862121582});
  expect_series(two, "motion2", {0, 13.052250862121582});
  expect_series(two, "motion3", {13.052250862121582, 13.052250862121582});
}

TEST(FloatMotion, ForcedToZero) {
  const ExtractorRun run = run_or_fail("float_motion=motion_force_zero=true", translate(2));
  const Keys keys = {"motion_force_0", "motion2_force_0", "motion3_force_0"};
  EXPECT_EQ(keys_of(run), keys);
  for (const std::string& key : keys) expect_series(run, key, {0, 0});
}

TEST(FloatMotion, SmallestSizeFollowsTheFilterAndThePlanes) {
  expect_series(run_or_fail("float_motion", noise({3, 3, Chroma::k444, 8})), "motion", {0, 63.687362670898438, 90.762321472167969});
  const auto refusal = [](const std::string& feature, const io::PictureFormat& format) {
    const auto run = run_extractor(feature, formula_pairs(Formula::kLevel, format, 1));
    return run.ok() ? "" : run.error().message;
  };
  EXPECT_EQ(refusal("float_motion", {2, 3, Chroma::k420, 8}), "float_motion cannot score 2x3 4:2:0 8-bit: needs at least 3x3 in plane 0");
  EXPECT_EQ(refusal("float_motion=motion_filter_size=3", {2, 2, Chroma::k420, 8}), "");
  EXPECT_EQ(refusal("float_motion=motion_filter_size=3", {1, 2, Chroma::k420, 8}),
            "float_motion cannot score 1x2 4:2:0 8-bit: needs at least 2x2 in plane 0");
  EXPECT_EQ(refusal("float_motion=motion_filter_size=1", {1, 1, Chroma::k420, 8}), "");
  EXPECT_EQ(refusal("float_motion=motion_add_uv=true", {5, 5, Chroma::k420, 8}), "");
  EXPECT_EQ(refusal("float_motion=motion_add_uv=true", {4, 5, Chroma::k420, 8}),
            "float_motion cannot score 4x5 4:2:0 8-bit: needs at least 3x3 in plane 1");
  EXPECT_EQ(refusal("float_motion=motion_add_uv=true", {5, 5, Chroma::k400, 8}),
            "float_motion cannot score 5x5 4:0:0 8-bit: motion_add_uv needs chroma planes");
  EXPECT_EQ(refusal("float_motion=motion_add_scale1=true", {15360, 3, Chroma::k400, 8}), "");
  EXPECT_EQ(refusal("float_motion=motion_add_scale1=true", {15361, 3, Chroma::k400, 8}),
            "float_motion cannot score 15361x3 4:0:0 8-bit: motion_add_scale1 takes at most 15360 columns");
}

}  // namespace
}  // namespace vmafbatch::testing
