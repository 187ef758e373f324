// The cases of the specification of cambi, its limits, options, keys, tables and heat maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "extractors/cambi_pooling.h"
#include "extractors/cambi_scales.h"
#include "support/expect_values.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

using extractors::CambiEotf;
using ::testing::HasSubstr;

// The patterns that the specification's values are computed from. s = depth - 8, n the frame.
struct At {
  int x, y, n, depth;
  int s() const { return depth - 8; }
  int largest() const { return (1 << depth) - 1; }
};
using Sample = int (*)(const At&);
struct Pattern {
  Sample reference, distorted;
};

std::uint32_t hash(std::uint32_t x, std::uint32_t y, std::uint32_t n, std::uint32_t p) {
  std::uint32_t v = x * 73856093u ^ y * 19349663u ^ n * 83492791u ^ p * 2654435761u;
  v ^= v >> 13;
  v *= 0x5bd1e995u;
  return v ^ (v >> 15);
}
std::uint32_t u(int v) { return static_cast<std::uint32_t>(v); }

int texture(const At& at) {
  const int shade = static_cast<int>(hash(u(at.x / 4), u(at.y / 4), u(at.n), 0) % u(60 << at.s()));
  return ((128 << at.s()) + shade) & at.largest();
}
int noisy_texture(const At& at) {
  const int noise = static_cast<int>(hash(u(at.x), u(at.y), u(at.n), 9) % u(9 << at.s()));
  return std::clamp(texture(at) + noise - (4 << at.s()), 0, at.largest());
}

const Pattern kB1 = {[](const At& at) { return (60 << at.s()) + (((at.x >> 4) + (at.y >> 5) + at.n) << at.s()); },
                     [](const At& at) { return (60 << at.s()) + (((at.x >> 3) + (at.y >> 4) + at.n) << at.s()); }};
const Pattern kB2 = {
    [](const At& at) { return std::min(at.largest(), (64 << at.s()) + (((at.x / 3 + at.y / 7 + at.n) << at.s()) >> 2)); },
    [](const At& at) { return std::min(at.largest(), (64 << at.s()) + ((((at.x / 5 + at.y / 11 + at.n) / 2) << at.s()) >> 1)); }};
const Pattern kS = {texture, noisy_texture};
const Pattern kF = {[](const At& at) { return 100 << at.s(); }, [](const At& at) { return 101 << at.s(); }};
const Pattern kNoise = {[](const At& at) { return static_cast<int>(hash(u(at.x), u(at.y), u(at.n), 0)) & at.largest(); },
                        [](const At& at) { return static_cast<int>(hash(u(at.x), u(at.y), u(at.n + 1000), 0)) & at.largest(); }};

Pairs pattern_pairs(const Pattern& pattern, int width, int height, int depth, int frames = 1, io::Chroma chroma = io::Chroma::k400) {
  const io::PictureFormat format{width, height, chroma, depth};
  Pairs pairs;
  for (int n = 0; n < frames; ++n) {
    const auto picture = [&](Sample sample) {
      return make_frame(format, [&](int p, int x, int y) { return p == 0 ? sample({x, y, n, depth}) : 1 << (depth - 1); });
    };
    pairs.push_back(std::make_shared<io::FramePair>(picture(pattern.reference), picture(pattern.distorted)));
  }
  return pairs;
}

struct Case {
  const Pattern& pattern;
  int width, height, depth;
  std::string feature;
  std::map<std::string, double> want;
};

void expect_case(const Case& c) {
  SCOPED_TRACE(c.feature + " " + std::to_string(c.width) + "x" + std::to_string(c.height) + " " + std::to_string(c.depth));
  const ExtractorRun run = run_or_fail(c.feature, pattern_pairs(c.pattern, c.width, c.height, c.depth));
  EXPECT_EQ(run.values.size(), c.want.size());
  for (const auto& [key, value] : c.want) expect_value(run, 0, key, value);
}

