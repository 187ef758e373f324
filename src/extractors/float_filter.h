// Separable filters over float planes with a fixed order of additions.
#pragma once

#include <span>

#include "io/plane.h"

namespace vmafbatch::extractors {

// out[y][x] = the filtered plane at [step * y][step * x]: down the columns first, then along the rows; each sum starts at 0.0f and adds
// the taps in ascending order; borders are reflected once without repeating the border sample.
// REQUIRES: window.size() is odd and at most twice the smaller side of `in` minus one; step * (out side - 1) < in side;
// at most 65 taps; rows of `in` that may be read in whole vectors of 64 bytes, as those of a FloatPlane
void float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out);
// The plain twin.
void slow_float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out);

}  // namespace vmafbatch::extractors
