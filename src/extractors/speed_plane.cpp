#include "extractors/speed_plane.h"

#include <algorithm>
#include <string>
#include <utility>

#include "extractors/float_filter.h"

namespace vmafbatch::extractors {
namespace {

// The low-passed plane less its local mean.
FloatPlane band_pass(const SpeedSource& source, const SpeedShape& shape) {
  FloatPlane result = speed_low_pass(source, shape);
  FloatPlane mean(result.width(), result.height());
  float_filter(std::as_const(result).view(), shape.local_mean, 1, mean.view());
  for (int y = 0; y < result.height(); ++y) {
    for (int x = 0; x < result.width(); ++x) result.view().row(y)[x] -= mean.view().row(y)[x];
  }
  return result;
}

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

SpeedStatistics speed_statistics(const SpeedSource& source, const SpeedShape& shape) {
  const FloatPlane plane = band_pass(source, shape);
  // Every entry sees the same number of samples: a window ends where the last entry's begins behind it.
  const int columns = (shape.block_columns() - 1) * kSpeedBlock + 1;
  const int rows = (shape.block_rows() - 1) * kSpeedBlock + 1;
  const SpeedMatrix covariance = speed_covariance(plane.view(), columns, rows);
  SpeedStatistics result{
      .singular = true, .eigenvalues = speed_eigenvalues(covariance), .variances = std::vector<float>(static_cast<size_t>(shape.blocks()))};
  if (std::ranges::any_of(result.eigenvalues, speed_is_negligible)) return result;
  const FloatPlane blocks = blocks_of(plane.view(), shape);
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
  return frame.derived().get<SpeedStatistics>(key_of(plane, shape),
                                              [&] { return speed_statistics({.frame = frame, .plane = plane}, shape); });
}

size_t speed_statistics_bytes(int width, int height, bool is_difference, const SpeedShape& shape) {
  return speed_low_pass_bytes(width, height, is_difference, shape) +
         FloatPlane::bytes_of(shape.decimated_width(), shape.decimated_height()) +  // local mean
         3 * FloatPlane::bytes_of(shape.blocks(), kSpeedEntries);                   // blocks, their solution, variances
}

}  // namespace vmafbatch::extractors
