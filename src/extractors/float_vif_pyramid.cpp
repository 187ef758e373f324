#include "extractors/float_vif_pyramid.h"

#include <string>
#include <utility>

#include "extractors/float_filter.h"
#include "extractors/gaussian_window.h"

namespace vmafbatch::extractors {
namespace {

FloatVifPyramid make_pyramid(const io::Frame& frame, const FloatVifShape& shape) {
  FloatVifPyramid pyramid;
  pyramid.scales[0] = shared_resized_samples(frame, 0, kCentredOffset, shape.width, shape.height, shape.method).view();
  for (size_t scale = 1; scale < kFloatVifScales; ++scale) {
    const io::Plane<const float> in = pyramid.scales[scale - 1];
    FloatPlane& out = pyramid.owned[scale - 1];
    out = FloatPlane(in.width / 2, in.height / 2);
    float_filter(in, shape.windows[scale], 2, out.view());
    pyramid.scales[scale] = std::as_const(out).view();
  }
  return pyramid;
}

std::string key_of(const FloatVifShape& shape) {
  std::string key = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " +
                    std::string(kResizeMethods[static_cast<size_t>(shape.method)]);
  for (size_t scale = 1; scale < kFloatVifScales; ++scale) key += " " + std::to_string(shape.windows[scale].size());
  return key;
}

}  // namespace

FloatVifShape float_vif_shape(const Options& options, const io::PictureFormat& format) {
  const double prescale = options.real("vif_prescale");
  return {.width = resized_side(format.width, prescale),
          .height = resized_side(format.height, prescale),
          .method = resize_method(options.text("vif_prescale_method")),
          .windows = float_vif_windows(options.real("vif_kernelscale"))};
}

std::array<std::vector<float>, kFloatVifScales> float_vif_windows(double kernel_scale) {
  std::array<std::vector<float>, kFloatVifScales> windows;
  for (int scale = 0; scale < kFloatVifScales; ++scale) {
    const int width = window_width((16 >> scale) + 1, kernel_scale);
    windows[static_cast<size_t>(scale)] = gaussian_window(width, static_cast<float>(width) / 5.0f);
  }
  return windows;
}

int smallest_float_vif_side(const std::array<std::vector<float>, kFloatVifScales>& windows, bool skip_scale0) {
  const auto reaches = [&](int side) {
    if (!skip_scale0 && side <= static_cast<int>(windows[0].size()) / 2) return false;
    for (size_t scale = 1; scale < kFloatVifScales; ++scale) {  // its window filters the plane before and its own, which is smaller
      side /= 2;
      if (side <= static_cast<int>(windows[scale].size()) / 2) return false;
    }
    return true;
  };
  int side = 1;
  while (!reaches(side)) ++side;
  return side;
}

const FloatVifPyramid& shared_float_vif_pyramid(const io::Frame& frame, const FloatVifShape& shape) {
  return frame.derived().get<FloatVifPyramid>(key_of(shape), [&] { return make_pyramid(frame, shape); });
}

size_t float_vif_pyramid_bytes(int width, int height, const FloatVifShape& shape) {
  size_t bytes = FloatPlane::bytes_of(width, height);
  if (shape.width != width || shape.height != height) bytes += FloatPlane::bytes_of(shape.width, shape.height);
  for (int scale = 1; scale < kFloatVifScales; ++scale) bytes += FloatPlane::bytes_of(shape.width >> scale, shape.height >> scale);
  return bytes;
}

}  // namespace vmafbatch::extractors
