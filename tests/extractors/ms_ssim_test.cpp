// float_ms_ssim: values, limits and options.
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "extractors/float_ms_ssim_pyramid.h"
#include "ssim_patterns.h"

namespace vmafbatch::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_means(const ExtractorRun& run, const std::string& factor, const std::vector<double>& want) {
  for (size_t k = 0; k < want.size(); ++k) expect_value(run, 0, "float_ms_ssim_" + factor + "_scale" + std::to_string(k), want[k]);
}

ExtractorRun with_means(const SsimPattern& pattern, const io::PictureFormat& format) {
  ExtractorRun run = run_or_fail("float_ms_ssim=enable_lcs=true", ssim_pairs(pattern, format));
  EXPECT_EQ(run.values.size(), 16u) << pattern.name;
  return run;
}

void expect_score(const SsimPattern& pattern, const io::PictureFormat& format, const std::string& options, double want) {
  SCOPED_TRACE(pattern.name + " " + format.text() + options);
  expect_keys("float_ms_ssim" + options, ssim_pairs(pattern, format), {"float_ms_ssim"}, {want});
}

TEST(FloatMsSsim, HasTheValuesOfLibvmafForNoise) {
  const ExtractorRun run = with_means({"noise"}, grey(176, 176));
  expect_value(run, 0, "float_ms_ssim", 0.07948365078042835);
  expect_means(run, "l", {0.98820924758911133, 0.99724709987640381, 0.99944567680358887, 0.99988371133804321, 0.99999988079071045});
  expect_means(run, "c", {0.99244040250778198, 0.98491466045379639, 0.98152470588684082, 0.9849851131439209, 0.99162888526916504});
  expect_means(run, "s", {0.0049505657516419888, 0.016143962740898132, 0.075930006802082062, 0.31190425157546997, 0.6768302321434021});
}

TEST(FloatMsSsim, HasTheValuesOfLibvmafForARampOfOddSize) {
  const ExtractorRun run = with_means({"ramp"}, grey(177, 191));
  expect_value(run, 0, "float_ms_ssim", 0.99874347856560541);
  expect_means(run, "l", {0.99924963712692261, 0.99957060813903809, 0.99973231554031372, 0.99979877471923828, 0.99980521202087402});
  expect_means(run, "c", {0.99937665462493896, 0.99999600648880005, 0.99999994039535522, 1.0, 1.0});
  expect_means(run, "s", {0.9840283989906311, 0.99839967489242554, 0.99992233514785767, 0.99999940395355225, 0.99999940395355225});
  expect_score({"ramp"}, grey(177, 191), "=enable_db=true", 29.008300985876062);
}

TEST(FloatMsSsim, HasTheValuesOfLibvmafAtEveryDepth) {
  ExtractorRun run = with_means({"smooth"}, grey(181, 178, 10));
  expect_value(run, 0, "float_ms_ssim", 0.99879861736610664);
  expect_value(run, 0, "float_ms_ssim_s_scale1", 0.99978995323181152);
  expect_value(run, 0, "float_ms_ssim_s_scale4", 1.0000001192092896);
  run = with_means({"near", 1}, grey(179, 183, 16));
  expect_value(run, 0, "float_ms_ssim", 0.99999838582910561);
  expect_value(run, 0, "float_ms_ssim_s_scale3", 0.99999892711639404);
  expect_value(run, 0, "float_ms_ssim_s_scale4", 0.99998998641967773);
  run = with_means({"check", 1, 0}, grey(352, 288, 12));
  expect_value(run, 0, "float_ms_ssim", 0.86878811602778461);
  expect_value(run, 0, "float_ms_ssim_s_scale3", 1.0001068115234375);
  expect_score({"near", 1}, grey(1920, 1080), "", 0.99947846488689229);
}

