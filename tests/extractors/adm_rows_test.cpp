// The vector loops of adm against their plain twins: the same bits over random input, on every instruction set of this processor.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "extractors/adm_contrast_rows.h"
#include "extractors/adm_wavelet_rows.h"

namespace vmafbatch::extractors::adm {
namespace {

const std::vector<int> kLengths = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 257};

// Values of all magnitudes up to `largest`, with zeros, ones and the extremes among them.
template <class T>
T random_value(std::mt19937& random, std::int64_t largest) {
  const auto kind = random() % 8;
  if (kind == 0) return static_cast<T>(0);
  if (kind == 1) return static_cast<T>(random() % 2 == 0 ? largest : -largest);
  const std::int64_t bound = std::max<std::int64_t>(1, largest >> (random() % 31));
  return static_cast<T>(static_cast<std::int64_t>(random()) % (2 * bound + 1) - bound);
}

template <class T>
void fill(T* row, int n, std::int64_t largest, std::mt19937& random) {
  for (int x = 0; x < n; ++x) row[x] = random_value<T>(random, largest);
}

template <class T>
std::vector<T> copy_of(const T* row, int n) {
  return {row, row + n};
}

// Runs a test body once for each instruction set.
class AdmRows : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { choose(GetParam()); }
  void TearDown() override { choose(0); }

  std::mt19937 random_{12345};

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> list;
  for (std::int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) list.push_back(rest & -rest);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Targets, AdmRows, ::testing::ValuesIn(targets()), [](const auto& param) { return hwy::TargetName(param.param); });

template <class T>
FourRows<T> four_rows(Rows<T>& rows) {
  return {rows.row(0), rows.row(1), rows.row(2), rows.row(3)};
}

template <class Sample>
void compare_picture_pass(int n, int depth, std::mt19937& random) {
  Rows<Sample> rows(n, 4);
  const std::uint32_t peak = (1u << depth) - 1;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < n; ++x) rows.row(y)[x] = static_cast<Sample>(random() % 4 == 0 ? (random() & 1) * peak : random() & peak);
  }
  Rows<std::int16_t> out(n, 4);
  vertical_pass(four_rows(rows), n, depth, out.row(0), out.row(1));
  slow_vertical_pass(four_rows(rows), n, depth, out.row(2), out.row(3));
  EXPECT_EQ(copy_of(out.row(0), n), copy_of(out.row(2), n)) << n << " " << depth;
  EXPECT_EQ(copy_of(out.row(1), n), copy_of(out.row(3), n)) << n << " " << depth;
  vertical_pass(four_rows(rows), n, depth, out.row(1), nullptr);
  EXPECT_EQ(copy_of(out.row(1), n), copy_of(out.row(2), n)) << n << " " << depth;
}

TEST_P(AdmRows, VerticalPassOfThePicture) {
  for (const int n : kLengths) {
    compare_picture_pass<std::uint8_t>(n, 8, random_);
    for (const int depth : {10, 12, 16}) compare_picture_pass<std::uint16_t>(n, depth, random_);
  }
}

template <class Coefficient>
void compare_band_pass(int n, std::int64_t largest, std::mt19937& random) {
  Rows<Coefficient> rows(n, 4);
  for (int y = 0; y < 4; ++y) fill(rows.row(y), n, largest, random);
  Rows<std::int32_t> out(n, 4);
  vertical_pass(four_rows(rows), n, out.row(0), out.row(1));
  slow_vertical_pass(four_rows(rows), n, out.row(2), out.row(3));
  EXPECT_EQ(copy_of(out.row(0), n), copy_of(out.row(2), n)) << n;
  EXPECT_EQ(copy_of(out.row(1), n), copy_of(out.row(3), n)) << n;
  vertical_pass(four_rows(rows), n, out.row(1), nullptr);
  EXPECT_EQ(copy_of(out.row(1), n), copy_of(out.row(2), n)) << n;
}

TEST_P(AdmRows, VerticalPassOfABand) {
  for (const int n : kLengths) {
    compare_band_pass<std::int16_t>(n, kLargestFinest, random_);
    compare_band_pass<std::int32_t>(n, kLargestCoarser, random_);
  }
}

