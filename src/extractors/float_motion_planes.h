// The planes that float_motion compares, and how it compares them.
#pragma once

#include <span>

#include "extractors/float_plane.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// The plane after the Gaussian of `taps` taps, vertically, then horizontally, mirrored at the borders.
// REQUIRES: taps is 3 (plane at least 2x2) or 5 (at least 3x3)
FloatPlane float_motion_blur(const io::Plane<const float>& plane, int taps);

// The plane at half size, (width+1)/2 x (height+1)/2, bilinear.
FloatPlane float_motion_half(const io::Plane<const float>& plane);

// Mean of |a - b|: each row is added from left to right in a float, the rows from top to bottom in a float.
// REQUIRES: one size
float mean_absolute_difference(const io::Plane<const float>& a, const io::Plane<const float>& b);

// The end of mean_absolute_difference: the rows' sums, from top to bottom, of a plane with `width` columns.
float mean_of_row_sums(std::span<const float> sums, int width);

// The plain twins.
FloatPlane slow_float_motion_blur(const io::Plane<const float>& plane, int taps);
FloatPlane slow_float_motion_half(const io::Plane<const float>& plane);
float slow_mean_absolute_difference(const io::Plane<const float>& a, const io::Plane<const float>& b);

}  // namespace vmafbatch::extractors
