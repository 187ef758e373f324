// float_moment against values of libvmaf 3.2.0 on clips from formulas.
#include <gtest/gtest.h>

#include "support/expect_values.h"
#include "support/formula_clip.h"

namespace vmafbatch::testing {
namespace {

using io::Chroma;

void expect_moments(const ExtractorRun& run, std::int64_t frame, const std::vector<double>& want) {
  size_t i = 0;
  for (const char* key : {"float_moment_ref1st", "float_moment_dis1st", "float_moment_ref2nd", "float_moment_dis2nd"}) {
    expect_value(run, frame, key, want[i++]);
  }
}

TEST(FloatMoment, IsOnTheEightBitScaleAtEveryDepth) {
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kRamp, {64, 48, Chroma::k420, 8}, 1)), 0,
                 {129.33333333333334, 131.82747395833334, 22230.333333333332, 22881.4921875});
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kDeepRamp, {64, 48, Chroma::k420, 10}, 1)), 0,
                 {129.70833333333334, 130.33772786458334, 22327.677083333332, 22491.899169921875});
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kHash, {33, 31, Chroma::k420, 12}, 1)), 0,
                 {133.00714809384164, 129.45057429130009, 23309.837247220185, 22193.652511760753});
}

TEST(FloatMoment, RoundsSquaresAtSixteenBits) {
  const ExtractorRun noise = run_or_fail("float_moment", formula_pairs(Formula::kHash, {33, 31, Chroma::k420, 16}, 2));
  expect_moments(noise, 0, {133.03588938782991, 129.48215267595307, 23317.553452134714, 22201.948277135049});
  expect_moments(noise, 1, {129.93713343108504, 125.35102028347995, 22252.759437165769, 21109.854696294315});
  const ExtractorRun flash = run_or_fail("float_moment", formula_pairs(Formula::kFlash, {16, 16, Chroma::k420, 16}, 2));
  expect_moments(flash, 0, {0, 0, 0, 0});
  expect_moments(flash, 1, {255.99609375, 0, 65534, 0});
}

TEST(FloatMoment, KeepsTheRunningSumPastTwoToThe53) {
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kBright, {3840, 2160, Chroma::k400, 16}, 1)), 0,
                 {171.86881527700541, 84.179867419490108, 43014.034955211675, 20825.450206674403});
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kBright, {2560, 1440, Chroma::k400, 16}, 1)), 0,
                 {171.8672724808587, 84.182513087590536, 43013.944947653945, 20826.859078001144});
}

TEST(FloatMoment, OfSmallAndFlatPictures) {
  expect_moments(run_or_fail("float_moment", formula_pairs(Formula::kHash, {3, 3, Chroma::k444, 8}, 1)), 0,
                 {113.33333333333333, 157, 20134.666666666668, 26331.888888888891});
  const ExtractorRun level = run_or_fail("float_moment", formula_pairs(Formula::kLevel, {16, 16, Chroma::k420, 8}, 2));
  expect_moments(level, 0, {100, 100, 10000, 10000});
  expect_moments(level, 1, {100, 101, 10000, 10201});
}

}  // namespace
}  // namespace vmafbatch::testing