TEST_P(AdmRows, HorizontalPass) {
  for (const int n : kLengths) {
    for (const int begin : {0, 1, 5}) {
      const int input = 2 * (begin + n);
      std::vector<std::int16_t> fine(static_cast<size_t>(input + 2 * kLineMargin));
      std::vector<std::int32_t> coarse(fine.size());
      fill(fine.data(), static_cast<int>(fine.size()), kLargestFinest, random_);
      fill(coarse.data(), static_cast<int>(coarse.size()), 1760000000, random_);  // the largest value between the passes
      Rows<std::int16_t> fine_out(n, 2);
      Rows<std::int32_t> coarse_out(n, 2);
      for (const Taps& taps : {low_taps(), high_taps()}) {
        horizontal_pass(fine.data() + kLineMargin, begin, begin + n, taps, fine_out.row(0));
        slow_horizontal_pass(fine.data() + kLineMargin, begin, begin + n, taps, fine_out.row(1));
        EXPECT_EQ(copy_of(fine_out.row(0), n), copy_of(fine_out.row(1), n)) << n;
        for (const int shift : {15, 16}) {
          horizontal_pass(coarse.data() + kLineMargin, begin, begin + n, taps, shift, coarse_out.row(0));
          slow_horizontal_pass(coarse.data() + kLineMargin, begin, begin + n, taps, shift, coarse_out.row(1));
          EXPECT_EQ(copy_of(coarse_out.row(0), n), copy_of(coarse_out.row(1), n)) << n << " " << shift;
        }
      }
    }
  }
}

template <class Coefficient>
BandRows<const Coefficient> bands_at(const Rows<Coefficient>& rows, int first) {
  return {rows.row(first), rows.row(first + 1), rows.row(first + 2)};
}

// Two parts' rows, one part after the other.
template <class Coefficient>
struct Parts {
  explicit Parts(int n) : signal(n, 6), sums(n, 4) {}
  PartRows<Coefficient> part(int i) {
    return {{signal.row(3 * i), signal.row(3 * i + 1), signal.row(3 * i + 2)}, sums.row(2 * i), sums.row(2 * i + 1)};
  }
  Rows<Coefficient> signal;
  Rows<std::int32_t> sums;
};

// The distorted h and v are the reference's turned by one degree, give or take a part in a million: there the rounding to float decides.
template <class Coefficient>
void turn_by_one_degree(const Rows<Coefficient>& reference, Rows<Coefficient>& distorted, int x, std::mt19937& random) {
  const double angle = std::numbers::pi / 180.0 + std::uniform_real_distribution<double>(-3e-6, 3e-6)(random);
  const double h = reference.row(0)[x];
  const double v = reference.row(1)[x];
  distorted.row(0)[x] = static_cast<Coefficient>(0.7 * (h * std::cos(angle) - v * std::sin(angle)));
  distorted.row(1)[x] = static_cast<Coefficient>(0.7 * (h * std::sin(angle) + v * std::cos(angle)));
}

// Coefficients whose pairs are often close, equal or opposite, so that every branch of the decoupling is taken.
template <class Coefficient>
void fill_pairs(Rows<Coefficient>& reference, Rows<Coefficient>& distorted, int n, std::int64_t largest, std::mt19937& random) {
  for (int b = 0; b < kBands; ++b) {
    fill(reference.row(b), n, largest, random);
    fill(distorted.row(b), n, largest, random);
  }
  for (int x = 0; x < n; ++x) {
    const auto kind = random() % 5;
    if (kind == 4) {
      turn_by_one_degree(reference, distorted, x, random);
      continue;
    }
    const double factor = kind == 0 ? 1.0 : std::uniform_real_distribution<double>(-0.2, 1.8)(random);
    for (int b = 0; kind < 3 && b < kBands; ++b) {
      const double close = static_cast<double>(reference.row(b)[x]) * (factor + (kind == 2 ? 0.0 : 0.01 * b));
      distorted.row(b)[x] = static_cast<Coefficient>(std::clamp(close, -static_cast<double>(largest), static_cast<double>(largest)));
    }
  }
}

template <class Coefficient>
void compare_contrast(int n, std::int64_t largest, const ContrastConstants& constants, std::mt19937& random) {
  Rows<Coefficient> reference(n, kBands);
  Rows<Coefficient> distorted(n, kBands);
  fill_pairs(reference, distorted, n, largest, random);
  Parts<Coefficient> fast(n);
  Parts<Coefficient> slow(n);
  contrast_row(bands_at(reference, 0), bands_at(distorted, 0), n, constants, fast.part(0), fast.part(1));
  slow_contrast_row(bands_at(reference, 0), bands_at(distorted, 0), n, constants, slow.part(0), slow.part(1));
  for (int row = 0; row < 6; ++row) EXPECT_EQ(copy_of(fast.signal.row(row), n), copy_of(slow.signal.row(row), n)) << "signal " << row;
  for (int row = 0; row < 4; ++row) EXPECT_EQ(copy_of(fast.sums.row(row), n), copy_of(slow.sums.row(row), n)) << "sums " << row;
}