TEST(FloatMsSsim, ANegativeMeanCountsByItsSize) {
  const ExtractorRun run = with_means({"inv", 2}, grey(176, 176));
  expect_means(run, "s", {-0.98856586217880249, -0.95805889368057251, -0.81953549385070801, -0.34841960668563843, 0.23378381133079529});
  const double score = run.values.at({0, "float_ms_ssim"});
  EXPECT_GT(score, 0.597);  // the fork, with another low-pass: 0.59730178743194628
  EXPECT_LT(score, 0.598);
}

TEST(FloatMsSsim, InDecibelsANegativeMeanGivesTheCeilingAsInLibvmaf) {
  expect_score({"inv", 2}, grey(176, 176), "=enable_db=true", kInfinity);
  expect_score({"inv", 2}, grey(176, 176), "=enable_db=true:clip_db=true", 97.0);
}

TEST(FloatMsSsim, FlatAndIdenticalPictures) {
  ExtractorRun run = with_means({"flat", 100, 101}, grey(181, 178));
  expect_value(run, 0, "float_ms_ssim", 0.99999340526000713);
  expect_means(run, "l", {0.9999505877494812, 0.9999505877494812, 0.99995052814483643, 0.99995064735412598, 0.99995052814483643});
  run = with_means({"flat", 25, 25}, grey(176, 176));
  expect_value(run, 0, "float_ms_ssim", 1.0);
  expect_means(run, "l", {1.0000001192092896, 1.0, 1.0, 1.0000001192092896, 1.0});
  expect_means(run, "c", {1.0, 1.0, 1.0, 1.0, 1.0});
  expect_means(run, "s", {1.0, 1.0, 1.0, 1.0, 1.0});
  expect_score({"same", 3}, grey(176, 176), "=enable_db=true:clip_db=true", 97.0);
}

TEST(FloatMsSsim, AddsTheWindowsInRasterOrder) {
  ExtractorRun run = with_means({"noise", 1, 21, {{60, 91, 2}, {95, 126, -1}}}, grey(176, 176));
  expect_value(run, 0, "float_ms_ssim", 0.080635920225599192);
  expect_value(run, 0, "float_ms_ssim_c_scale0", 0.99195683002471924);
  run = with_means({"noise", 2, 22, {{1, 18, -1}, {106, 146, 1}}}, grey(176, 176));
  expect_value(run, 0, "float_ms_ssim_l_scale0", 0.9882739782333374);
}

TEST(FloatMsSsim, ScaleZeroIsFloatSsimWithoutDecimation) {
  const Pairs pairs = ssim_pairs({"near", 1}, grey(384, 400));
  const ExtractorRun multi = run_or_fail("float_ms_ssim=enable_lcs=true", pairs);
  const ExtractorRun single = run_or_fail("float_ssim=enable_lcs=true:scale=1", pairs);
  for (const std::string factor : {"l", "c", "s"}) {
    expect_value(multi, 0, "float_ms_ssim_" + factor + "_scale0", single.values.at({0, "float_ssim_" + factor}));
  }
}

TEST(FloatMsSsim, NeedsElevenSamplesAtTheCoarsestScale) {
  EXPECT_EQ(ssim_refusal("float_ms_ssim", grey(175, 176)), "float_ms_ssim cannot score 175x176 4:0:0 8-bit: needs at least 176x176");
  EXPECT_NE(ssim_refusal("float_ms_ssim", grey(176, 175)), "");
  EXPECT_EQ(ssim_refusal("float_ms_ssim", grey(176, 176)), "");
}

TEST(FloatMsSsim, ScoresEachChromaPlaneLikeLuma) {
  const std::vector<std::string> keys{"float_ms_ssim", "float_ms_ssim_cb", "float_ms_ssim_cr"};
  expect_keys("float_ms_ssim=enable_chroma=true:enable_db=true", ssim_pairs({"near", 1}, {351, 351, io::Chroma::k420, 8}), keys,
              {32.790109190573162, 32.970206876547145, 32.991397577631723});
  const ExtractorRun noise = run_or_fail("float_ms_ssim=enable_chroma=true", ssim_pairs({"noise"}, {351, 351, io::Chroma::k420, 8}));
  expect_value(noise, 0, "float_ms_ssim", 0.078816967297208412);
  expect_value(noise, 0, "float_ms_ssim_cr", 0.090570832602326137);
  const double cb = noise.values.at({0, "float_ms_ssim_cb"});  // the fork, with another low-pass: 0.088539380221323821
  EXPECT_GT(cb, 0.0885);
  EXPECT_LT(cb, 0.0886);
}

