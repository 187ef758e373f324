// The fast paths of float_ssim and float_ms_ssim; float_ssim_sums.h, float_ssim_decimation.h and float_ms_ssim_pyramid.h choose.
#pragma once

#include <cstddef>

#include "extractors/float_plane.h"
#include "extractors/float_ssim_sums.h"

namespace vmafbatch::extractors {

// As float_ssim_sums.
FloatSsimSums fast_float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted);
// Memory of one call.
size_t fast_float_ssim_scratch_bytes(int width);

// As decimated. REQUIRES: factor <= kLargestFastFactor
FloatPlane fast_decimated(const io::Frame& frame, int plane, int factor);
// Up to here a box's sum is exact in double and its order is free: a product is at least 2^-8 / 64^2 = 2^-20 or zero, so all are
// multiples of 2^-43, and their sum stays below 2^9.
inline constexpr int kLargestFastFactor = 64;

// As low_passed.
FloatPlane fast_low_passed(io::Plane<const float> in);

}  // namespace vmafbatch::extractors
