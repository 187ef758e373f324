// The fast paths of cambi against their plain twins, and the plain ones against the definition, over random input.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "extractors/cambi_contrast.h"
#include "extractors/cambi_contrast_simd.h"
#include "extractors/cambi_pooling.h"
#include "extractors/cambi_rows.h"
#include "extractors/cambi_scales.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

using extractors::CambiPlane;
using extractors::CambiRows;
using extractors::CambiWindow;

int below(std::mt19937& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

template <class T>
std::vector<T> random_row(std::mt19937& random, size_t n, int values) {
  std::vector<T> row(n);
  for (T& sample : row) sample = static_cast<T>(below(random, values));
  return row;
}

void check_rows() {
  std::mt19937 random(20240901);
  const CambiRows& fast = extractors::fast_cambi_rows();
  const CambiRows& plain = extractors::slow_cambi_rows();
  for (int round = 0; round < 200; ++round) {
    const int n = below(random, 200);
    const size_t size = static_cast<size_t>(n) + 8;
    const auto compare = [&](auto sample, const auto& run) {
      std::vector<decltype(sample)> a(size, 7);
      std::vector<decltype(sample)> b(size, 7);
      run(fast, a.data());
      run(plain, b.data());
      EXPECT_EQ(a, b) << "width " << n;
    };
    const auto bytes = random_row<std::uint8_t>(random, size, 256);
    const auto words = random_row<std::uint16_t>(random, size, 65536);
    for (int depth = 8; depth <= 16; ++depth) {
      if (depth == 8) compare(std::uint16_t{}, [&](const CambiRows& r, auto* out) { r.ten_bits_of_bytes(bytes.data(), n, 8, out); });
      if (depth > 8) compare(std::uint16_t{}, [&](const CambiRows& r, auto* out) { r.ten_bits_of_words(words.data(), n, depth, out); });
    }
    const int values = round % 2 == 0 ? 3 : 1024;
    const auto a = random_row<std::uint16_t>(random, size, values);
    const auto b = random_row<std::uint16_t>(random, size, values);
    const auto c = random_row<std::uint16_t>(random, size, values);
    compare(std::uint16_t{}, [&](const CambiRows& r, auto* out) { r.mode(a.data(), b.data(), c.data(), n, out); });
    compare(std::uint16_t{}, [&](const CambiRows& r, auto* out) {
      std::copy(a.begin(), a.end(), out);
      r.mean_in_place(out, b.data(), n);
    });
    compare(std::uint8_t{}, [&](const CambiRows& r, auto* out) { r.flat(a.data(), b.data(), n, out); });
    const auto counts = random_row<std::uint8_t>(random, size, 8);
    compare(std::uint8_t{}, [&](const CambiRows& r, auto* out) { r.mask(counts.data() + 3, n, 7 + below(random, 1) + round % 20, out); });
    compare(std::uint8_t{}, [&](const CambiRows& r, auto* out) { r.move_counts(bytes.data(), counts.data(), n, out); });
  }
}

TEST(CambiFast, RowsEqualThePlainTwinsOnEveryTarget) { on_every_vector_target(check_rows); }

struct RandomPicture {
  CambiPlane<std::uint16_t> samples;
  CambiPlane<std::uint8_t> mask;
  CambiWindow window;
};

// Few values and runs of them, as in pictures with bands; some dark, some bright, up to the largest sample.
RandomPicture random_picture(std::mt19937& random, int most_width, int most_height) {
  const int width = 1 + below(random, most_width);
  const int height = 1 + below(random, most_height);
  RandomPicture picture{{width, height}, {width, height}, {}};
  const int spread = 1 + below(random, 12);
  const int base = below(random, extractors::kCambiLargestSample - spread + 2);
  const int changes = 1 + below(random, 8);
  const int holes = 1 + below(random, 10);
  for (int y = 0; y < height; ++y) {
    int value = base;
    for (int x = 0; x < width; ++x) {
      if (below(random, changes) == 0) value = base + below(random, spread);
      picture.samples.view().row(y)[x] = static_cast<std::uint16_t>(value);
      picture.mask.view().row(y)[x] = below(random, holes) == 0 ? 0 : 1;
    }
  }
  picture.window.reach = below(random, 33);
  picture.window.steps = 1 << below(random, 6);
  const auto eotf = below(random, 2) == 0 ? extractors::CambiEotf::kBt1886 : extractors::CambiEotf::kPq;
  picture.window.thresholds = extractors::cambi_thresholds(eotf, below(random, 2) == 0 ? 0.005 : 0.05, picture.window.steps);
  picture.window.dark_limit = below(random, 3) == 0 ? below(random, 1024) : 0;
  return picture;
}

using Contrasts = void (*)(io::Plane<const std::uint16_t>, io::Plane<const std::uint8_t>, const CambiWindow&, io::Plane<float>);

std::vector<std::uint32_t> contrast_bits(const RandomPicture& picture, Contrasts contrasts) {
  CambiPlane<float> out(picture.samples.width(), picture.samples.height());
  contrasts(picture.samples.view(), picture.mask.view(), picture.window, out.view());
  std::vector<std::uint32_t> bits;
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) bits.push_back(std::bit_cast<std::uint32_t>(out.view().row(y)[x]));
  }
  return bits;
}

