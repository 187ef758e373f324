// ssimulacra2 against the numbers of its specification, its limits and its options.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "extractors/registry.h"
#include "extractors/ssimulacra2_transfer.h"
#include "support/expect_values.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::testing {
namespace {

namespace ss2 = extractors::ssimulacra2;
using io::Chroma;
using io::PictureFormat;

// The specification's input formulas: position, plane, frame and the largest sample value.
struct Place {
  int x, y, p, n, peak;
};
using Sample = std::function<int(const Place&)>;

int hash_below(const Place& at, int x, int y, int plane, int limit) {
  const auto u = [](int v) { return static_cast<std::uint32_t>(v); };
  std::uint32_t v = u(x) * 73856093u ^ u(y) * 19349663u ^ u(plane) * 83492791u ^ u(at.n) * 2654435761u;
  v ^= v >> 13;
  v *= 0x5bd1e995u;
  v ^= v >> 15;
  return static_cast<int>(v % u(limit));
}

int triangle(int t, int period) {
  const int phase = ((t % (2 * period)) + 2 * period) % (2 * period);
  return std::abs(phase - period);
}

int ramp(const Place& at) { return ((3 * at.x + 5 * at.y + 7 * at.n + 11 * at.p) & 255) * (at.peak + 1) / 256; }
int noise(const Place& at) { return hash_below(at, at.x, at.y, at.p, at.peak + 1); }
int coarse(const Place& at) { return hash_below(at, at.x >> 4, at.y >> 4, at.p, at.peak + 1); }
int black(const Place&) { return 0; }
int white(const Place& at) { return at.peak; }
int mix(const Place& at) {
  const int slope = triangle(2 * at.x + 3 * at.y + 5 * at.n + 40 * at.p, 97) * at.peak / 97 / 2;
  const int wave = triangle(5 * at.x - 2 * at.y - 7 * at.n + 13 * at.p, 61) * at.peak / 61 / 4;
  return std::min(at.peak, slope + wave + noise(at) / 8);
}

Sample plus_noise(const Sample& source, int amount) {
  return
      [=](const Place& at) { return std::clamp(source(at) + hash_below(at, at.x, at.y, at.p + 3, 2 * amount + 1) - amount, 0, at.peak); };
}
Sample quantised(const Sample& source, int step) {
  return [=](const Place& at) { return source(at) / step * step; };
}
Sample plus_product(const Sample& source, int modulus) {
  return [=](const Place& at) { return std::clamp(source(at) + at.x * at.y % modulus, 0, at.peak); };
}

Pairs pairs_of(const PictureFormat& format, const Sample& reference, const Sample& distorted, int frames = 1) {
  Pairs pairs;
  for (int n = 0; n < frames; ++n) {
    const auto at = [&](const Sample& sample) {
      return [&sample, n, peak = (1 << format.bit_depth) - 1](int p, int x, int y) { return sample({x, y, p, n, peak}); };
    };
    pairs.push_back(std::make_shared<io::FramePair>(make_frame(format, at(reference)), make_frame(format, at(distorted))));
  }
  return pairs;
}

void expect_scores(const Pairs& pairs, const std::vector<double>& want, const std::string& feature = "ssimulacra2") {
  expect_series(run_or_fail(feature, pairs), "ssimulacra2", want);
}

const PictureFormat kSmall{64, 48, Chroma::k420, 8};

TEST(Ssimulacra2, TheTestPicturesAreTheSpecifications) {
  const int first[] = {190, 193, 192, 175, 161, 182};
  for (int x = 0; x < 6; ++x) EXPECT_EQ(mix({x, 0, 0, 0, 255}), first[x]) << x;
}

TEST(Ssimulacra2, EqualsTheSpecificationAtEightBits) {
  expect_scores(pairs_of(kSmall, ramp, plus_product(ramp, 7), 2), {89.519499196975559, 89.104695657912117});
  expect_scores(pairs_of(kSmall, mix, plus_noise(mix, 6), 2), {86.617935881998534, 86.77058573214515});
  expect_scores(pairs_of({320, 180, Chroma::k420, 8}, mix, quantised(mix, 16), 2), {57.686445960832827, 57.745613000523342});
}

TEST(Ssimulacra2, EqualsTheSpecificationAtDeeperSamplesAndOtherChroma) {
  expect_scores(pairs_of({50, 37, Chroma::k444, 10}, mix, plus_noise(mix, 40), 2), {81.046283079451996, 81.042017205229541});
  expect_scores(pairs_of({66, 40, Chroma::k422, 12}, noise, plus_noise(noise, 600)), {59.016066137287069});
  expect_scores(pairs_of({120, 90, Chroma::k420, 16}, coarse, quantised(coarse, 8192)), {11.345921859319276});
  expect_scores(pairs_of({453, 257, Chroma::k420, 10}, mix, plus_noise(mix, 24)), {80.115007678363995});
}

TEST(Ssimulacra2, EqualsTheSpecificationAtFullHd) {
  expect_scores(pairs_of({1920, 1080, Chroma::k420, 8}, mix, plus_noise(mix, 6)), {80.439994100026297});
}

TEST(Ssimulacra2, EveryMatrixHasItsOwnScoreUnderOneKey) {
  const Pairs pairs = pairs_of(kSmall, mix, plus_noise(mix, 6));
  expect_scores(pairs, {86.617935881998534}, "ssimulacra2=yuv_matrix=0");
  expect_scores(pairs, {85.195505521168315}, "ssimulacra2=yuv_matrix=1");
  expect_scores(pairs, {87.35582069896418}, "ssimulacra2=yuv_matrix=2");
  expect_scores(pairs, {86.018372354462841}, "ssimulacra2=yuv_matrix=3");
}

TEST(Ssimulacra2, SmallPicturesEvaluateTheScalesThatTheyHave) {
  expect_scores(pairs_of({33, 9, Chroma::k420, 8}, mix, plus_noise(mix, 9)), {87.914181566988773});
  expect_scores(pairs_of({8, 8, Chroma::k444, 8}, noise, plus_noise(noise, 20)), {88.117754300896706});
  for (const PictureFormat& format : {PictureFormat{9, 8, Chroma::k420, 8}, {255, 8, Chroma::k422, 10}, {8, 255, Chroma::k444, 8}}) {
    const ExtractorRun run = run_or_fail("ssimulacra2", pairs_of(format, mix, quantised(mix, 32)));
    EXPECT_LT(run.values.at({0, "ssimulacra2"}), 100.0) << format.text();
  }
}

TEST(Ssimulacra2, BelowEightSamplesNothingIsEvaluated) {
  expect_scores(pairs_of({7, 7, Chroma::k444, 8}, mix, plus_noise(mix, 9)), {100.0});
  expect_scores(pairs_of({8, 7, Chroma::k420, 8}, black, white), {100.0});
  expect_scores(pairs_of({7, 200, Chroma::k422, 16}, black, white), {100.0});
  expect_scores(pairs_of({1, 1, Chroma::k420, 10}, black, white), {100.0});
}

TEST(Ssimulacra2, IdenticalPicturesScoreExactlyOneHundred) {
  expect_scores(pairs_of(kSmall, noise, noise), {100.0});
  expect_scores(pairs_of({65, 67, Chroma::k444, 12}, mix, mix, 2), {100.0, 100.0});
}

TEST(Ssimulacra2, FlatPicturesHaveAScore) {
  expect_scores(pairs_of(kSmall, black, black), {100.0});
  expect_scores(pairs_of(kSmall, white, white), {100.0});
  expect_scores(pairs_of(kSmall, black, white), {-64.238376506773164});
}

std::string refusal(const std::string& feature, const PictureFormat& format) {
  const auto run = run_extractor(feature, pairs_of(format, black, black));
  return run.ok() ? "" : run.error().message;
}

TEST(Ssimulacra2, RefusesPicturesWithoutChroma) {
  EXPECT_EQ(refusal("ssimulacra2", {64, 48, Chroma::k400, 8}),
            "ssimulacra2 cannot score 64x48 4:0:0 8-bit: needs chroma, 4:2:0, 4:2:2 or 4:4:4");
}

TEST(Ssimulacra2, RefusesMatricesThatItDoesNotKnow) {
  for (const std::string text : {"4", "-1"}) {
    EXPECT_EQ(refusal("ssimulacra2=yuv_matrix=" + text, kSmall),
              "feature ssimulacra2=yuv_matrix=" + text + ": option yuv_matrix is a whole number from 0 to 3, not \"" + text + "\"");
  }
}

TEST(Ssimulacra2, TwoMatricesInOneRunAreAnErrorThatNamesTheKey) {
  const auto merged =
      extractors::merge_requests({*extractors::parse_feature("ssimulacra2"), *extractors::parse_feature("ssimulacra2=yuv_matrix=2")});
  ASSERT_FALSE(merged.ok());
  EXPECT_NE(merged.error().message.find("option yuv_matrix changes ssimulacra2"), std::string::npos);
}

TEST(Ssimulacra2, BrokenSumsAreNeverAPlausibleScore) {
  const auto request = extractors::parse_feature("ssimulacra2");
  const auto extractor = request->extractor->create(request->options, {kSmall, "clip"});
  for (const double broken : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    extractors::Measurements sums(108);
    sums.set_real(2, broken);
    extractors::FrameFeatures features;
    (*extractor)->conclude(sums, features);
    EXPECT_TRUE(std::isnan(features.values().front().second)) << broken;
  }
}

TEST(Ssimulacra2, MeasuresOneSumPerScaleChannelAndNorm) {
  const auto request = extractors::parse_feature("ssimulacra2");
  const auto extractor = request->extractor->create(request->options, {{16, 16, Chroma::k420, 8}, "clip"});
  extractors::Measurements sums;
  (*extractor)->measure(window_at(pairs_of({16, 16, Chroma::k420, 8}, black, white), 0, 0), sums);
  ASSERT_EQ(sums.size(), 108u);
  for (size_t slot = 36; slot < sums.size(); ++slot) EXPECT_EQ(sums.integer(slot), 0u) << slot;  // 16x16 and 8x8 are its scales
  EXPECT_GT(sums.real(0), 0.0);
  EXPECT_GT(sums.real(18), 0.0);
}

TEST(Ssimulacra2, DeclaresTheMemoryOfItsPlanes) {
  const auto request = extractors::parse_feature("ssimulacra2");
  const auto bytes = [&](const PictureFormat& format) {
    return (*request->extractor->create(request->options, {format, "clip"}))->needs().bytes_per_frame;
  };
  EXPECT_GT(bytes({1920, 1080, Chroma::k420, 8}), 2 * 3 * 4 * 1920u * 1080u);
  EXPECT_EQ(bytes({7, 1080, Chroma::k420, 8}), 0u);
}

TEST(Ssimulacra2, TheTransferTableIsTheFunctionRoundedToFloat) {
  for (int i = 0; i < ss2::kTransferEntries; ++i) {
    const double x = i / 1023.0;
    const double linear = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    EXPECT_EQ(ss2::kTransfer[static_cast<size_t>(i)], static_cast<float>(linear)) << i;
  }
}

TEST(Ssimulacra2, TheCubeRootOfTheBiasIsTheConstant) { EXPECT_EQ(ss2::cube_root(ss2::kBias), ss2::kCubeRootOfBias); }

}  // namespace
}  // namespace vmafbatch::testing
