// The sums of float_ssim over the windows of one pair of planes; float_ms_ssim takes them at each of its scales.
#pragma once

#include <cstddef>

#include "extractors/float_ssim_math.h"
#include "io/frame.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

struct FloatSsimSums {
  double score = 0.0;
  double luminance = 0.0;
  double contrast = 0.0;
  double structure = 0.0;
};

// What the sums are divided by: how many windows fit into a plane. Smaller planes hold none, and for them the product is not a count, but
// libvmaf divides by it all the same.
inline double ssim_window_count(int width, int height) {
  return static_cast<double>(width - kSsimTaps + 1) * static_cast<double>(height - kSsimTaps + 1);
}

// Adds the terms of all windows that fit into the planes, in raster order.
// REQUIRES: planes of one size whose sides are at least kSsimTaps; rows that may be read in whole vectors of 64 bytes, as those of a
// FloatPlane
FloatSsimSums float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted);
// The plain twin.
FloatSsimSums slow_float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted);

// The sums over one plane of a pair behind decimation by `factor`, computed once per pair: scale 0 of float_ms_ssim is float_ssim at
// factor 1. Lives as long as the pair.
const FloatSsimSums& shared_float_ssim_sums(const io::FramePair& pair, int plane, int factor);

// Memory of one call of float_ssim_sums, whichever path it takes.
size_t float_ssim_scratch_bytes(int width);

}  // namespace vmafbatch::extractors
