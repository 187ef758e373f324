// The sums of float_vif over one scale of a pair of pictures.
#pragma once

#include <span>

#include "extractors/float_vif_math.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// Filters both planes, their squares and their product with `window`, and adds the terms of all pixels: each row left to right, then the
// rows top to bottom. REQUIRES: planes of one size, whose sides are larger than half the window; rows that may be
// read in whole vectors of 64 bytes, as those of a FloatPlane; at most 65 taps
FloatVifSums float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                            const FloatVifChannel& channel);
// The plain twin.
FloatVifSums slow_float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                                 const FloatVifChannel& channel);

}  // namespace vmafbatch::extractors
