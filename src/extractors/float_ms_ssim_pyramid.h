// The pictures that float_ms_ssim looks at: one plane at five dyadic scales.
#pragma once

#include <array>

#include "extractors/float_ms_ssim_math.h"
#include "extractors/float_plane.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// The coarser scales of one plane; scale 0 is shared_float_samples(frame, plane, 0.0f).
struct MsSsimPyramid {
  std::array<FloatPlane, kMsSsimScales - 1> planes;  // scales 1 .. 4
};

// A side at the next coarser scale.
constexpr int half_side(int side) { return (side + 1) / 2; }

// Low-pass at every second sample in both directions; borders are reflected with the border sample repeated.
// REQUIRES: both sides are at least kLowPassTaps
FloatPlane low_passed(io::Plane<const float> in);
// The plain twin.
FloatPlane slow_low_passed(io::Plane<const float> in);

// Computed once per frame; lives as long as the frame.
const MsSsimPyramid& shared_ms_ssim_pyramid(const io::Frame& frame, int plane);

// Memory of one plane's pyramid, scale 0 included. What low_passed() takes meanwhile is less than float_ssim_scratch_bytes().
size_t ms_ssim_pyramid_bytes(int width, int height);

}  // namespace vmafbatch::extractors