TEST(Cambi, HasTheValuesOfTheSpecification) {
  const Case cases[] = {
      {kB2,
       320,
       216,
       8,
       "cambi=full_ref=true",
       {{"cambi", 16.010359825884276}, {"cambi_source", 20.080581820059759}, {"cambi_full_reference", 0.0}}},
      {kB2,
       320,
       216,
       10,
       "cambi=full_ref=true",
       {{"cambi", 9.2019321292796477}, {"cambi_source", 5.2670775158243419}, {"cambi_full_reference", 3.9348546134553057}}},
      {kB2,
       320,
       216,
       9,
       "cambi=full_ref=true",
       {{"cambi", 9.1929773369552397}, {"cambi_source", 8.2340892695090222}, {"cambi_full_reference", 0.95888806744621746}}},
      {kB2, 217, 231, 8, "cambi", {{"cambi", 15.919486907297404}}},
      {kB1,
       320,
       216,
       8,
       "cambi=full_ref=true",
       {{"cambi", 23.864923525251832}, {"cambi_source", 18.425555589118645}, {"cambi_full_reference", 5.4393679361331877}}},
      {kB1, 256, 144, 8, "cambi", {{"cambi", 23.633531723536191}}},
      {kS, 320, 216, 10, "cambi=full_ref=true", {{"cambi", 0.0}, {"cambi_source", 0.94729692860360293}, {"cambi_full_reference", 0.0}}},
      {kB2, 1920, 1080, 10, "cambi", {{"cambi", 9.1818679293159775}}},
  };
  for (const Case& c : cases) expect_case(c);
}

TEST(Cambi, EveryOptionChangesValueAndKey) {
  const Case cases[] = {
      {kB2, 320, 216, 12, "cambi=max_log_contrast=5:tvi_threshold=0.03", {{"cambi_mlc_5_tvit_0.03", 1.9658267576795407}}},
      {kB2, 320, 216, 8, "cambi=enc_bitdepth=10", {{"cambi_encbd_10", 16.021720095969066}}},
      {kB2, 320, 216, 8, "cambi=topk=0.1", {{"cambi_topk_0.1", 29.684141691197787}}},
      {kB2, 320, 216, 8, "cambi=topk=0.1:cambi_topk=0.9", {{"cambi_ctpk_0.9_topk_0.1", 29.684141691197787}}},
      {kB2, 320, 216, 8, "cambi=cambi_topk=0.1", {{"cambi_ctpk_0.1", 29.684141691197787}}},
      {kB2, 320, 216, 8, "cambi=topk=1", {{"cambi_topk_1", 10.814670836002268}}},
      {kB2, 320, 216, 8, "cambi=window_size=127", {{"cambi_ws_127", 21.984678955545842}}},
      {kB2, 320, 216, 8, "cambi=eotf=pq:max_log_contrast=3", {{"cambi_eotf_pq_mlc_3", 16.238836268709029}}},
      {kB2, 320, 216, 8, "cambi=eotf=foo:cambi_eotf=pq:max_log_contrast=3", {{"cambi_ceot_pq_eotf_foo_mlc_3", 16.238836268709029}}},
      {kB2, 320, 216, 8, "cambi=enc_width=240:enc_height=160", {{"cambi_ench_160_encw_240", 18.244429214431182}}},
      {kB2,
       320,
       216,
       8,
       "cambi=full_ref=true:src_width=640:src_height=432",
       {{"cambi_srch_432_srcw_640", 16.010359825884276}, {"cambi_source", 21.0956390606813}, {"cambi_full_reference", 0.0}}},
      {kB2, 320, 216, 8, "cambi=cambi_max_val=12.5", {{"cambi_cmxv_12.5", 12.5}}},
      {kB1, 320, 216, 8, "cambi=cambi_vis_lum_threshold=10", {{"cambi_vlt_10", 23.454821839943605}}},
      {kB1, 320, 216, 8, "cambi=cambi_vis_lum_threshold=60", {{"cambi_vlt_60", 0.0}}},
      {kB2, 1920, 1080, 10, "cambi=cambi_high_res_speedup=1080", {{"cambi_hrs_1080", 9.1728050808233981}}},
  };
  for (const Case& c : cases) expect_case(c);
}