TEST_P(AdmRows, ContrastOfScaleZero) {
  for (const double limit : {1.0, 1.2, 2.0, 33.3333, 100.0}) {
    for (const std::array<std::uint32_t, 3>& weight : {std::array{36453u, 36453u, 49417u}, {0u, 1u, 65535u}, {65535u, 12u, 900u}}) {
      for (const int n : kLengths) compare_contrast<std::int16_t>(n, kLargestFinest, {limit, weight}, random_);
    }
  }
}

TEST_P(AdmRows, ContrastOfTheCoarserScales) {
  for (const double limit : {1.0, 1.2, 2.0, 33.3333, 100.0}) {
    for (const std::array<std::uint32_t, 3>& weight :
         {std::array{137373792u, 137373792u, 61414028u}, {0u, 1u, 2147483647u}, {4191379456u, 181344256u, 5u}}) {
      for (const int n : kLengths) {
        compare_contrast<std::int32_t>(n, kLargestCoarser, {limit, weight}, random_);
        compare_contrast<std::int32_t>(n, 40000, {limit, weight}, random_);
      }
    }
  }
}

TEST_P(AdmRows, Threshold) {
  constexpr int kPad = 16;
  for (const int n : kLengths) {
    Rows<std::int32_t> rows(n + 2 * kPad, 3);
    Rows<std::int32_t> difference(n, 1);
    for (int y = 0; y < 3; ++y) fill(rows.row(y), n + 2 * kPad, 2147483647, random_);
    fill(difference.row(0), n, 2147483647, random_);
    const MaskRows mask{rows.row(0) + kPad, rows.row(1) + kPad, rows.row(2) + kPad, difference.row(0)};
    Rows<std::int32_t> out(n, 2);
    threshold_row(mask, n, out.row(0));
    slow_threshold_row(mask, n, out.row(1));
    EXPECT_EQ(copy_of(out.row(0), n), copy_of(out.row(1), n)) << n;
  }
}

TEST_P(AdmRows, MaskedSums) {
  for (const int n : kLengths) {
    Rows<std::int16_t> fine(n, 1);
    Rows<std::int32_t> coarse(n, 1);
    Rows<std::int32_t> threshold(n, 1);
    for (const std::int64_t largest : {100, 100000, 2147483647}) {
      fill(fine.row(0), n, kLargestFinest, random_);
      fill(coarse.row(0), n, 2147483647, random_);
      fill(threshold.row(0), n, largest, random_);
      for (const int shift : {0, 1, 6, 11}) {
        for (int band = 0; band < kBands; ++band) {
          for (const std::uint32_t weight : {36453u, 49417u, 65535u}) {
            EXPECT_EQ(masked_row_sum(fine.row(0), threshold.row(0), n, weight, band, shift),
                      slow_masked_row_sum(fine.row(0), threshold.row(0), n, weight, band, shift));
          }
        }
        EXPECT_EQ(masked_row_sum(coarse.row(0), threshold.row(0), n, shift),
                  slow_masked_row_sum(coarse.row(0), threshold.row(0), n, shift));
      }
    }
  }
}

TEST_P(AdmRows, ReferenceSums) {
  for (const int n : kLengths) {
    Rows<std::int16_t> fine(n, 1);
    Rows<std::int32_t> coarse(n, 1);
    fill(fine.row(0), n, kLargestFinest, random_);
    fill(coarse.row(0), n, kLargestCoarser, random_);
    EXPECT_EQ(reference_row_sum(fine.row(0), n), slow_reference_row_sum(fine.row(0), n));
    for (int scale = 1; scale < kScales; ++scale) {
      for (const int shift : {1, 5, 9}) {
        EXPECT_EQ(reference_row_sum(coarse.row(0), n, scale, shift), slow_reference_row_sum(coarse.row(0), n, scale, shift));
      }
    }
  }
}

}  // namespace
}  // namespace vmafbatch::extractors::adm
