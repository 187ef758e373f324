// Resizing of float planes before a feature is computed: the vif_prescale and speed_prescale options.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "extractors/float_plane.h"
#include "extractors/float_resize_math.h"

namespace vmafbatch::extractors {

// The texts of the ..._prescale_method options.
inline constexpr std::array<std::string_view, 4> kResizeMethods = {"nearest", "bilinear", "bicubic", "lanczos4"};

// REQUIRES: text is one of kResizeMethods
ResizeMethod resize_method(std::string_view text);

// The size that a side has after a prescale, rounded to the nearest.
int resized_side(int side, double prescale);

// The smallest side of the source that the method's window reaches with one reflection.
int smallest_resize_source(ResizeMethod method);

// The windows of all rows or columns of a side that is resized. REQUIRES: source is at least smallest_resize_source(method)
std::vector<ResizeWindow> resize_windows(int source, int destination, ResizeMethod method);

// Gives single rows of a resized plane. Constant after construction: any thread may call row().
class RowResizer {
 public:
  // From in_width x in_height to width x height. REQUIRES: both sides of the source are at least smallest_resize_source(method)
  RowResizer(int in_width, int in_height, int width, int height, ResizeMethod method);

  // Row y of `in` resized, `width` floats. REQUIRES: `in` has the source's size; 0 <= y < height
  void row(io::Plane<const float> in, int y, float* out) const;

 private:
  ResizeMethod method_;
  std::vector<ResizeWindow> columns_;
  std::vector<ResizeWindow> rows_;
};

// The whole plane. REQUIRES: both sides of `in` are at least smallest_resize_source(method)
FloatPlane resize(io::Plane<const float> in, int width, int height, ResizeMethod method);

// float(sample) / 2^(depth-8) + offset, resized to width x height; the samples themselves where the size is that of the plane. Computed
// once per frame and shared; lives as long as the frame.
const FloatPlane& shared_resized_samples(const io::Frame& frame, int plane, float offset, int width, int height, ResizeMethod method);

}  // namespace vmafbatch::extractors
