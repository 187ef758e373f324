#include "extractors/gaussian_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/number_text.h"

namespace vmafbatch::extractors {
namespace {

// The scales that libvmaf accepts: ratios of common picture heights and viewing distances.
constexpr std::array kKernelScales = {1.0f,        1.0f / 2.0f, 3.0f / 2.0f,  2.0f,         2.0f / 3.0f, 24.0f / 10.0f, 360.0f / 97.0f,
                                      4.0f / 3.0f, 3.5f / 3.0f, 3.75f / 3.0f, 4.25f / 3.0f, 5.0f / 3.0f, 3.0f,          1.0f / 2.25f,
                                      1.4746f,     1.54f,       1.6f,         1.06667f,     0.711111f,   0.740740f,     1.111111f};
constexpr double kKernelScaleTolerance = 1e-3;
constexpr double kPi = 3.14159265358979323846;

}  // namespace

Status check_kernel_scale(std::string_view option, double kernel_scale) {
  const auto scale = static_cast<float>(kernel_scale);
  std::string list;
  for (const float accepted : kKernelScales) {
    if (static_cast<double>(std::fabs(scale - accepted)) < kKernelScaleTolerance) return {};
    list += (list.empty() ? "" : ", ") + format_general(static_cast<double>(accepted), 6);
  }
  return Error{"option " + std::string(option) + " is one of " + list + ", not " + format_general(kernel_scale, 6)};
}

int window_width(int base_width, double kernel_scale) {
  const float scaled = static_cast<float>(base_width) * static_cast<float>(kernel_scale);
  const int width = static_cast<int>(std::ceil(static_cast<double>(scaled)));
  return std::max(width % 2 == 0 ? width + 1 : width, 3);
}

std::vector<float> gaussian_window(int width, float sigma) {
  const auto deviation = static_cast<double>(sigma);
  // The peak density. It cancels but for its rounding, which the taps keep.
  const auto peak = static_cast<float>(1.0 / (deviation * std::sqrt(2.0 * kPi)));
  std::vector<float> taps(static_cast<size_t>(width));
  float sum = 0.0f;
  for (int i = 0; i < width; ++i) {
    const int from_centre = i - (width - 1) / 2;
    const double x = from_centre;
    const auto density = static_cast<float>(std::exp(-0.5 * x / deviation * x / deviation));
    taps[static_cast<size_t>(i)] = density / peak;
    sum = sum + taps[static_cast<size_t>(i)];
  }
  for (float& tap : taps) tap = tap / sum;
  return taps;
}

}  // namespace vmafbatch::extractors
