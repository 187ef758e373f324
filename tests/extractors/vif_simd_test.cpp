// The fast paths of vif against their plain twins, over random pictures of random sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "extractors/vif_pyramid.h"
#include "extractors/vif_sums.h"
#include "support/synthetic_clip.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

// Every kind of picture that reaches another part of the arithmetic: full-range noise, little noise, and flat areas beside both.
std::shared_ptr<const io::FramePair> random_pair(std::mt19937& random, const io::PictureFormat& format) {
  const int peak = (1 << format.bit_depth) - 1;
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int amplitude = below(3) == 0 ? peak + 1 : 1 + below(peak / 8);
  const int base = below(peak + 1);
  const int noise = 1 + below(peak / (below(2) == 0 ? 4 : 64) + 1);
  const int flat_until = below(format.width);
  const auto reference = make_frame(
      format, [&](int, int x, int) { return std::clamp(x < flat_until ? base : base - amplitude / 2 + below(amplitude), 0, peak); });
  const auto distorted = make_frame(format, [&](int, int x, int y) {
    const int sample = format.bit_depth == 8 ? reference->plane<std::uint8_t>(0).row(y)[x] : reference->plane<std::uint16_t>(0).row(y)[x];
    return std::clamp(sample + below(2 * noise) - noise, 0, peak);
  });
  return std::make_shared<io::FramePair>(reference, distorted);
}

io::PictureFormat random_format(std::mt19937& random) {
  constexpr int kDepths[] = {8, 10, 12, 16};
  return {16 + static_cast<int>(random() % 150), 16 + static_cast<int>(random() % 60), io::Chroma::k400, kDepths[random() % 4]};
}

void check_pyramid() {
  std::mt19937 random(20240801);
  for (int round = 0; round < 40; ++round) {
    const io::PictureFormat format = random_format(random);
    const auto pair = random_pair(random, format);
    const extractors::VifPyramid fast = extractors::vif_pyramid(pair->reference());
    const extractors::VifPyramid plain = extractors::slow_vif_pyramid(pair->reference());
    for (size_t level = 0; level < fast.size(); ++level) {
      const io::Plane<const std::uint16_t> a = fast[level].view();
      const io::Plane<const std::uint16_t> b = plain[level].view();
      ASSERT_EQ(std::pair(a.width, a.height), std::pair(b.width, b.height));
      for (int y = 0; y < a.height; ++y) {
        ASSERT_TRUE(std::equal(a.row(y), a.row(y) + a.width, b.row(y))) << format.text() << " level " << level << " row " << y;
      }
    }
  }
}

void check_sums() {
  std::mt19937 random(20240802);
  for (int round = 0; round < 60; ++round) {
    const io::PictureFormat format = random_format(random);
    const auto pair = random_pair(random, format);
    const double gain_limit = round % 3 == 0 ? 1.0 : 1.0 + static_cast<double>(random() % 100) / 10.0;
    for (int scale = 0; scale < extractors::kVifScales; ++scale) {
      const extractors::VifSums fast = extractors::vif_scale_sums(*pair, scale, gain_limit);
      const extractors::VifSums plain = extractors::slow_vif_scale_sums(*pair, scale, gain_limit);
      EXPECT_EQ(fast.log_numerator, plain.log_numerator) << format.text() << " scale " << scale;
      EXPECT_EQ(fast.log_denominator, plain.log_denominator) << format.text() << " scale " << scale;
      EXPECT_EQ(fast.flat_variance, plain.flat_variance) << format.text() << " scale " << scale;
      EXPECT_EQ(fast.flat_pixels, plain.flat_pixels) << format.text() << " scale " << scale;
    }
  }
}

TEST(VifSimd, PyramidEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_pyramid); }
TEST(VifSimd, SumsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_sums); }

}  // namespace
}  // namespace vmafbatch::testing
