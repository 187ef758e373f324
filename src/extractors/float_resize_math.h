// The arithmetic of the float resizers (nearest, bilinear, bicubic, lanczos4), per sample. No low-pass is applied when shrinking.
// Every operation rounds on its own in the order written.
#pragma once

#include <cmath>

#include "base/host_device.h"

namespace vmafbatch::extractors {

enum class ResizeMethod { kNearest, kBilinear, kBicubic, kLanczos4 };

// The source samples of one row or column of a resized plane and their weights; bilinear has one weight, that of the second sample.
struct ResizeWindow {
  static constexpr int kLargest = 9;
  int count;
  int index[kLargest];
  float weight[kLargest];
};

// Source samples per destination sample.
VB_HOST_DEVICE inline float resize_ratio(int source, int destination) {
  return static_cast<float>(source) / static_cast<float>(destination);
}

// Where destination sample i lies in the source; nearest takes the sample at (int)(i * ratio) instead.
VB_HOST_DEVICE inline float resize_position(int i, float ratio) {
  return static_cast<float>((static_cast<double>(i) + 0.5) * static_cast<double>(ratio) - 0.5);
}
VB_HOST_DEVICE inline int resize_nearest(int i, float ratio) { return static_cast<int>(static_cast<float>(i) * ratio); }

// Bilinear: dx and dy are the distances from the first of two samples. Where that one was reflected they lie outside 0 .. 1, and the value
// is extrapolated as in libvmaf.
VB_HOST_DEVICE inline float resize_bilinear(float s11, float s12, float s21, float s22, float dx, float dy) {
  const float ex = 1.0f - dx;
  const float ey = 1.0f - dy;
  const float top = (ey * ex) * s11 + (ey * dx) * s12;
  return (top + (dy * ex) * s21) + (dy * dx) * s22;
}

// Bicubic and lanczos4: the samples under the product of both windows, row by row; lanczos4 divides by the sum of the weights.
// at(y, x) gives a sample of the source.
template <class At>
VB_HOST_DEVICE float resize_weighted(const At& at, const ResizeWindow& column, const ResizeWindow& row, bool normalise) {
  float sum = 0.0f;
  float weights = 0.0f;
  for (int j = 0; j < row.count; ++j) {
    for (int i = 0; i < column.count; ++i) {
      const float weight = column.weight[i] * row.weight[j];
      weights = weights + weight;
      sum = sum + at(row.index[j], column.index[i]) * weight;
    }
  }
  return normalise ? sum / weights : sum;
}

// One sample of the resized plane, whose windows are given.
template <class At>
VB_HOST_DEVICE float resize_sample(const At& at, const ResizeWindow& column, const ResizeWindow& row, ResizeMethod method) {
  const int x = column.index[0];
  const int y = row.index[0];
  if (method == ResizeMethod::kNearest) return at(y, x);
  if (method != ResizeMethod::kBilinear) return resize_weighted(at, column, row, method == ResizeMethod::kLanczos4);
  const int right = column.index[1];
  const int below = row.index[1];
  return resize_bilinear(at(y, x), at(y, right), at(below, x), at(below, right), column.weight[0], row.weight[0]);
}

// The cubic convolution kernel with a = -0.75 (R. Keys, IEEE Trans. ASSP 29(6), 1981).
VB_HOST_DEVICE inline float resize_cubic_weight(float distance) {
  const float a = -0.75f;
  const float t = distance < 0.0f ? -distance : distance;
  if (t < 1.0f) return (((a + 2.0f) * t - (a + 3.0f)) * t) * t + 1.0f;
  if (t < 2.0f) return (((t - 5.0f) * t + 8.0f) * t - 4.0f) * a;
  return 0.0f;
}

// The windowed sinc of nine samples. Host only: calls the C library's sin.
inline float resize_lanczos_weight(float distance) {
  constexpr double kPi = 3.14159265358979323846;
  if (distance == 0.0f) return 1.0f;
  if (!(-4.0f < distance && distance < 4.0f)) return 0.0f;
  const double t = static_cast<double>(distance);
  return static_cast<float>(4.0 * std::sin(kPi * t) * std::sin(kPi * t / 4.0) / (kPi * kPi * t * t));
}

}  // namespace vmafbatch::extractors
