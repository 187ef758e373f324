// What the SpEED features measure of one plane of one picture: the eigenvalues of the covariance of its 5x5 blocks and each block's
// variance under that covariance. The entropies that follow from them are formed on the host (speed_score.h).
#pragma once

#include <vector>

#include "extractors/extractor.h"
#include "extractors/float_plane.h"
#include "extractors/float_resize.h"
#include "extractors/speed_matrix.h"

namespace vmafbatch::extractors {

// What a measurement depends on besides the samples.
struct SpeedShape {
  int width = 0;  // after the prescale
  int height = 0;
  ResizeMethod method = ResizeMethod::kNearest;
  std::vector<float> low_pass;    // before the decimation
  std::vector<float> local_mean;  // of the decimated plane

  // Whole blocks of the decimated plane.
  int block_columns() const { return width / kSpeedDecimation / kSpeedBlock; }
  int block_rows() const { return height / kSpeedDecimation / kSpeedBlock; }
  int blocks() const { return block_columns() * block_rows(); }
};

// The smallest side after the prescale: one block.
inline constexpr int kSmallestSpeedSide = kSpeedDecimation * kSpeedBlock;

// For a plane of width x height under the options speed_kernelscale, speed_prescale and speed_prescale_method.
SpeedShape speed_shape(const Options& options, int width, int height);

struct SpeedStatistics {
  bool singular = false;  // the covariance has no inverse; the variances are zero
  SpeedEigenvalues eigenvalues{};
  std::vector<float> variances;  // one a block, in raster order
};

// The low-passed, decimated plane less its local mean. REQUIRES: the plane has the shape's size
FloatPlane speed_band_pass(io::Plane<const float> plane, const SpeedShape& shape);

SpeedStatistics speed_statistics(const FloatPlane& band_pass, const SpeedShape& shape);

// Of a plane of a picture; computed once per frame and shape, and shared.
const SpeedStatistics& shared_speed_statistics(const io::Frame& frame, int plane, const SpeedShape& shape);

// Of the luma of `earlier` minus that of `current`.
SpeedStatistics speed_difference_statistics(const io::Frame& earlier, const io::Frame& current, const SpeedShape& shape);

// Memory that one plane of width x height takes while it is measured, the shared float samples included.
size_t speed_plane_bytes(int width, int height, const SpeedShape& shape);

}  // namespace vmafbatch::extractors
