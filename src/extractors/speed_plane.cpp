#include "extractors/speed_plane.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "extractors/float_filter.h"
#include "extractors/gaussian_window.h"

namespace vmafbatch::extractors {
namespace {

// Windows at kernel scale 1: nine taps before the decimation, two, which become three, for the local mean.
constexpr int kLowPassWidth = 9;
constexpr int kLocalMeanWidth = 2;
// libvmaf resizes nothing where the prescale is this near to 1.
constexpr double kPrescaleTolerance = 1e-3;

// Entry 5r + c of block j is sample (c, r) of the block.
FloatPlane blocks_of(io::Plane<const float> plane, const SpeedShape& shape) {
  FloatPlane blocks(shape.blocks(), kSpeedEntries);
  for (int y = 0; y < shape.block_rows() * kSpeedBlock; ++y) {
    for (int x = 0; x < shape.block_columns() * kSpeedBlock; ++x) {
      const int entry = y % kSpeedBlock * kSpeedBlock + x % kSpeedBlock;
      blocks.view().row(entry)[y / kSpeedBlock * shape.block_columns() + x / kSpeedBlock] = plane.row(y)[x];
    }
  }
  return blocks;
}

std::string key_of(int plane, const SpeedShape& shape) {
  return "speed plane " + std::to_string(plane) + " " + std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
         std::string(kResizeMethods[static_cast<size_t>(shape.method)]) + " " + std::to_string(shape.low_pass.size()) + " " +
         std::to_string(shape.local_mean.size());
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

FloatPlane speed_band_pass(io::Plane<const float> plane, const SpeedShape& shape) {
  FloatPlane result(shape.width / kSpeedDecimation, shape.height / kSpeedDecimation);
  FloatPlane mean(result.width(), result.height());
  float_filter(plane, shape.low_pass, kSpeedDecimation, result.view());
  float_filter(std::as_const(result).view(), shape.local_mean, 1, mean.view());
  for (int y = 0; y < result.height(); ++y) {
    for (int x = 0; x < result.width(); ++x) result.view().row(y)[x] -= mean.view().row(y)[x];
  }
  return result;
}

SpeedStatistics speed_statistics(const FloatPlane& band_pass, const SpeedShape& shape) {
  // Each window leaves out the samples that the last one starts behind.
  const int columns = shape.block_columns() * kSpeedBlock - (kSpeedBlock - 1);
  const int rows = shape.block_rows() * kSpeedBlock - (kSpeedBlock - 1);
  const SpeedMatrix covariance = speed_covariance(band_pass.view(), columns, rows);
  SpeedStatistics result{
      .singular = true, .eigenvalues = speed_eigenvalues(covariance), .variances = std::vector<float>(static_cast<size_t>(shape.blocks()))};
  if (std::ranges::any_of(result.eigenvalues, speed_is_negligible)) return result;
  const FloatPlane blocks = blocks_of(band_pass.view(), shape);
  const std::optional<FloatPlane> solution = speed_solve(covariance, blocks.view());
  if (!solution) return result;
  result.singular = false;
  for (int i = 0; i < kSpeedEntries; ++i) {
    const float* solved = solution->view().row(i);
    const float* given = blocks.view().row(i);
    for (size_t j = 0; j < result.variances.size(); ++j) result.variances[j] += speed_variance_term(solved[j], given[j]);
  }
  return result;
}

const SpeedStatistics& shared_speed_statistics(const io::Frame& frame, int plane, const SpeedShape& shape) {
  return frame.derived().get<SpeedStatistics>(key_of(plane, shape), [&] {
    const FloatPlane& samples = shared_resized_samples(frame, plane, kCentredOffset, shape.width, shape.height, shape.method);
    return speed_statistics(speed_band_pass(samples.view(), shape), shape);
  });
}

SpeedStatistics speed_difference_statistics(const io::Frame& earlier, const io::Frame& current, const SpeedShape& shape) {
  const io::Plane<const float> a = shared_float_samples(earlier, 0, kCentredOffset).view();
  const io::Plane<const float> b = shared_float_samples(current, 0, kCentredOffset).view();
  FloatPlane difference(a.width, a.height);
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) difference.view().row(y)[x] = a.row(y)[x] - b.row(y)[x];
  }
  if (shape.width != a.width || shape.height != a.height) {
    difference = resize(std::as_const(difference).view(), shape.width, shape.height, shape.method);
  }
  return speed_statistics(speed_band_pass(std::as_const(difference).view(), shape), shape);
}

size_t speed_plane_bytes(int width, int height, const SpeedShape& shape) {
  size_t bytes = FloatPlane::bytes_of(width, height);
  if (shape.width != width || shape.height != height) bytes += FloatPlane::bytes_of(shape.width, shape.height);
  bytes += 2 * FloatPlane::bytes_of(shape.width / kSpeedDecimation, shape.height / kSpeedDecimation);  // band-pass plane and local mean
  bytes += 3 * FloatPlane::bytes_of(shape.blocks(), kSpeedEntries);                                    // blocks, their solution, variances
  return bytes;
}

}  // namespace vmafbatch::extractors