TEST(Cambi, AnOptionEqualToItsDefaultIsTheDefault) {
  const double value = 16.010359825884276;
  for (const char* feature : {"cambi=window_size=65", "cambi=tvi_threshold=0.0190000001", "cambi=full_ref=false", "cambi=eotf=bt1886"}) {
    expect_case({kB2, 320, 216, 8, feature, {{"cambi", value}}});
  }
  // Too small for the speed-up: the key shows the request.
  expect_case({kB2, 320, 216, 8, "cambi=cambi_high_res_speedup=1080", {{"cambi_hrs_1080", value}}});
  // An encoded size above the input's is not used.
  expect_case({kB2, 320, 216, 8, "cambi=enc_width=640:enc_height=432", {{"cambi_ench_432_encw_640", value}}});
}

TEST(Cambi, AnEnlargedSourceLeavesTheScoreAsItIs) {
  expect_case({kB2,
               320,
               216,
               10,
               "cambi=full_ref=true:src_width=320:src_height=216",
               {{"cambi_srch_216_srcw_320", 9.2019321292796477},
                {"cambi_source", 5.2670775158243419},
                {"cambi_full_reference", 3.9348546134553057}}});
  const ExtractorRun run = run_or_fail("cambi=full_ref=true:src_width=640:src_height=432", pattern_pairs(kB2, 320, 216, 10));
  expect_value(run, 0, "cambi_srch_432_srcw_640", 9.2019321292796477);  // libvmaf 3.2.0 shears the picture here
}

TEST(Cambi, IsNoneOnFlatNoisyAndIdenticalPictures) {
  for (const Pattern* pattern : {&kF, &kNoise}) {
    expect_case({*pattern, 320, 216, 8, "cambi=full_ref=true", {{"cambi", 0.0}, {"cambi_source", 0.0}, {"cambi_full_reference", 0.0}}});
  }
  const Pattern same{kB1.distorted, kB1.distorted};
  expect_case({same,
               320,
               216,
               8,
               "cambi=full_ref=true",
               {{"cambi", 23.864923525251832}, {"cambi_source", 23.864923525251832}, {"cambi_full_reference", 0.0}}});
}

TEST(Cambi, IsNoneWhereNoVisibleLevelIsLeft) {
  expect_case({kB1, 320, 216, 8, "cambi=cambi_vis_lum_threshold=300", {{"cambi_vlt_300", 0.0}}});
}

TEST(Cambi, LooksAtLumaAlone) {
  for (const io::Chroma chroma : {io::Chroma::k420, io::Chroma::k444}) {
    const ExtractorRun run = run_or_fail("cambi", pattern_pairs(kB2, 320, 216, 8, 1, chroma));
    expect_series(run, "cambi", {16.010359825884276});
  }
}

TEST(Cambi, ScoresTheWideAndTheTallByTheCleanDefinition) {
  expect_case({kB2, 1920, 100, 8, "cambi", {{"cambi", 20.733260420509598}}});
  expect_case({kB2, 100, 1920, 8, "cambi", {{"cambi", 22.496174222315528}}});
  expect_case({kB2, 3840, 64, 8, "cambi", {{"cambi", 8.8089185063064281}}});
  expect_case({kB2, 216, 8, 8, "cambi", {{"cambi", 6.0140736913767974}}});
}

// The refusal of create(), or "" where there is an instance.
std::string refusal(const std::string& feature, int width, int height) {
  const auto request = extractors::parse_feature(feature);
  if (!request) return request.error().message;
  const auto made = request->extractor->create(request->options, {{width, height, io::Chroma::k420, 8}, "clip"});
  return made ? "" : made.error().message;
}