// The definition, sample by sample.
void contrasts_by_definition(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                             io::Plane<float> out) {
  const auto count = [&](int x, int y, int value) {
    int n = 0;
    for (int v = std::max(y - window.reach, 0); v <= std::min(y + window.reach, samples.height - 1); ++v) {
      for (int u = std::max(x - window.reach, 0); u <= std::min(x + window.reach, samples.width - 1); ++u) {
        n += mask.row(v)[u] != 0 && samples.row(v)[u] == value ? 1 : 0;
      }
    }
    return n;
  };
  for (int y = 0; y < samples.height; ++y) {
    for (int x = 0; x < samples.width; ++x) {
      float largest = 0.0F;
      const int value = samples.row(y)[x];
      for (int d = 1; mask.row(y)[x] != 0 && d <= window.steps; ++d) {
        if (value > window.thresholds[static_cast<size_t>(d)] || value + window.steps + d <= window.dark_limit) continue;
        const int own = count(x, y, value);
        const int other = std::max(count(x, y, value + d), count(x, y, value - d));
        const float product = static_cast<float>(extractors::cambi_weight(d) * own * other);
        largest = std::max(largest, product * extractors::cambi_reciprocals()[static_cast<size_t>(own + other)]);
      }
      out.row(y)[x] = largest;
    }
  }
}

void check_contrasts() {
  std::mt19937 random(20240902);
  for (int round = 0; round < 120; ++round) {
    const RandomPicture picture = random_picture(random, 600, 40);
    ASSERT_EQ(contrast_bits(picture, extractors::fast_cambi_contrasts), contrast_bits(picture, extractors::slow_cambi_contrasts))
        << picture.samples.width() << "x" << picture.samples.height() << ", reach " << picture.window.reach << ", steps "
        << picture.window.steps << ", round " << round;
  }
}

TEST(CambiFast, ContrastsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_contrasts); }

TEST(CambiContrast, PlainFormFollowsTheDefinition) {
  std::mt19937 random(20240903);
  for (int round = 0; round < 60; ++round) {
    RandomPicture picture = random_picture(random, 24, 24);
    picture.window.reach %= 10;
    ASSERT_EQ(contrast_bits(picture, extractors::slow_cambi_contrasts), contrast_bits(picture, contrasts_by_definition)) << round;
  }
}

TEST(CambiFast, SumOfLargestEqualsTheReferencesOrder) {
  std::mt19937 random(20240904);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> values(1 + random() % 5000);
    const int zeros = 1 + below(random, 5);
    const float largest = std::ldexp(1.0F, below(random, 12));
    for (float& value : values) {
      value = below(random, zeros) == 0 ? 0.5F + largest * static_cast<float>(random() % 65536) / 65536.0F : 0.0F;
    }
    const size_t count = 1 + random() % values.size();
    std::vector<float> copy = values;
    const double fast = extractors::fast_cambi_sum_of_largest(values, count);
    const double plain = extractors::slow_cambi_sum_of_largest(copy, count);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(fast), std::bit_cast<std::uint64_t>(plain)) << "round " << round;
  }
}

TEST(CambiFast, SumOfLargestKeepsTheOrderWhereItMatters) {
  // 30000 values of 2^30 and more beside small odd ones: their sum needs more than 53 bits.
  std::mt19937 random(20240905);
  std::vector<float> values(60000);
  for (size_t i = 0; i < values.size(); ++i) {
    const float fraction = 1.0F + static_cast<float>(random() % 8388608) / 8388608.0F;
    values[i] = std::ldexp(fraction, i % 2 == 0 ? 30 : -1);
  }
  const size_t count = 50000;
  std::vector<float> sorted = values;
  std::ranges::sort(sorted);
  double rising = 0.0;
  for (size_t i = sorted.size() - count; i < sorted.size(); ++i) rising += static_cast<double>(sorted[i]);
  std::vector<float> copy = values;
  const double fast = extractors::fast_cambi_sum_of_largest(values, count);
  EXPECT_EQ(fast, extractors::slow_cambi_sum_of_largest(copy, count));
  EXPECT_NE(fast, rising);
}

TEST(CambiPooling, AllValuesAreAddedWhereTheyStand) {
  std::vector<float> values = {1.0F, 3.0F, 0.0F, 2.0F};
  EXPECT_EQ(extractors::cambi_sum_of_largest(values, 4), 6.0);
  EXPECT_EQ(extractors::cambi_sum_of_largest(values, 2), 5.0);
  EXPECT_EQ(extractors::cambi_sum_of_largest(values, 1), 3.0);
}

TEST(CambiPooling, TakesAtLeastOne) {
  EXPECT_EQ(extractors::cambi_pooled_count(0.0001, 10, 10), 1u);
  EXPECT_EQ(extractors::cambi_pooled_count(0.6, 10, 10), 60u);
  EXPECT_EQ(extractors::cambi_pooled_count(1.0, 10, 10), 100u);
}

TEST(CambiMode, TakesTheMostFrequentElseTheSmallest) {
  EXPECT_EQ(extractors::cambi_mode(5, 5, 9), 5);
  EXPECT_EQ(extractors::cambi_mode(5, 9, 5), 5);
  EXPECT_EQ(extractors::cambi_mode(9, 5, 5), 5);
  EXPECT_EQ(extractors::cambi_mode(9, 5, 7), 5);
}

TEST(CambiMode, FirstAndLastRowStayThoughTheFilterSeesThemFiltered) {
  CambiPlane<std::uint16_t> in(3, 3);
  const std::uint16_t samples[3][3] = {{8, 2, 8}, {3, 5, 4}, {8, 1, 8}};
  for (int y = 0; y < 3; ++y) std::copy_n(samples[y], 3, in.view().row(y));
  CambiPlane<std::uint16_t> out(3, 3);
  extractors::cambi_mode_filter(std::as_const(in).view(), out.view(), extractors::slow_cambi_rows());
  const std::uint16_t want[3][3] = {{8, 2, 8}, {8, 8, 8}, {8, 1, 8}};  // 2 and 1 became 8 in the first pass
  for (int y = 0; y < 3; ++y) EXPECT_TRUE(std::equal(want[y], want[y] + 3, out.view().row(y))) << y;
}

}  // namespace
}  // namespace vmafbatch::testing
