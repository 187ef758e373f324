#include "extractors/speed_low_pass.h"

#include <cmath>
#include <utility>

#include "base/simd.h"
#include "extractors/float_filter.h"
#include "extractors/gaussian_window.h"
#include "extractors/speed_low_pass_simd.h"

namespace vmafbatch::extractors {
namespace {

// Windows at kernel scale 1: nine taps before the decimation; two, which become three, for the local mean.
constexpr int kLowPassWidth = 9;
constexpr int kLocalMeanWidth = 2;
// libvmaf resizes nothing where the prescale is this near to 1.
constexpr double kPrescaleTolerance = 1e-3;

FloatPlane difference_of(io::Plane<const float> a, io::Plane<const float> b) {
  FloatPlane difference(a.width, a.height);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) difference.view().row(y)[x] = a.row(y)[x] - b.row(y)[x];
  }
  return difference;
}

FloatPlane filtered(io::Plane<const float> plane, const SpeedShape& shape) {
  FloatPlane result(shape.decimated_width(), shape.decimated_height());
  slow_float_filter(plane, shape.low_pass, kSpeedDecimation, result.view());
  return result;
}

}  // namespace

SpeedShape speed_shape(const Options& options, int width, int height) {
  const double prescale = options.real("speed_prescale");
  const double kernel_scale = options.real("speed_kernelscale");
  const bool resized = std::fabs(prescale - 1.0) >= kPrescaleTolerance;
  const int taps = window_width(kLowPassWidth, kernel_scale);
  const int mean_taps = window_width(kLocalMeanWidth, kernel_scale);
  return {.width = resized ? resized_side(width, prescale) : width,
          .height = resized ? resized_side(height, prescale) : height,
          .method = resize_method(options.text("speed_prescale_method")),
          .low_pass = gaussian_window(taps, static_cast<float>(2.0 * static_cast<double>(taps) / 5.0)),
          .local_mean = gaussian_window(mean_taps, static_cast<float>(mean_taps) / 5.0f)};
}

FloatPlane slow_speed_low_pass(const SpeedSource& source, const SpeedShape& shape) {
  const auto samples = [&](const io::Frame& frame) { return shared_float_samples(frame, source.plane, kCentredOffset).view(); };
  if (source.subtracted == nullptr) {
    return filtered(shared_resized_samples(source.frame, source.plane, kCentredOffset, shape.width, shape.height, shape.method).view(),
                    shape);
  }
  const FloatPlane difference = difference_of(samples(source.frame), samples(*source.subtracted));
  if (!source.is_resized(shape)) return filtered(difference.view(), shape);
  const FloatPlane resized = resize(difference.view(), shape.width, shape.height, shape.method);
  return filtered(resized.view(), shape);
}

FloatPlane speed_low_pass(const SpeedSource& source, const SpeedShape& shape) {
  return (simd_mode() == SimdMode::kScalar ? slow_speed_low_pass : fast_speed_low_pass)(source, shape);
}

size_t speed_low_pass_bytes(int width, int height, bool is_difference, const SpeedShape& shape) {
  if (simd_mode() == SimdMode::kBest) return fast_speed_low_pass_bytes(width, height, shape);
  const size_t plane = FloatPlane::bytes_of(width, height);
  const bool resized = shape.width != width || shape.height != height;
  return (is_difference ? 2 : 1) * plane + (resized ? FloatPlane::bytes_of(shape.width, shape.height) : 0) +
         FloatPlane::bytes_of(shape.decimated_width(), shape.decimated_height());
}

}  // namespace vmafbatch::extractors
