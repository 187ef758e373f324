// float_ssim and ssim: values, limits and options.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "extractors/float_ssim_decimation.h"
#include "extractors/float_ssim_sums.h"
#include "extractors/ssim_sums.h"
#include "ssim_patterns.h"

namespace vmafbatch::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct FloatCase {
  SsimPattern pattern;
  io::PictureFormat format;
  std::string options;
  std::vector<double> values;  // float_ssim, _l, _c, _s
};

void expect_case(const FloatCase& expected) {
  SCOPED_TRACE(expected.pattern.name + " " + expected.format.text() + " " + expected.options);
  expect_keys("float_ssim=enable_lcs=true" + expected.options, ssim_pairs(expected.pattern, expected.format),
              {"float_ssim", "float_ssim_l", "float_ssim_c", "float_ssim_s"}, expected.values);
}

TEST(FloatSsim, HasTheValuesOfLibvmaf) {
  expect_case({{"noise"}, grey(63, 49), "", {0.0044603911228477955, 0.98788219690322876, 0.99215435981750488, 0.0045079202391207218}});
  expect_case({{"ramp"}, grey(64, 48, 10), "", {0.99582815170288086, 0.99988043308258057, 0.99984937906265259, 0.99609732627868652}});
  expect_case({{"noise"}, grey(64, 48, 12), "", {0.0019467913080006838, 0.98804688453674316, 0.99203759431838989, 0.0019586551934480667}});
  expect_case({{"smooth"}, grey(64, 48, 16), "", {0.95921587944030762, 0.99986964464187622, 0.98979371786117554, 0.96925193071365356}});
  expect_case({{"noise"}, grey(64, 48, 16), "", {0.0019447134109213948, 0.9880523681640625, 0.99203741550445557, 0.0019565182738006115}});
  expect_case({{"inv", 2}, grey(64, 48), "", {-0.96180838346481323, 0.97313457727432251, 1.0, -0.98835456371307373}});
  expect_case(
      {{"check", 4, 3}, grey(64, 48), "", {-0.0032388390973210335, 0.64670675992965698, 0.86477243900299072, 0.0035181469283998013}});
}

TEST(FloatSsim, EveryFrameStandsForItself) {
  const ExtractorRun run = run_or_fail("float_ssim=enable_lcs=true", ssim_pairs({"ramp"}, grey(64, 48), 2));
  expect_series(run, "float_ssim", {0.98305201530456543, 0.9832460880279541});
  expect_series(run, "float_ssim_l", {0.99934256076812744, 0.99931526184082031});
  expect_series(run, "float_ssim_c", {0.99942773580551147, 0.99943524599075317});
  expect_series(run, "float_ssim_s", {0.98426353931427002, 0.98447728157043457});
}

TEST(FloatSsim, DecimatesByTheGivenFactorWithAColumnMoreForOddSizes) {
  const SsimPattern near{"near", 1};
  expect_case({near, grey(121, 111), ":scale=2", {0.9993973970413208, 0.99999815225601196, 0.99997973442077637, 0.99941951036453247}});
  expect_case({near, grey(121, 111), ":scale=3", {0.99939918518066406, 0.99999922513961792, 0.9999803900718689, 0.99941951036453247}});
  expect_case({near, grey(121, 111), ":scale=10", {0.99957823753356934, 1.0, 0.99999344348907471, 0.99958479404449463}});
  expect_case({near, grey(119, 111), ":scale=10", {0.99956285953521729, 1.0, 0.99999117851257324, 0.99957168102264404}});
}

TEST(FloatSsim, DecimatesLargePicturesByThemselves) {
  const SsimPattern near{"near", 1};
  expect_case({near, grey(383, 385), "", {0.99936896562576294, 0.9999924898147583, 0.99997878074645996, 0.99939769506454468}});
  expect_case({near, grey(384, 384), "", {0.99937307834625244, 0.99999815225601196, 0.99997830390930176, 0.99939656257629395}});
  expect_case({near, grey(1920, 1080), "", {0.99941003322601318, 0.9999995231628418, 0.99997913837432861, 0.999431312084198}});
}

TEST(FloatSsimDecimation, HalvesRoundUp) {
  using extractors::decimation_factor;
  EXPECT_EQ(decimation_factor(0, 16, 12), 1);
  EXPECT_EQ(decimation_factor(0, 383, 999), 1);
  EXPECT_EQ(decimation_factor(0, 999, 384), 2);
  EXPECT_EQ(decimation_factor(0, 639, 639), 2);
  EXPECT_EQ(decimation_factor(0, 640, 640), 3);
  EXPECT_EQ(decimation_factor(0, 1920, 1080), 4);
  EXPECT_EQ(decimation_factor(0, 3840, 2160), 8);
  EXPECT_EQ(decimation_factor(7, 3840, 2160), 7);
}