TEST(Cambi, RefusesSizesWithTheLimit) {
  EXPECT_EQ(refusal("cambi", 215, 215),
            "cambi cannot score 215x215 4:2:0 8-bit: needs a width or height of at least 216, and scores at 215x215");
  EXPECT_EQ(refusal("cambi", 216, 8), "");
  EXPECT_EQ(refusal("cambi", 8, 216), "");
  EXPECT_THAT(refusal("cambi=enc_width=200:enc_height=200", 320, 216), HasSubstr("scores at 200x200"));
  EXPECT_THAT(refusal("cambi", 4096, 2160), HasSubstr("67 samples a side at 4096x2160, and the most is 65"));
  EXPECT_EQ(refusal("cambi=cambi_high_res_speedup=1080", 4096, 2160), "");
  EXPECT_EQ(refusal("cambi", 3840, 2160), "");
  EXPECT_THAT(refusal("cambi=window_size=66", 3840, 2160), HasSubstr("67 samples"));
  EXPECT_EQ(refusal("cambi=cambi_high_res_speedup=2160", 7680, 4320), "");
  EXPECT_THAT(refusal("cambi=src_width=7680:src_height=4320", 320, 216), HasSubstr("at 7680x4320, and the most is 65"));
  EXPECT_THAT(refusal("cambi=src_width=640:src_height=200", 320, 216), HasSubstr("source size 640x200"));
}

TEST(Cambi, RefusesValuesOutOfRange) {
  for (const char* option : {"window_size=14", "window_size=128", "topk=0", "cambi_topk=1.1", "full_ref=1", "tvi_threshold=0",
                             "cambi_max_val=1001", "enc_width=179", "enc_height=149", "enc_bitdepth=5", "src_width=319", "src_height=4321",
                             "cambi_vis_lum_threshold=301", "max_log_contrast=6", "cambi_high_res_speedup=2161"}) {
    const std::string text = option;
    EXPECT_THAT(refusal("cambi=" + text, 320, 216), HasSubstr("option " + text.substr(0, text.find('=')) + " is")) << option;
  }
  EXPECT_EQ(refusal("cambi=eotf=foo", 320, 216), "feature cambi=eotf=foo: option eotf is one of bt1886, pq, not \"foo\"");
  EXPECT_EQ(refusal("cambi=eotf=pq:cambi_eotf=bar", 320, 216),
            "feature cambi=eotf=pq:cambi_eotf=bar: option cambi_eotf is one of bt1886, pq, not \"bar\"");
}

TEST(Cambi, FailsAtASampleAboveTheBitDepth) {
  const io::PictureFormat format{320, 216, io::Chroma::k400, 10};
  const auto picture = make_frame(format, [](int, int x, int y) { return x == 319 && y == 215 ? 1024 : 500; });
  const auto run = run_extractor("cambi", {std::make_shared<io::FramePair>(picture, picture)});
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().message, HasSubstr("a luma sample is above 1023"));
}

TEST(Cambi, NeedsTheReferenceForFullRefAlone) {
  const auto needs = [](const std::string& feature) {
    const auto request = extractors::parse_feature(feature);
    return (*request->extractor->create(request->options, {{320, 216, io::Chroma::k420, 8}, "clip"}))->needs();
  };
  EXPECT_FALSE(needs("cambi").reference);
  EXPECT_TRUE(needs("cambi=full_ref=true").reference);
  EXPECT_GT(needs("cambi=full_ref=true").bytes_per_frame, needs("cambi").bytes_per_frame);
  EXPECT_GE(needs("cambi").bytes_per_frame, size_t{320 * 216 * 9});  // picture, mask, filtered picture, contrasts
}

TEST(CambiTables, LuminanceHasTheSpecifiedValues) {
  expect_bits(extractors::cambi_luminance(CambiEotf::kBt1886, 64), 0.0099999999999999985, "black");
  expect_bits(extractors::cambi_luminance(CambiEotf::kBt1886, 940), 300.0, "white");
  expect_bits(extractors::cambi_luminance(CambiEotf::kBt1886, 178), 2.7705813943845743, "178");
  expect_bits(extractors::cambi_luminance(CambiEotf::kPq, 305), 7.2668650192892059, "pq 305");
}

