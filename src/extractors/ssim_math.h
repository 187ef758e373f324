// The arithmetic of ssim per pixel: exact integer moments over a 9x9 window that is cut off at the border, and the two-factor form of
// Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE
// Transactions on Image Processing 13(4), 2004, as Xiph's Daala tools apply it. Shared by the CPU loops and the device kernels.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

// The weights of the window in both directions; they sum to 256.
inline constexpr int kSsim9Taps = 9;
inline constexpr int kSsim9Radius = kSsim9Taps / 2;
VB_HOST_DEVICE constexpr int ssim9_weight(int k) {
  constexpr int kWeights[kSsim9Taps] = {2, 9, 28, 55, 68, 55, 28, 9, 2};
  return kWeights[k];
}

// The weight that is left of the window in one direction, centred on sample i of n.
VB_HOST_DEVICE constexpr int ssim9_weight_inside(int i, int n) {
  int sum = 0;
  for (int k = 0; k < kSsim9Taps; ++k) {
    const int at = i + k - kSsim9Radius;
    if (at >= 0 && at < n) sum += ssim9_weight(k);
  }
  return sum;
}

// Weighted sums of the samples, their squares and their product. Below 2^48 at 16 bits.
struct Ssim9Moments {
  std::int64_t sum1 = 0;
  std::int64_t sum2 = 0;
  std::int64_t square1 = 0;
  std::int64_t product = 0;
  std::int64_t square2 = 0;
};

// Adds the moments m under weight g.
VB_HOST_DEVICE inline void add_weighted(Ssim9Moments& sum, std::int64_t g, const Ssim9Moments& m) {
  sum.sum1 += g * m.sum1;
  sum.sum2 += g * m.sum2;
  sum.square1 += g * m.square1;
  sum.product += g * m.product;
  sum.square2 += g * m.square2;
}

VB_HOST_DEVICE inline Ssim9Moments ssim9_products(std::int64_t r, std::int64_t d) { return {r, d, r * r, r * d, d * d}; }

// The stabilising constants of the paper over a squared weight of 1.
struct Ssim9Constants {
  double c1;
  double c2;
};
VB_HOST_DEVICE inline Ssim9Constants ssim9_constants(int bit_depth) {
  const double peak = static_cast<double>((1 << bit_depth) - 1);
  return {(peak * peak) * (0.01 * 0.01), (peak * peak) * (0.03 * 0.03)};
}

// The term of one pixel, already times the window's weight. `weight`: the product of what is left of the window in both directions.
VB_HOST_DEVICE inline double ssim9_term(const Ssim9Moments& m, double weight, const Ssim9Constants& constants) {
  const double c1 = (constants.c1 * weight) * weight;
  const double c2 = (constants.c2 * weight) * weight;
  const double mean1 = static_cast<double>(m.sum1);
  const double mean2 = static_cast<double>(m.sum2);
  const double xx = mean1 * mean1;
  const double xy = mean1 * mean2;
  const double yy = mean2 * mean2;
  const double numerator = (weight * (2.0 * xy + c1)) * (c2 + 2.0 * (static_cast<double>(m.product) * weight - xy));
  const double variances = ((static_cast<double>(m.square1) * weight - xx) + static_cast<double>(m.square2) * weight) - yy;
  return numerator / (((xx + yy) + c1) * (variances + c2));
}

}  // namespace vmafbatch::extractors
