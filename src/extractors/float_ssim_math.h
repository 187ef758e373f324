// The arithmetic of float_ssim and float_ms_ssim per window: luminance, contrast and structure of Z. Wang, A. C. Bovik, H. R. Sheikh,
// E. P. Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE Transactions on Image Processing
// 13(4), 2004, with libvmaf's mix of single and double precision. Every operation rounds on its own in the order written. Shared by the CPU
// loops and the device kernels.
#pragma once

#include <cmath>

#include "base/host_device.h"

namespace vmafbatch::extractors {

// The window: 11 Gaussian taps of deviation 1.5 with six decimals, in both directions. They sum to 1.000002 and are not normalised.
inline constexpr int kSsimTaps = 11;
VB_HOST_DEVICE constexpr float ssim_tap(int k) {
  constexpr float kTaps[kSsimTaps] = {0.001028f, 0.007599f, 0.036001f, 0.109361f, 0.213006f, 0.266012f,
                                      0.213006f, 0.109361f, 0.036001f, 0.007599f, 0.001028f};
  return kTaps[k];
}

// The stabilising constants of the paper, K1 = 0.01 and K2 = 0.03, for the range 0 .. 255 that samples have at every depth.
inline constexpr float kSsimC1 = (0.01f * 255.0f) * (0.01f * 255.0f);
inline constexpr float kSsimC2 = (0.03f * 255.0f) * (0.03f * 255.0f);
inline constexpr float kSsimC3 = kSsimC2 / 2.0f;
static_assert(kSsimC1 == 0x1.a028f4p+2f && kSsimC2 == 0x1.d42e12p+5f && kSsimC3 == 0x1.d42e12p+4f);

// The five planes at one sample, and what the window makes of them.
struct SsimMoments {
  float mean1;
  float mean2;
  float square1;
  float square2;
  float product;
};

VB_HOST_DEVICE inline SsimMoments ssim_products(float a, float b) { return {a, b, a * a, b * b, a * b}; }

// One pass of the window, along rows or down columns: load(k) gives the moments under tap k. Products round to float, the sums are double
// chains in the order of the taps and round to float once.
template <class Load>
VB_HOST_DEVICE inline SsimMoments ssim_window(const Load& load) {
  double mean1 = 0.0;
  double mean2 = 0.0;
  double square1 = 0.0;
  double square2 = 0.0;
  double product = 0.0;
  for (int k = 0; k < kSsimTaps; ++k) {
    const SsimMoments m = load(k);
    const float tap = ssim_tap(k);
    mean1 += static_cast<double>(m.mean1 * tap);
    mean2 += static_cast<double>(m.mean2 * tap);
    square1 += static_cast<double>(m.square1 * tap);
    square2 += static_cast<double>(m.square2 * tap);
    product += static_cast<double>(m.product * tap);
  }
  return {static_cast<float>(mean1), static_cast<float>(mean2), static_cast<float>(square1), static_cast<float>(square2),
          static_cast<float>(product)};
}

// The three factors of one window.
struct SsimTerms {
  double luminance;
  double contrast;
  double structure;  // a float, widened
};

VB_HOST_DEVICE inline SsimTerms ssim_terms(const SsimMoments& m) {
  const float mean_square1 = m.mean1 * m.mean1;
  const float mean_square2 = m.mean2 * m.mean2;
  float variance1 = m.square1 - mean_square1;
  float variance2 = m.square2 - mean_square2;
  variance1 = variance1 < 0.0f ? 0.0f : variance1;
  variance2 = variance2 < 0.0f ? 0.0f : variance2;
  const float deviations = std::sqrt(variance1 * variance2);
  float covariance = m.product - m.mean1 * m.mean2;
  if (covariance < 0.0f && deviations <= 0.0f) covariance = 0.0f;

  const float means = (mean_square1 + mean_square2) + kSsimC1;
  const float variances = (variance1 + variance2) + kSsimC2;
  const double luminance = 2.0 * static_cast<double>(m.mean1) * static_cast<double>(m.mean2) + static_cast<double>(kSsimC1);
  const double contrast = 2.0 * static_cast<double>(deviations) + static_cast<double>(kSsimC2);
  const float structure = (covariance + kSsimC3) / (deviations + kSsimC3);
  return {luminance / static_cast<double>(means), contrast / static_cast<double>(variances), static_cast<double>(structure)};
}

VB_HOST_DEVICE inline double ssim_score(const SsimTerms& t) { return (t.luminance * t.contrast) * t.structure; }

}  // namespace vmafbatch::extractors
