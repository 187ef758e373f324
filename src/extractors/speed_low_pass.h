// The first stage of the SpEED features: a plane, or the difference of two, resized by the prescale, low-passed and decimated by 16.
#pragma once

#include <vector>

#include "extractors/extractor.h"
#include "extractors/float_plane.h"
#include "extractors/float_resize.h"
#include "extractors/speed_math.h"

namespace vmafbatch::extractors {

// What a measurement depends on besides the samples.
struct SpeedShape {
  int width = 0;  // after the prescale
  int height = 0;
  ResizeMethod method = ResizeMethod::kNearest;
  std::vector<float> low_pass;    // window before the decimation
  std::vector<float> local_mean;  // window on the decimated plane

  int decimated_width() const { return width / kSpeedDecimation; }
  int decimated_height() const { return height / kSpeedDecimation; }
  // Whole blocks of the decimated plane.
  int block_columns() const { return decimated_width() / kSpeedBlock; }
  int block_rows() const { return decimated_height() / kSpeedBlock; }
  int blocks() const { return block_columns() * block_rows(); }
};

// The smallest side after the prescale: one block.
inline constexpr int kSmallestSpeedSide = kSpeedDecimation * kSpeedBlock;

// For a plane of width x height under the options speed_kernelscale, speed_prescale and speed_prescale_method.
SpeedShape speed_shape(const Options& options, int width, int height);

// Where the samples come from: a plane of a picture, less that of `subtracted` where there is one. Borrows both.
struct SpeedSource {
  const io::Frame& frame;
  int plane;
  const io::Frame* subtracted = nullptr;

  int width() const { return frame.format().plane_width(plane); }
  int height() const { return frame.format().plane_height(plane); }
  bool is_resized(const SpeedShape& shape) const { return shape.width != width() || shape.height != height(); }
};

// Samples on the 8-bit scale, centred around zero; resized where the shape differs; filtered down the columns, then along the rows, and
// every 16th kept in both directions. REQUIRES: the shape is that of the source's plane, its sides at least kSmallestSpeedSide
FloatPlane speed_low_pass(const SpeedSource& source, const SpeedShape& shape);
// The plain twin: resizes and filters float planes, which it leaves with the frames.
FloatPlane slow_speed_low_pass(const SpeedSource& source, const SpeedShape& shape);

// Memory of one call, the float samples that it leaves with the frames included.
size_t speed_low_pass_bytes(int width, int height, bool is_difference, const SpeedShape& shape);

}  // namespace vmafbatch::extractors
