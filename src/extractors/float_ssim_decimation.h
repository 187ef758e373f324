// The box decimation of float_ssim: pictures are averaged down until the shorter side has about 256 samples.
#pragma once

#include "extractors/float_plane.h"
#include "io/frame.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// The factor for a picture under option `scale`: the option itself, or for 0 the shorter side / 256, a half rounded up, at least 1.
int decimation_factor(int scale, int width, int height);

// A side of w samples becomes w / factor, and one more where w is odd.
constexpr int decimated_side(int side, int factor) { return factor == 1 ? side : side / factor + (side & 1); }

// The means of boxes of factor x factor samples of a plane, on the 8-bit scale; borders are reflected with the border sample repeated.
// REQUIRES: 1 < factor; factor / 2 + 1 at most the smaller side
FloatPlane decimated(const io::Frame& frame, int plane, int factor);
// The plain twin.
FloatPlane slow_decimated(const io::Frame& frame, int plane, int factor);

// The samples of a plane on the 8-bit scale behind decimation, computed once per frame; they live as long as the frame.
io::Plane<const float> shared_decimated_samples(const io::Frame& frame, int plane, int factor);

}  // namespace vmafbatch::extractors