TEST(FloatMsSsim, ChromaPlanesHaveTheSameSmallestSize) {
  const auto refusal = [](int width, int height, io::Chroma chroma) {
    return ssim_refusal("float_ms_ssim=enable_chroma=true", {width, height, chroma, 8});
  };
  EXPECT_EQ(refusal(350, 351, io::Chroma::k420),
            "float_ms_ssim cannot score 350x351 4:2:0 8-bit: enable_chroma needs chroma planes of at least 176x176, and they are 175x176");
  EXPECT_NE(refusal(350, 176, io::Chroma::k422), "");
  EXPECT_EQ(refusal(351, 176, io::Chroma::k422), "");
  EXPECT_EQ(refusal(176, 176, io::Chroma::k444), "");
}

TEST(FloatMsSsim, ThereIsNoChromaInGreyPictures) {
  expect_keys("float_ms_ssim=enable_chroma=true", ssim_pairs({"near", 1}, grey(176, 176)), {"float_ms_ssim"},
              {run_or_fail("float_ms_ssim", ssim_pairs({"near", 1}, grey(176, 176))).values.at({0, "float_ms_ssim"})});
}

TEST(FloatMsSsim, ReportsInTheOrderOfTheReference) {
  const auto request = extractors::parse_feature("float_ms_ssim=enable_lcs=true:enable_chroma=true");
  const auto extractor = request->extractor->create(request->options, {{352, 352, io::Chroma::k420, 8}, "clip"});
  ASSERT_TRUE(extractor.ok());
  std::vector<std::string> keys;
  for (const size_t i : (*extractor)->outputs()) keys.push_back(extractors::feature_key(request->extractor->features[i], request->options));
  ASSERT_EQ(keys.size(), 18u);
  EXPECT_EQ(keys[0], "float_ms_ssim");
  EXPECT_EQ(keys[1], "float_ms_ssim_l_scale0");
  EXPECT_EQ(keys[6], "float_ms_ssim_c_scale0");
  EXPECT_EQ(keys[15], "float_ms_ssim_s_scale4");
  EXPECT_EQ(keys[16], "float_ms_ssim_cb");
  EXPECT_EQ(keys[17], "float_ms_ssim_cr");
}

TEST(MsSsimPyramid, HasTheSizesAndSamplesOfLibvmaf) {
  const auto pair = ssim_pairs({"ramp"}, grey(177, 191)).front();
  const extractors::MsSsimPyramid& pyramid = extractors::shared_ms_ssim_pyramid(pair->reference(), 0);
  struct Level {
    int width, height;
    float first, right, below, last;
  };
  const std::vector<Level> want{{89, 96, 1.08150399f, 6.8660202f, 10.7223644f, 196.919495f},
                                {45, 48, 3.19927692f, 14.3970242f, 21.8621902f, 186.43956f},
                                {23, 24, 7.30662775f, 29.3344631f, 44.0196915f, 164.94783f},
                                {12, 12, 15.2792082f, 59.0720673f, 87.3321228f, 129.1091f}};
  for (size_t k = 0; k < want.size(); ++k) {
    const io::Plane<const float> level = pyramid.planes[k].view();
    EXPECT_EQ(level.width, want[k].width);
    EXPECT_EQ(level.height, want[k].height);
    EXPECT_EQ(level.row(0)[0], want[k].first);
    EXPECT_EQ(level.row(0)[1], want[k].right);
    EXPECT_EQ(level.row(1)[0], want[k].below);
    EXPECT_EQ(level.row(level.height - 1)[level.width - 1], want[k].last);
  }
}

}  // namespace
}  // namespace vmafbatch::testing
