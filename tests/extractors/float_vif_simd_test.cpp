// The fast paths of float_vif and of the float filter against their plain twins, over random planes of random sizes.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "extractors/float_filter.h"
#include "extractors/float_plane.h"
#include "extractors/float_vif_sums.h"
#include "extractors/gaussian_window.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

using extractors::FloatPlane;

FloatPlane random_plane(std::mt19937& random, int width, int height, float amplitude) {
  FloatPlane plane(width, height);
  std::uniform_real_distribution<float> sample(-amplitude, amplitude);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) plane.view().row(y)[x] = sample(random);
  }
  return plane;
}

int from_to(std::mt19937& random, int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); }

void check_filter() {
  std::mt19937 random(20240803);
  for (const int step : {1, 2, 16}) {
    for (const int taps : {3, 5, 9, 17, 35, 65}) {
      const FloatPlane in = random_plane(random, from_to(random, taps / 2 + 1, 150), from_to(random, taps / 2 + 1, 60), 128.0f);
      FloatPlane fast((in.width() + step - 1) / step, (in.height() + step - 1) / step);
      FloatPlane plain(fast.width(), fast.height());
      const std::vector<float> window = extractors::gaussian_window(taps, static_cast<float>(taps) / 5.0f);
      extractors::float_filter(in.view(), window, step, fast.view());
      extractors::slow_float_filter(in.view(), window, step, plain.view());
      for (int y = 0; y < fast.height(); ++y) {
        for (int x = 0; x < fast.width(); ++x) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(fast.view().row(y)[x]), std::bit_cast<std::uint32_t>(plain.view().row(y)[x]))
              << "step " << step << ", " << taps << " taps, " << x << "," << y;
        }
      }
    }
  }
}

void check_sums() {
  std::mt19937 random(20240804);
  for (const double noise : {0.0, 0.5, 1.3, 2.0, 4.7}) {
    for (const int taps : {3, 5, 9, 17, 27, 65}) {
      for (const float amplitude : {0.0f, 1.5f, 128.0f}) {  // without signal, around the noise variance, full range
        const int width = from_to(random, taps / 2 + 1, 130);
        const int height = from_to(random, taps / 2 + 1, 50);
        const FloatPlane reference = random_plane(random, width, height, amplitude);
        FloatPlane distorted = random_plane(random, width, height, amplitude / 4 + 0.5f);
        const float share = static_cast<float>(from_to(random, -4, 8)) / 4.0f;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) distorted.view().row(y)[x] += share * reference.view().row(y)[x];
        }
        const extractors::FloatVifChannel channel = extractors::float_vif_channel(noise, amplitude > 2 ? 1.0 : 100.0);
        const std::vector<float> window = extractors::gaussian_window(taps, static_cast<float>(taps) / 5.0f);
        const auto fast = extractors::float_vif_sums(reference.view(), std::as_const(distorted).view(), window, channel);
        const auto plain = extractors::slow_float_vif_sums(reference.view(), std::as_const(distorted).view(), window, channel);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(fast.numerator), std::bit_cast<std::uint32_t>(plain.numerator))
            << noise << " " << taps << " " << amplitude << " " << width << "x" << height;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(fast.denominator), std::bit_cast<std::uint32_t>(plain.denominator))
            << noise << " " << taps << " " << amplitude << " " << width << "x" << height;
      }
    }
  }
}

TEST(FloatFilter, EqualsThePlainTwinAtEveryStepOnEveryTarget) { on_every_vector_target(check_filter); }
TEST(FloatVifSimd, SumsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_sums); }

}  // namespace
}  // namespace vmafbatch::testing
