// speed_chroma and speed_temporal: libvmaf's values on pictures from a formula, options and keys, limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "extractors/registry.h"
#include "extractors/speed_score.h"
#include "support/expect_values.h"

namespace vmafbatch::testing {
namespace {

using ::testing::HasSubstr;

std::uint32_t hash_of(int x, int y, int p, int n) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t v = (u(x) * 73856093u) ^ (u(y) * 19349663u) ^ (u(p) * 83492791u) ^ (u(n) * 2654435761u);
  v ^= v >> 13;
  v *= 0x5bd1e995u;
  v ^= v >> 15;
  return v;
}

int triangle(int t, int period) {
  const int place = ((t % (2 * period)) + 2 * period) % (2 * period);
  return std::abs(place - period);
}

enum class Pattern { kMix, kNoise, kFlat };

// What is done to a picture, in this order.
struct Change {
  int add = 0;          // noise of up to this many levels
  int quantise = 0;     // step; 0: none
  int flat_plane = -1;  // becomes mid-grey
};

struct Scene {
  int width;
  int height;
  io::Chroma chroma;
  int depth;
  Change distorted{};
  Change reference{};
  Pattern reference_pattern = Pattern::kMix;
  Pattern distorted_pattern = Pattern::kMix;
};

struct Place {
  int x, y, p, n, peak;
};

int pattern_of(Pattern pattern, const Place& at) {
  const auto noise = static_cast<int>(hash_of(at.x, at.y, at.p, at.n) % static_cast<std::uint32_t>(at.peak + 1));
  if (pattern == Pattern::kFlat) return (at.peak + 1) / 2;
  if (pattern == Pattern::kNoise) return noise;
  const int coarse = triangle(2 * at.x + 3 * at.y + 5 * at.n + 40 * at.p, 97) * at.peak / 97 / 2;
  const int fine = triangle(5 * at.x - 2 * at.y - 7 * at.n + 13 * at.p, 61) * at.peak / 61 / 4;
  return std::min(at.peak, coarse + fine + noise / 8);
}

int sample_of(Pattern pattern, const Change& change, const Place& at) {
  int v = pattern_of(pattern, at);
  if (change.add > 0) {
    const auto range = static_cast<std::uint32_t>(2 * change.add + 1);
    v = std::clamp(v + static_cast<int>(hash_of(at.x, at.y, at.p + 3, at.n) % range) - change.add, 0, at.peak);
  }
  if (change.quantise > 0) v = v / change.quantise * change.quantise;
  return at.p == change.flat_plane ? (at.peak + 1) / 2 : v;
}

Pairs pairs_of(const Scene& scene, int frames) {
  const io::PictureFormat format{scene.width, scene.height, scene.chroma, scene.depth};
  const int peak = (1 << scene.depth) - 1;
  Pairs pairs;
  for (int n = 0; n < frames; ++n) {
    const auto picture = [&](Pattern pattern, const Change& change) {
      return make_frame(format, [&](int p, int x, int y) { return sample_of(pattern, change, {x, y, p, n, peak}); });
    };
    pairs.push_back(std::make_shared<io::FramePair>(picture(scene.reference_pattern, scene.reference),
                                                    picture(scene.distorted_pattern, scene.distorted)));
  }
  return pairs;
}

constexpr auto k420 = io::Chroma::k420;
constexpr auto k422 = io::Chroma::k422;
constexpr auto k444 = io::Chroma::k444;

// libvmaf's values at frames 0, 1, ...
void expect_temporal(const Scene& scene, const std::string& feature, const std::string& key, const std::vector<double>& want) {
  SCOPED_TRACE(feature + " " + std::to_string(scene.width) + "x" + std::to_string(scene.height));
  expect_series(run_or_fail(feature, pairs_of(scene, static_cast<int>(want.size()))), key, want);
}

// u, v and uv at frames 0, 1, ...
void expect_chroma(const Scene& scene, const std::string& feature, const std::string& suffix,
                   const std::vector<std::array<double, 3>>& want) {
  SCOPED_TRACE(feature + " " + std::to_string(scene.width) + "x" + std::to_string(scene.height));
  const ExtractorRun run = run_or_fail(feature, pairs_of(scene, static_cast<int>(want.size())));
  for (size_t n = 0; n < want.size(); ++n) {
    expect_value(run, static_cast<std::int64_t>(n), "speed_chroma_u" + suffix, want[n][0]);
    expect_value(run, static_cast<std::int64_t>(n), "speed_chroma_v" + suffix, want[n][1]);
    expect_value(run, static_cast<std::int64_t>(n), "speed_chroma_uv" + suffix, want[n][2]);
  }
}

const Scene kGrain{.width = 576, .height = 324, .chroma = k420, .depth = 8, .distorted = {.add = 6}};
const Scene kSmall444{.width = 320, .height = 240, .chroma = k444, .depth = 8, .distorted = {.add = 6}};
const Scene kDeepNoise{.width = 256,
                       .height = 224,
                       .chroma = k444,
                       .depth = 16,
                       .distorted = {.add = 8000},
                       .reference_pattern = Pattern::kNoise,
                       .distorted_pattern = Pattern::kNoise};

Scene grain(int width, int height) { return {.width = width, .height = height, .chroma = k420, .depth = 8, .distorted = {.add = 6}}; }

TEST(SpeedChroma, EqualsLibvmafAtEveryDepthAndSubsampling) {
  expect_chroma(kGrain, "speed_chroma", "",
                {{11.907440185546875, 8.1744585037231445, 10.040948867797852},
                 {6.2238821983337402, 7.9727606773376465, 7.0983214378356934},
                 {6.9870452880859375, 9.0420942306518555, 8.0145702362060547}});
  expect_chroma(
      {.width = 320, .height = 240, .chroma = k444, .depth = 10, .distorted = {.add = 24}},
      "speed_chroma=speed_weight_var_mode=3:speed_sigma_nn=0.5", "_snn_0.5_wvm_3",
      {{1.6386489868164062, 1.8259519338607788, 1.7323005199432373}, {4.005852222442627, 4.6649818420410156, 4.3354167938232422}});
  expect_chroma(
      {.width = 352, .height = 288, .chroma = k422, .depth = 12, .distorted = {.quantise = 256}},
      "speed_chroma=speed_kernelscale=2:speed_nn_floor=0.5", "_ks_2_nnf_0.5",
      {{9.2559328079223633, 7.1944313049316406, 8.2251815795898438}, {8.0588150024414062, 6.0556397438049316, 7.0572271347045898}});
  expect_chroma(
      grain(1920, 1080), "speed_chroma", "",
      {{11.75069522857666, 13.443873405456543, 12.597284317016602}, {11.705241203308105, 11.598086357116699, 11.651663780212402}});
}

TEST(SpeedChroma, CapsEachScore) {
  expect_chroma(kDeepNoise, "speed_chroma=speed_max_val=12", "_mxv_12", {{12, 12, 12}, {12, 9.5963621139526367, 12}});
  expect_chroma(kDeepNoise, "speed_chroma=speed_max_val=30", "_mxv_30", {{16.164545059204102, 17.330184936523438, 16.747364044189453}});
}

TEST(SpeedChroma, WeightsTheEntropiesBySevenModes) {
  constexpr std::array<double, 7> kU = {9.1599082946777344, 1.8249105215072632, 1.8043874502182007, 1.8148969411849976,
                                        5.1002669334411621, 3.3091189861297607, 6.9924888610839844};
  constexpr std::array<double, 7> kV = {8.5904331207275391, 1.7717971801757812, 1.7625923156738281, 1.7674306631088257,
                                        5.0874691009521484, 3.3620002269744873, 6.8237528800964355};
  const Pairs pairs = pairs_of(kSmall444, 1);
  for (size_t mode = 0; mode < kU.size(); ++mode) {
    const std::string text = std::to_string(mode);
    const std::string suffix = mode == 0 ? "" : "_wvm_" + text;
    const ExtractorRun run = run_or_fail("speed_chroma=speed_weight_var_mode=" + text, pairs);
    expect_value(run, 0, "speed_chroma_u" + suffix, kU[mode]);
    expect_value(run, 0, "speed_chroma_v" + suffix, kV[mode]);
  }
}

TEST(SpeedChroma, ResizesByFourMethods) {
  const Pairs pairs = pairs_of(kSmall444, 1);
  const auto expect = [&](const std::string& scale, const std::string& method, double u, double v) {
    const ExtractorRun run = run_or_fail("speed_chroma=speed_prescale=" + scale + ":speed_prescale_method=" + method, pairs);
    const std::string suffix = "_ps_" + scale + (method == "nearest" ? "" : "_psm_" + method);
    expect_value(run, 0, "speed_chroma_u" + suffix, u);
    expect_value(run, 0, "speed_chroma_v" + suffix, v);
  };
  expect("0.7", "nearest", 3.3185005187988281, 4.3280220031738281);
  expect("0.7", "bilinear", 5.3656501770019531, 2.3782806396484375);
  expect("0.7", "bicubic", 7.2437210083007812, 2.9475288391113281);
  expect("0.7", "lanczos4", 10.281520843505859, 4.160552978515625);
  expect("1.3", "nearest", 13.242706298828125, 11.129687309265137);
  expect("1.3", "bilinear", 16.680994033813477, 19.125394821166992);
  expect("1.3", "bicubic", 17.383268356323242, 16.488138198852539);
  expect("1.3", "lanczos4", 17.353120803833008, 16.46739387512207);
}

TEST(SpeedChroma, CombinesOptions) {
  expect_chroma({.width = 320, .height = 240, .chroma = k444, .depth = 10, .distorted = {.quantise = 64}},
                "speed_chroma=speed_kernelscale=0.711111:speed_prescale=1.3:speed_prescale_method=bicubic:speed_sigma_nn=0.3",
                "_ks_0.711111_ps_1.3_psm_bicubic_snn_0.3",
                {{19.559946060180664, 16.413520812988281, 17.986732482910156}, {17.498218536376953, 16.888986587524414, 17.193603515625}});
}

TEST(SpeedChroma, SingularPlanesScoreZeroAndAreImputed) {
  expect_chroma(grain(160, 160), "speed_chroma", "", {{0, 0, 0}});  // too few samples for a regular covariance
  Scene scene = kSmall444;
  scene.reference_pattern = Pattern::kFlat;
  scene.distorted = {};
  expect_chroma(scene, "speed_chroma", "", {{0, 0, 0}});
  scene = kSmall444;
  scene.reference.flat_plane = 1;
  expect_chroma(scene, "speed_chroma", "", {{0, 8.5904331207275391, 8.5904331207275391}});
  scene.distorted.flat_plane = 1;
  expect_chroma(scene, "speed_chroma", "", {{0, 8.5904331207275391, 8.5904331207275391}});
  scene.reference.flat_plane = 2;
  scene.distorted.flat_plane = 2;
  expect_chroma(scene, "speed_chroma", "", {{9.1599082946777344, 0, 9.1599082946777344}});
}

TEST(SpeedChroma, IdenticalPicturesScoreZero) {
  Scene scene = kSmall444;
  scene.distorted = {};
  expect_chroma(scene, "speed_chroma", "", {{0, 0, 0}});
}

TEST(SpeedChroma, OddSizesUseTheWholeChromaPlane) {
  EXPECT_EQ(run_or_fail("speed_chroma", pairs_of(grain(675, 483), 2)).values,
            run_or_fail("speed_chroma", pairs_of(grain(676, 484), 2)).values);
}

TEST(SpeedTemporal, EqualsLibvmaf) {
  expect_temporal(kGrain, "speed_temporal", "speed_temporal", {0, 10.36650562286377, 10.4998779296875});
  expect_temporal(kDeepNoise, "speed_temporal", "speed_temporal", {0, 20.183626174926758, 15.162101745605469});
  expect_temporal(grain(675, 483), "speed_temporal", "speed_temporal", {0, 12.408974647521973});
  expect_temporal(grain(453, 257), "speed_temporal", "speed_temporal", {0, 10.76612663269043});
  expect_temporal(grain(160, 160), "speed_temporal", "speed_temporal", {0, 3.9242572784423828});
  expect_temporal(grain(1920, 1080), "speed_temporal", "speed_temporal", {0, 13.203397750854492});
}

TEST(SpeedTemporal, OptionsChangeValueAndKey) {
  expect_temporal(kSmall444, "speed_temporal=speed_use_ref_diff=true", "speed_temporal_urd", {0, 12.006694793701172, 6.2518997192382812});
  expect_temporal(kSmall444, "speed_temporal=speed_prescale=1.5:speed_prescale_method=bilinear", "speed_temporal_ps_1.5_psm_bilinear",
                  {0, 11.889765739440918});
  expect_temporal(kSmall444, "speed_temporal=speed_max_val=3", "speed_temporal_mxv_3", {0, 12.874333381652832});  // no cap
}

TEST(SpeedTemporal, TheFirstFrameScoresZero) {
  expect_temporal(kSmall444, "speed_temporal=speed_use_ref_diff=true", "speed_temporal_urd", {0});
}

TEST(SpeedTemporal, SingularDifferencesScoreZero) {
  expect_temporal(grain(80, 80), "speed_temporal", "speed_temporal", {0, 0});
  Scene scene = kSmall444;  // the reference stands still
  scene.reference_pattern = Pattern::kFlat;
  expect_temporal(scene, "speed_temporal", "speed_temporal", {0, 0});
}

TEST(SpeedTemporal, SubsamplingKeepsTheFrameBefore) {
  const Pairs pairs = pairs_of(kGrain, 3);
  const ExtractorRun run = run_or_fail("speed_temporal", pairs, 2);
  EXPECT_EQ(run.values.size(), 2u);
  expect_value(run, 2, "speed_temporal", 10.4998779296875);
}

std::string refusal(const std::string& feature, const io::PictureFormat& format) {
  const auto request = extractors::parse_feature(feature);
  if (!request.ok()) return request.error().message;
  const auto extractor = request->extractor->create(request->options, {format, "clip"});
  return extractor.ok() ? "" : extractor.error().message;
}

TEST(SpeedLimits, RefusesPlanesBelowOneBlock) {
  EXPECT_EQ(refusal("speed_chroma", {158, 200, k420, 8}),
            "speed_chroma cannot score 158x200 4:2:0 8-bit: needs chroma planes of at least 80x80, these have 79x100");
  EXPECT_EQ(refusal("speed_chroma", {200, 158, k420, 8}),
            "speed_chroma cannot score 200x158 4:2:0 8-bit: needs chroma planes of at least 80x80, these have 100x79");
  EXPECT_EQ(refusal("speed_chroma", {159, 159, k420, 8}), "");  // chroma rounds up to 80
  EXPECT_EQ(refusal("speed_chroma", {160, 80, k422, 8}), "");
  EXPECT_NE(refusal("speed_chroma", {160, 79, k422, 8}), "");
  EXPECT_NE(refusal("speed_temporal", {79, 80, k444, 8}), "");
  EXPECT_NE(refusal("speed_temporal", {80, 79, k444, 8}), "");
  EXPECT_EQ(refusal("speed_temporal", {80, 80, io::Chroma::k400, 8}), "");
}

TEST(SpeedLimits, CountTheSizeAfterThePrescale) {
  EXPECT_EQ(refusal("speed_temporal=speed_prescale=0.5", {158, 200, k420, 8}),
            "speed_temporal cannot score 158x200 4:2:0 8-bit: needs luma planes of at least 80x80 after speed_prescale, these have 79x100");
  EXPECT_EQ(refusal("speed_temporal=speed_prescale=0.5", {159, 159, k420, 8}), "");
  EXPECT_EQ(refusal("speed_temporal=speed_prescale=4", {20, 20, k420, 8}), "");
}

TEST(SpeedLimits, RefusesPicturesWithoutChroma) {
  EXPECT_EQ(refusal("speed_chroma", {320, 240, io::Chroma::k400, 8}), "speed_chroma cannot score 320x240 4:0:0 8-bit: needs chroma planes");
}

TEST(SpeedOptions, RefusesWhatLibvmafCrashesOn) {
  for (const std::string name : {"speed_chroma", "speed_temporal"}) {
    EXPECT_THAT(refusal(name + "=speed_kernelscale=0.9", {320, 240, k444, 8}), HasSubstr("option speed_kernelscale is one of 1, 0.5, "));
    EXPECT_THAT(refusal(name + "=speed_prescale_method=area", {320, 240, k444, 8}), HasSubstr("speed_prescale_method"));
    EXPECT_THAT(refusal(name + "=unknown=1", {320, 240, k444, 8}), HasSubstr("unknown option"));
  }
  EXPECT_THAT(refusal("speed_temporal=speed_weight_var_mode=1", {320, 240, k444, 8}), HasSubstr("unknown option"));
  EXPECT_THAT(refusal("speed_chroma=speed_use_ref_diff=true", {320, 240, k444, 8}), HasSubstr("unknown option"));
}

TEST(SpeedOptions, HaveInclusiveRanges) {
  const io::PictureFormat format{900, 900, k444, 8};
  for (const char* valid : {"speed_kernelscale=0.5", "speed_kernelscale=3.71134", "speed_prescale=0.1", "speed_prescale=4",
                            "speed_sigma_nn=0.1", "speed_sigma_nn=2", "speed_nn_floor=0", "speed_nn_floor=1", "speed_max_val=0",
                            "speed_max_val=1000", "speed_weight_var_mode=0", "speed_weight_var_mode=6"}) {
    EXPECT_EQ(refusal(std::string("speed_chroma=") + valid, format), "") << valid;
  }
  for (const char* wrong : {"speed_kernelscale=0.09", "speed_kernelscale=4.1", "speed_prescale=0.09", "speed_prescale=4.1",
                            "speed_sigma_nn=0.09", "speed_sigma_nn=2.1", "speed_nn_floor=-0.1", "speed_nn_floor=1.1", "speed_max_val=-1",
                            "speed_max_val=1001", "speed_weight_var_mode=-1", "speed_weight_var_mode=7"}) {
    EXPECT_NE(refusal(std::string("speed_chroma=") + wrong, format), "") << wrong;
  }
}

TEST(SpeedOptions, KeysListThemByName) {
  const auto key = [](const std::string& feature, size_t index) {
    const auto request = extractors::parse_feature(feature);
    return extractors::feature_key(request->extractor->features[index], request->options);
  };
  EXPECT_EQ(key("speed_chroma", 2), "speed_chroma_uv");
  EXPECT_EQ(key("speed_chroma=speed_weight_var_mode=4:speed_sigma_nn=0.711111:speed_prescale=0.9:speed_prescale_method=bicubic:"
                "speed_nn_floor=0.25:speed_max_val=900:speed_kernelscale=1.5",
                0),
            "speed_chroma_u_ks_1.5_mxv_900_nnf_0.25_ps_0.9_psm_bicubic_snn_0.711111_wvm_4");
  EXPECT_EQ(key("speed_temporal=speed_use_ref_diff=true:speed_sigma_nn=0.3", 0), "speed_temporal_snn_0.3_urd");
  EXPECT_EQ(key("speed_chroma=speed_kernelscale=0.99905", 1), "speed_chroma_v_ks_0.99905");
  EXPECT_EQ(key("speed_chroma=speed_kernelscale=1.0009", 1), "speed_chroma_v_ks_1.0009");
}

TEST(SpeedOptions, APrescaleNearOneResizesNothing) {
  const Pairs pairs = pairs_of({.width = 1200, .height = 96, .chroma = k444, .depth = 8, .distorted = {.add = 6}}, 2);
  const ExtractorRun plain = run_or_fail("speed_temporal", pairs);
  expect_value(run_or_fail("speed_temporal=speed_prescale=1.0009", pairs), 1, "speed_temporal_ps_1.0009",
               plain.values.at({1, "speed_temporal"}));
}

TEST(SpeedScore, NotANumberStaysNotANumber) {
  const auto request = extractors::parse_feature("speed_chroma");
  const auto extractor = request->extractor->create(request->options, {{160, 160, k420, 8}, "clip"});
  extractors::Measurements measured(4 * (1 + 25 + 1));
  measured.set_real(26, std::numeric_limits<double>::quiet_NaN());  // Cb's variance
  extractors::FrameFeatures features;
  (*extractor)->conclude(measured, features);
  EXPECT_TRUE(std::isnan(features.values()[0].second));
  EXPECT_EQ(features.values()[1].second, 0.0);
  EXPECT_TRUE(std::isnan(features.values()[2].second));
}

}  // namespace
}  // namespace vmafbatch::testing