TEST(CambiTables, ThresholdsAreTheLastVisibleSteps) {
  struct Row {
    CambiEotf eotf;
    double threshold;
    std::vector<int> first_eight;
    int at16, at32;
  };
  constexpr CambiEotf kBt = CambiEotf::kBt1886;
  constexpr CambiEotf kPq = CambiEotf::kPq;
  const Row rows[] = {
      {kBt, 0.0001, {1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023}, 1023, 1023},
      {kBt, 0.005, {532, 1023, 1023, 1023, 1023, 1023, 1023, 1023}, 1023, 1023},
      {kBt, 0.019, {178, 305, 432, 559, 686, 813, 1023, 1023}, 1023, 1023},
      {kBt, 0.05, {100, 149, 197, 246, 295, 344, 392, 441}, 830, 1023},
      {kBt, 0.3, {0, 69, 77, 86, 95, 103, 112, 121}, 190, 328},
      {kBt, 1.0, {0, 0, 0, 0, 66, 69, 72, 75}, 99, 147},
      {kPq, 0.019, {233, 1023, 1023, 1023, 1023, 1023, 1023, 1023}, 1023, 1023},
      {kPq, 0.1, {84, 111, 143, 182, 228, 284, 355, 453}, 1023, 1023},
      {kPq, 1.0, {66, 68, 70, 72, 75, 78, 81, 83}, 110, 186},
  };
  for (const Row& row : rows) {
    const extractors::CambiThresholds got = extractors::cambi_thresholds(row.eotf, row.threshold, 32);
    EXPECT_EQ(std::vector<int>(got.begin() + 1, got.begin() + 9), row.first_eight) << row.threshold;
    EXPECT_EQ(got[16], row.at16) << row.threshold;
    EXPECT_EQ(got[32], row.at32) << row.threshold;
  }
}

TEST(CambiTables, DarkLimitIsTheFirstSampleBrightEnough) {
  const auto limit = [](double luminance) { return extractors::cambi_dark_limit(CambiEotf::kBt1886, luminance); };
  EXPECT_EQ(limit(0.0), 0);
  EXPECT_EQ(limit(0.05), 76);
  EXPECT_EQ(limit(1.0), 135);
  EXPECT_EQ(limit(100.0), 614);
  EXPECT_EQ(limit(300.0), 940);
  EXPECT_EQ(extractors::cambi_dark_limit(CambiEotf::kPq, 1.0), 196);
  EXPECT_EQ(extractors::cambi_dark_limit(CambiEotf::kPq, 300.0), 609);
}

TEST(CambiTables, ReciprocalsAreRoundedToNineDigitsFirst) {
  const extractors::CambiReciprocals& table = extractors::cambi_reciprocals();
  EXPECT_EQ(std::bit_cast<std::uint32_t>(table[0]), 0u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(table[82]), 0x3c47ce0du);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(table[4130]), 0x397de47bu);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(table[4224]), 0x39783e0fu);
  int others = 0;
  for (size_t i = 1; i < table.size(); ++i) others += table[i] != 1.0F / static_cast<float>(i) ? 1 : 0;
  EXPECT_EQ(others, 42);
}

TEST(CambiMask, ThresholdGrowsWithThePicture) {
  const auto threshold = extractors::cambi_mask_threshold;
  EXPECT_EQ(threshold(216, 16), 7);
  EXPECT_EQ(threshold(256, 144), 12);
  EXPECT_EQ(threshold(320, 216), 13);
  EXPECT_EQ(threshold(576, 324), 16);
  EXPECT_EQ(threshold(1280, 720), 19);
  EXPECT_EQ(threshold(1920, 1080), 21);
  EXPECT_EQ(threshold(2560, 1440), 22);
  EXPECT_EQ(threshold(3840, 2160), 24);
}

TEST(CambiMask, MarksWhatTheSpecificationCounts) {
  const auto pairs = pattern_pairs(kB2, 320, 216, 8);
  const extractors::CambiPicture& picture = extractors::cambi_picture(pairs[0]->distorted(), {320, 216, 5}, true);
  int marked = 0;
  for (int y = 0; y < 216; ++y) {
    for (int x = 0; x < 320; ++x) marked += picture.mask.view().row(y)[x];
  }
  EXPECT_EQ(marked, 69118);
}