TEST(FloatSsimDecimation, AveragesBoxesAndReflectsAtTheBorder) {
  const auto frame = ssim_pairs({"near", 1}, grey(121, 111)).front();
  const auto plane = [&](int factor) { return extractors::shared_decimated_samples(frame->reference(), 0, factor); };
  const auto last = [](io::Plane<const float> p) { return p.row(p.height - 1)[p.width - 1]; };
  EXPECT_EQ(plane(2).width, 61);
  EXPECT_EQ(plane(2).height, 56);
  EXPECT_EQ(plane(2).row(0)[0], 90.0f);
  EXPECT_EQ(plane(2).row(0)[1], 137.5f);
  EXPECT_EQ(plane(2).row(1)[0], 28.5f);
  EXPECT_EQ(last(plane(2)), 70.75f);
  EXPECT_EQ(plane(3).row(0)[0], 76.4444427f);
  EXPECT_EQ(plane(3).row(0)[1], 138.333328f);
  EXPECT_EQ(plane(3).row(1)[0], 88.7777786f);
  EXPECT_EQ(last(plane(3)), 77.7777786f);
  EXPECT_EQ(plane(10).row(0)[0], 111.359993f);
  EXPECT_EQ(last(plane(10)), 125.189995f);
  EXPECT_EQ(extractors::decimated_side(120, 10), 12);
  EXPECT_EQ(extractors::decimated_side(112, 10), 11);
}

TEST(FloatSsim, AddsTheWindowsInRasterOrder) {
  // Terms of both signs cancel almost to nothing, so that every other order shows.
  expect_case({{"noise", 181, 1181, {{23, 20, 2}, {33, 0, 2}}},
               grey(40, 30),
               "",
               {1.2959486782315732e-11, 0.99195772409439087, 0.99168717861175537, 0.00013124619727022946}});
  expect_case({{"noise", 223, 1223, {{34, 10, 2}, {0, 14, 1}}},
               grey(40, 30),
               "",
               {1.3187630674982298e-11, 0.99182099103927612, 0.99115616083145142, -0.00028291827766224742}});
}

TEST(FloatSsim, FlatPictures) {
  expect_case({{"flat", 255, 0}, grey(16, 12), "", {9.9989178124815226e-05, 9.9989178124815226e-05, 1.0, 1.0}});
  expect_case({{"flat", 100, 101}, grey(16, 12), "", {0.9999505877494812, 0.9999505877494812, 1.0, 1.0}});
}

TEST(FloatSsim, IdenticalPicturesScoreOneOrTheFloatBesideIt) {
  const auto expect_flat = [](int level, const std::string& options, double want) {
    expect_keys("float_ssim" + options, ssim_pairs({"flat", level, level}, grey(16, 12)), {"float_ssim"}, {want});
  };
  expect_flat(20, "", 1.0);
  expect_flat(20, "=enable_db=true", kInfinity);
  expect_flat(20, "=enable_db=true:clip_db=true", 74.0);
  expect_flat(20, "=clip_db=true", 1.0);
  expect_flat(21, "", 0.99999994039535522);
  expect_flat(21, "=enable_db=true", 72.247198959355487);
  expect_flat(25, "", 1.0000001192092896);
  expect_flat(25, "=enable_db=true", kInfinity);
  expect_flat(25, "=enable_db=true:clip_db=true", 74.0);
  expect_flat(68, "", 0.99999988079071045);
}

TEST(FloatSsim, DecibelsLeaveTheFactorsAlone) {
  const ExtractorRun run = run_or_fail("float_ssim=enable_lcs=true:enable_db=true:clip_db=true", ssim_pairs({"ramp"}, grey(64, 48)));
  expect_value(run, 0, "float_ssim", 17.708819368525038);
  expect_value(run, 0, "float_ssim_l", 0.99934256076812744);
  expect_keys("float_ssim=enable_db=true:clip_db=true", ssim_pairs({"same", 3}, grey(64, 48, 16)), {"float_ssim"}, {135.0});
}

TEST(FloatSsim, OneWindowIsEnough) {
  expect_case({{"noise"}, grey(11, 11), "", {-0.25633817911148071, 0.98740696907043457, 0.99616324901580811, -0.26060730218887329}});
}

TEST(FloatSsim, WithoutAWindowIsZeroWithLibvmafsSign) {
  expect_case({{"noise"}, grey(8, 8), "", {0.0, 0.0, 0.0, 0.0}});
  expect_case({{"noise"}, grey(8, 20), "", {-0.0, -0.0, -0.0, -0.0}});
  expect_case({{"noise"}, grey(5, 12), "", {-0.0, -0.0, -0.0, -0.0}});
  expect_case({{"noise"}, grey(64, 48), ":scale=10", {0.0, 0.0, 0.0, 0.0}});
}

