// The constants of float_ms_ssim: Z. Wang, E. P. Simoncelli, A. C. Bovik, "Multiscale structural similarity for image quality assessment",
// Asilomar Conference on Signals, Systems and Computers, 2003. Shared by the CPU loops and the device kernels.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::extractors {

inline constexpr int kMsSsimScales = 5;

// The low-pass between two scales, 9x9: the 9-tap filter of the 9/7 biorthogonal wavelet times itself, each product with six decimals, as
// libvmaf 3.2.0 has it. That rounding makes it no product of two filters any more.
inline constexpr int kLowPassTaps = 9;
inline constexpr int kLowPassRadius = kLowPassTaps / 2;
VB_HOST_DEVICE constexpr float low_pass_tap(int row, int column) {
  constexpr float kQuadrant[kLowPassRadius + 1][kLowPassRadius + 1] = {
      {0.000714f, -0.000450f, -0.002090f, 0.007132f, 0.016114f},  {-0.000450f, 0.000283f, 0.001316f, -0.004490f, -0.010146f},
      {-0.002090f, 0.001316f, 0.006115f, -0.020867f, -0.047149f}, {0.007132f, -0.004490f, -0.020867f, 0.071207f, 0.160885f},
      {0.016114f, -0.010146f, -0.047149f, 0.160885f, 0.363505f},
  };
  const int i = row <= kLowPassRadius ? row : kLowPassTaps - 1 - row;
  const int j = column <= kLowPassRadius ? column : kLowPassTaps - 1 - column;
  return kQuadrant[i][j];
}

// One output of the low-pass: load(row, column) gives the sample under that tap. Products round to float, the sum is a double chain in
// raster order and rounds to float once.
template <class Load>
VB_HOST_DEVICE inline float low_pass(const Load& load) {
  double sum = 0.0;
  for (int i = 0; i < kLowPassTaps; ++i) {
    for (int j = 0; j < kLowPassTaps; ++j) sum += static_cast<double>(load(i, j) * low_pass_tap(i, j));
  }
  return static_cast<float>(sum);
}

// The exponents of the paper. Contrast and structure have the same at every scale; luminance counts at the coarsest scale alone.
inline constexpr float kMsSsimExponents[kMsSsimScales] = {0.0448f, 0.2856f, 0.3001f, 0.2363f, 0.1333f};
inline constexpr float kMsSsimLuminanceExponents[kMsSsimScales] = {0.0f, 0.0f, 0.0f, 0.0f, 0.1333f};

}  // namespace vmafbatch::extractors