TEST(CambiScales, ContrastsAndMeansAreThoseOfTheSpecification) {
  const auto pairs = pattern_pairs(kB2, 320, 216, 8);
  const extractors::Options options(extractors::find_extractor("cambi")->options);
  const auto setup = extractors::make_cambi_setup(options, pairs[0]->distorted().format());
  ASSERT_TRUE(setup.ok());
  EXPECT_EQ(setup->encoded.window, 5);
  std::vector<int> not_zero(extractors::kCambiScales);
  const extractors::CambiPicture& picture = extractors::cambi_picture(pairs[0]->distorted(), setup->encoded, setup->antidither);
  const extractors::CambiSums sums =
      extractors::cambi_sums(picture, setup->encoded, *setup, [&](int scale, io::Plane<const float> contrasts) {
        for (int y = 0; y < contrasts.height; ++y) {
          for (int x = 0; x < contrasts.width; ++x) not_zero[static_cast<size_t>(scale)] += contrasts.row(y)[x] != 0.0F ? 1 : 0;
        }
      });
  EXPECT_EQ(not_zero, (std::vector{19739, 9800, 4259, 1080, 280}));
  const double means[] = {8.5042402225483293, 15.477231281223121, 21.406563595489221, 21.182997730043198, 12.381051994505382};
  for (int scale = 0; scale < extractors::kCambiScales; ++scale) {
    const extractors::CambiView size = extractors::cambi_scale_view(setup->encoded, false, scale);
    const auto count = static_cast<double>(extractors::cambi_pooled_count(0.6, size.width, size.height));
    expect_bits(sums.sums[static_cast<size_t>(scale)] / count, means[scale], "scale " + std::to_string(scale));
  }
}

TEST(CambiScales, WindowFollowsTheSize) {
  const extractors::Options options(extractors::find_extractor("cambi")->options);
  const auto window = [&](const extractors::Options& given, int width, int height) {
    return extractors::make_cambi_setup(given, {width, height, io::Chroma::k420, 8})->encoded.window;
  };
  EXPECT_EQ(window(options, 320, 216), 5);
  EXPECT_EQ(window(options, 576, 324), 9);
  EXPECT_EQ(window(options, 1920, 1080), 33);
  EXPECT_EQ(window(options, 3840, 2160), 65);
  extractors::Options fast(extractors::find_extractor("cambi")->options);
  ASSERT_TRUE(fast.set("cambi_high_res_speedup", "1080").ok());
  EXPECT_EQ(window(fast, 1920, 1080), 17);
  EXPECT_EQ(window(fast, 4096, 2160), 35);
  EXPECT_EQ(window(fast, 7680, 4320), 65);
}

TEST(CambiPicture, ResamplingStaysInsideThePicture) {
  EXPECT_EQ(extractors::cambi_nearest_positions(4, 4), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(extractors::cambi_nearest_positions(6, 3), (std::vector{1, 3, 5}));
  EXPECT_EQ(extractors::cambi_nearest_positions(512, 7680).back(), 511);  // the accumulated error would give 512
}

TEST(CambiPicture, DitheringBecomesItsMean) {
  const io::PictureFormat format{2, 2, io::Chroma::k400, 8};
  const auto picture = make_frame(format, [](int, int x, int y) { return 10 + x + 2 * y; });
  const auto plane = extractors::cambi_ten_bit_plane(*picture, {2, 2, 1}, true, extractors::cambi_rows());
  EXPECT_EQ(plane.view().row(0)[0], (40 + 44 + 48 + 52) / 4);
  EXPECT_EQ(plane.view().row(0)[1], (44 + 52) / 2);
  EXPECT_EQ(plane.view().row(1)[0], (48 + 52) / 2);
  EXPECT_EQ(plane.view().row(1)[1], 52);
}

TEST(CambiPicture, DeepSamplesRoundUpToOneAboveTenBits) {
  EXPECT_EQ(extractors::cambi_ten_bits(65535, 16), 1024);
  EXPECT_EQ(extractors::cambi_ten_bits(31, 16), 0);
  EXPECT_EQ(extractors::cambi_ten_bits(32, 16), 1);
  EXPECT_EQ(extractors::cambi_ten_bits(255, 8), 1020);
}

}  // namespace
}  // namespace vmafbatch::testing