TEST(FloatSsim, RefusesSizesWhoseScoreIsNoNumber) {
  EXPECT_EQ(ssim_refusal("float_ssim", grey(10, 20)), "float_ssim cannot score 10x20 4:0:0 8-bit: needs at least 11x11 samples");
  EXPECT_EQ(ssim_refusal("float_ssim=scale=2", grey(64, 20)),
            "float_ssim cannot score 64x20 4:0:0 8-bit: needs at least 11x11 samples after decimation by 2, which makes it 32x10; give "
            "another scale");
  EXPECT_NE(ssim_refusal("float_ssim", grey(10, 10)), "");
}

TEST(FloatSsim, RefusesScalesOutOfRange) {
  for (const char* text : {"float_ssim=scale=11", "float_ssim=scale=-1", "float_ssim=scale=two", "float_ssim=enable_lcs=1"}) {
    EXPECT_NE(ssim_refusal(text, grey(64, 48)), "") << text;
  }
}

TEST(SsimFamily, OnlyOutputsMergeAndValuesDoNot) {
  const auto merged = [](const char* a, const char* b) {
    const auto result = extractors::merge_requests({*extractors::parse_feature(a), *extractors::parse_feature(b)});
    return result.ok() ? result->front().text() : result.error().message;
  };
  EXPECT_EQ(merged("float_ssim", "float_ssim=enable_lcs=true"), "float_ssim=enable_lcs=true");
  EXPECT_EQ(merged("float_ms_ssim=enable_chroma=true", "float_ms_ssim=enable_lcs=true"),
            "float_ms_ssim=enable_lcs=true:enable_chroma=true");
  for (const char* other : {"float_ssim=enable_db=true", "float_ssim=scale=1", "float_ssim=clip_db=true"}) {
    EXPECT_NE(merged("float_ssim", other).find("changes float_ssim without changing its name"), std::string::npos) << other;
  }
  EXPECT_NE(merged("ssim", "ssim=enable_db=true").find("changes ssim without"), std::string::npos);
  EXPECT_NE(merged("float_ms_ssim", "float_ms_ssim=enable_db=true").find("changes float_ms_ssim without"), std::string::npos);
}

void expect_ssim(const SsimPattern& pattern, const io::PictureFormat& format, double want, const std::string& options = "") {
  SCOPED_TRACE(pattern.name + " " + format.text() + options);
  expect_keys("ssim" + options, ssim_pairs(pattern, format), {"ssim"}, {want});
}

TEST(Ssim, HasTheValuesOfTheReference) {
  expect_series(run_or_fail("ssim", ssim_pairs({"ramp"}, grey(64, 48), 2)), "ssim", {0.98169127963813108, 0.98185450752718484});
  expect_ssim({"ramp"}, grey(64, 48, 10), 0.99577141634624589);
  expect_ssim({"noise"}, grey(64, 48, 12), 0.0040075398370480351);
  expect_ssim({"inv", 2}, grey(64, 48), -0.95999737371729899);
  expect_ssim({"near", 1}, grey(1920, 1080), 0.99937263641589291);
  expect_ssim({"flat", 255, 0}, grey(16, 16), 9.9990000999899758e-05);
}

TEST(Ssim, AddsThePixelsInRasterOrder) { expect_ssim({"noise"}, grey(64, 48), 0.0038913082720303015); }

TEST(Ssim, TakesTheExactPeakAt16Bits) {
  expect_ssim({"noise"}, grey(64, 48, 16), 0.0040088476760824741);
  expect_ssim({"ramp"}, grey(64, 48, 16), 0.99998612420929167);
}

TEST(Ssim, TakesAnySize) {
  expect_ssim({"flat", 0, 0}, grey(1, 1), 0.99999999999999978);
  expect_ssim({"flat", 51, 51}, grey(3, 3), 0.99999999999999989);
  expect_ssim({"noise"}, grey(5, 3), -0.30638582494973277);
  expect_ssim({"noise"}, grey(1, 9), -0.51661277126917271);
}

TEST(Ssim, Decibels) {
  expect_ssim({"flat", 0, 0}, grey(1, 1), 156.53559774527022, "=enable_db=true");
  expect_ssim({"flat", 0, 0}, grey(1, 1), 52.0, "=enable_db=true:clip_db=true");
  expect_ssim({"flat", 51, 51}, grey(3, 3), 159.54589770191004, "=enable_db=true");
  expect_ssim({"ramp"}, grey(64, 48), 17.373420084672638, "=enable_db=true");
  expect_ssim({"inv", 2}, grey(64, 48), -2.9225548942747133, "=enable_db=true");
  expect_ssim({"same", 3}, grey(64, 48), 1.0);
  expect_ssim({"same", 3}, grey(64, 48), kInfinity, "=enable_db=true");
  expect_ssim({"same", 3}, grey(64, 48), 87.0, "=enable_db=true:clip_db=true");
}

TEST(Ssim, WeighsTheWindowsThatTheBorderCuts) { EXPECT_EQ(extractors::ssim9_total_weight(64, 48), 193039632.0); }

}  // namespace
}  // namespace vmafbatch::testing
