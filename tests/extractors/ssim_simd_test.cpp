// The fast paths of ssim, float_ssim and float_ms_ssim against their plain twins, bit for bit over random pictures.
#include "extractors/ssim_simd.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "extractors/float_ms_ssim_pyramid.h"
#include "extractors/float_ssim_decimation.h"
#include "extractors/float_ssim_simd.h"
#include "extractors/ssim_sums.h"
#include "support/expect_values.h"
#include "support/random_frames.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

using extractors::FloatPlane;

constexpr RandomKind kKinds[] = {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear};

// Calls check(first, second) with two random grey pictures of every width in a vector and its neighbours, every depth and kind.
template <class Check>
void for_random_pairs(int smallest, Check&& check) {
  std::uint32_t seed = 1;
  for (const int depth : {8, 10, 12, 16}) {
    for (int width = smallest; width < smallest + 40; width += 3) {
      const io::PictureFormat format{width, smallest + static_cast<int>(seed) % 29, io::Chroma::k400, depth};
      const RandomKind kind = kKinds[seed % 3];
      SCOPED_TRACE(format.text() + " seed " + std::to_string(seed));
      check(*random_frame(format, seed, kind), *random_frame(format, seed + 1, kind));
      seed += 2;
    }
  }
}

FloatPlane samples(const io::Frame& frame) { return extractors::slow_float_samples(frame, 0, 0.0f); }

void expect_same(const FloatPlane& fast, const FloatPlane& plain) {
  ASSERT_EQ(fast.width(), plain.width());
  ASSERT_EQ(fast.height(), plain.height());
  for (int y = 0; y < fast.height(); ++y) {
    for (int x = 0; x < fast.width(); ++x) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(fast.view().row(y)[x]), std::bit_cast<std::uint32_t>(plain.view().row(y)[x])) << x << "," << y;
    }
  }
}

void expect_same_sums(const FloatPlane& a, const FloatPlane& b) {
  const auto fast = extractors::fast_float_ssim_sums(a.view(), b.view());
  const auto plain = extractors::slow_float_ssim_sums(a.view(), b.view());
  expect_bits(fast.score, plain.score, "score");
  expect_bits(fast.luminance, plain.luminance, "luminance");
  expect_bits(fast.contrast, plain.contrast, "contrast");
  expect_bits(fast.structure, plain.structure, "structure");
}

void check_ssim() {
  for_random_pairs(1, [](const io::Frame& a, const io::Frame& b) {
    expect_bits(extractors::fast_ssim9_sum(a, b), extractors::slow_ssim9_sum(a, b), "sum");
    expect_bits(extractors::fast_ssim9_sum(a, a), extractors::slow_ssim9_sum(a, a), "sum of one picture twice");
  });
}

void check_sums() {
  for_random_pairs(11, [](const io::Frame& a, const io::Frame& b) {
    expect_same_sums(samples(a), samples(b));
    expect_same_sums(samples(a), samples(a));
  });
}

// Arbitrary floats, as the coarser scales have them; a flat part, where variances vanish.
void check_sums_of_floats() {
  std::mt19937 random(20240901);
  for (const float amplitude : {0.001f, 3.0f, 300.0f}) {
    FloatPlane a(53, 31);
    FloatPlane b(53, 31);
    std::uniform_real_distribution<float> sample(-amplitude, amplitude);
    for (int y = 0; y < 31; ++y) {
      for (int x = 0; x < 53; ++x) {
        a.view().row(y)[x] = x < 25 ? 100.0f : sample(random);
        b.view().row(y)[x] = y < 15 ? 100.0f : sample(random);
      }
    }
    expect_same_sums(a, b);
  }
}

void check_low_pass() {
  for_random_pairs(9, [](const io::Frame& a, const io::Frame&) {
    FloatPlane plane = samples(a);
    while (plane.width() >= 9 && plane.height() >= 9) {
      const FloatPlane plain = extractors::slow_low_passed(std::as_const(plane).view());
      expect_same(extractors::fast_low_passed(std::as_const(plane).view()), plain);
      plane = extractors::slow_low_passed(std::as_const(plane).view());
    }
  });
}

void check_decimation() {
  std::uint32_t seed = 1;
  for (const int depth : {8, 10, 12, 16}) {
    for (const int factor : {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 31, 64}) {
      const int side = std::max(11, factor) + static_cast<int>(seed % 37);
      const io::PictureFormat format{2 * side + 1 + static_cast<int>(seed % 2), side, io::Chroma::k400, depth};
      SCOPED_TRACE(format.text() + " by " + std::to_string(factor));
      const auto frame = random_frame(format, seed, kKinds[seed % 3]);
      expect_same(extractors::fast_decimated(*frame, 0, factor), extractors::slow_decimated(*frame, 0, factor));
      ++seed;
    }
  }
}

TEST(SsimSimd, SumEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_ssim); }
TEST(FloatSsimSimd, SumsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_sums); }
TEST(FloatSsimSimd, SumsOfArbitraryFloatsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_sums_of_floats); }
TEST(FloatSsimSimd, DecimationEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_decimation); }
TEST(FloatMsSsimSimd, LowPassEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_low_pass); }

}  // namespace
}  // namespace vmafbatch::testing
