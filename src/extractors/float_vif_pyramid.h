// The four scales of float_vif: float planes of one picture's luma and the windows that build and measure them.
#pragma once

#include <array>
#include <vector>

#include "extractors/float_plane.h"
#include "extractors/float_resize.h"
#include "extractors/float_vif_math.h"
#include "extractors/options.h"

namespace vmafbatch::extractors {

// What the planes depend on besides the picture.
struct FloatVifShape {
  int width = 0;  // of scale 0, after the prescale
  int height = 0;
  ResizeMethod method = ResizeMethod::kNearest;
  std::array<std::vector<float>, kFloatVifScales> windows;  // of each scale
};

// REQUIRES: the options are float_vif's
FloatVifShape float_vif_shape(const Options& options, const io::PictureFormat& format);

// The windows for a kernel scale: 17, 9, 5 and 3 taps at 1.
std::array<std::vector<float>, kFloatVifScales> float_vif_windows(double kernel_scale);

// The smallest side of scale 0 at which every window reaches with one reflection.
int smallest_float_vif_side(const std::array<std::vector<float>, kFloatVifScales>& windows, bool skip_scale0);

// Scale s has floor(side / 2^s) samples a side. The planes live as long as the frame.
struct FloatVifPyramid {
  std::array<io::Plane<const float>, kFloatVifScales> scales;
  std::array<FloatPlane, kFloatVifScales - 1> owned;  // scales 1 to 3
};

// Computed once per frame and shape, and shared. REQUIRES: the sides are at least smallest_float_vif_side
const FloatVifPyramid& shared_float_vif_pyramid(const io::Frame& frame, const FloatVifShape& shape);

// Memory of the planes of one picture whose luma is width x height, the shared float samples included.
size_t float_vif_pyramid_bytes(int width, int height, const FloatVifShape& shape);

}  // namespace vmafbatch::extractors
