// The arithmetic of float_vif per pixel: the log-ratio statistic of H. R. Sheikh and A. C. Bovik, "Image information and visual quality",
// IEEE Transactions on Image Processing 15(2), 2006 (pixel domain), in single precision as libvmaf computes it. Every operation rounds on
// its own in the order written. Shared by the CPU loops and the device kernels.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

inline constexpr int kFloatVifScales = 4;
// Below it a variance counts as none.
inline constexpr float kFloatVifEpsilon = 1.0e-10f;

// The coefficients of libvmaf's polynomial for log2(1 + u), 0 <= u < 1, highest power first. The last is a step that adds zero.
inline constexpr int kLog2Coefficients = 9;
VB_HOST_DEVICE constexpr float log2_coefficient(int i) {
  constexpr float kCoefficients[kLog2Coefficients] = {-0.012671635276421f, 0.064841182402670f,  -0.157048836463065f,
                                                      0.257167726303123f,  -0.353800560300520f, 0.480131410397451f,
                                                      -0.721314327952201f, 1.442694803896991f,  0.0f};
  return kCoefficients[i];
}

// log2 by that polynomial. Infinity and NaN are read as numbers with an exponent of 128. REQUIRES: x > 0 or x is NaN
VB_HOST_DEVICE inline float float_vif_log2(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const int exponent = static_cast<int>((bits >> 23) & 255u) - 127;
  const float u = __builtin_bit_cast(float, (bits & 0x007FFFFFu) | 0x3F800000u) - 1.0f;
  float v = 0.0f;
  VB_UNROLL for (int i = 0; i < kLog2Coefficients; ++i) v = v * u + log2_coefficient(i);
  return static_cast<float>(exponent) + v;
}

// What the options make of the statistic.
struct FloatVifChannel {
  double noise_variance;  // of the visual channel, grey levels squared
  float flat_weight;      // what a unit of distorted variance costs where the reference is flat
  float gain_limit;
};

inline FloatVifChannel float_vif_channel(double noise_variance, double gain_limit) {
  const auto noise = static_cast<float>(noise_variance);
  const float squared = noise * noise;
  return {noise_variance, static_cast<float>(static_cast<double>(squared) / 65025.0), static_cast<float>(gain_limit)};
}

// The filtered planes at one pixel, also behind the vertical pass alone.
struct FloatVifMoments {
  float mean1;
  float mean2;
  float square1;
  float square2;
  float product;
};

// One step of the vertical pass: the samples of one row under its tap.
VB_HOST_DEVICE inline void float_vif_add_samples(float tap, float a, float b, FloatVifMoments& sum) {
  sum.mean1 = sum.mean1 + tap * a;
  sum.mean2 = sum.mean2 + tap * b;
  sum.square1 = sum.square1 + tap * (a * a);
  sum.square2 = sum.square2 + tap * (b * b);
  sum.product = sum.product + tap * (a * b);
}

// One step of the horizontal pass.
VB_HOST_DEVICE inline void float_vif_add_column(float tap, const FloatVifMoments& column, FloatVifMoments& sum) {
  sum.mean1 = sum.mean1 + tap * column.mean1;
  sum.mean2 = sum.mean2 + tap * column.mean2;
  sum.square1 = sum.square1 + tap * column.square1;
  sum.square2 = sum.square2 + tap * column.square2;
  sum.product = sum.product + tap * column.product;
}

// The two terms of a pixel, or their sums: over a row from left to right, over the rows from top to bottom.
struct FloatVifSums {
  float numerator;
  float denominator;

  VB_HOST_DEVICE FloatVifSums& operator+=(const FloatVifSums& other) {
    numerator = numerator + other.numerator;
    denominator = denominator + other.denominator;
    return *this;
  }
};

VB_HOST_DEVICE inline FloatVifSums float_vif_terms(const FloatVifMoments& m, const FloatVifChannel& channel) {
  float s1 = m.square1 - m.mean1 * m.mean1;
  float s2 = m.square2 - m.mean2 * m.mean2;
  const float s12 = m.product - m.mean1 * m.mean2;
  s1 = s1 > 0.0f ? s1 : 0.0f;
  s2 = s2 > 0.0f ? s2 : 0.0f;
  float gain = s12 / (s1 + kFloatVifEpsilon);
  float residual = s2 - gain * s12;
  if (s1 < kFloatVifEpsilon) {
    gain = 0.0f;
    residual = s2;
    s1 = 0.0f;
  }
  if (s2 < kFloatVifEpsilon) {
    gain = 0.0f;
    residual = 0.0f;
  }
  if (gain < 0.0f) {
    residual = s2;
    gain = 0.0f;
  }
  residual = residual > kFloatVifEpsilon ? residual : kFloatVifEpsilon;
  gain = gain < channel.gain_limit ? gain : channel.gain_limit;
  if (static_cast<double>(s1) < channel.noise_variance) return {1.0f - s2 * channel.flat_weight, 1.0f};
  const float signal = (gain * gain) * s1;
  const double kept = 1.0 + static_cast<double>(signal) / (static_cast<double>(residual) + channel.noise_variance);
  const double given = 1.0 + static_cast<double>(s1) / channel.noise_variance;
  return {s12 < 0.0f ? 0.0f : float_vif_log2(static_cast<float>(kept)), float_vif_log2(static_cast<float>(given))};
}

}  // namespace vmafbatch::extractors
