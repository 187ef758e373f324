#include "extractors/float_resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

ResizeWindow nearest_window(int i, float ratio) { return {.count = 1, .index = {resize_nearest(i, ratio)}, .weight = {}}; }

ResizeWindow linear_window(int i, float ratio, int source) {
  const float at = resize_position(i, ratio);
  const int first = mirror_index(static_cast<int>(std::floor(at)), source);
  return {.count = 2, .index = {first, mirror_index(static_cast<int>(std::ceil(at)), source)}, .weight = {at - static_cast<float>(first)}};
}

// Samples first .. last around the floor of the position, with weights from their distances.
ResizeWindow weighted_window(int i, float ratio, int source, int first, int last, float (*weight)(float)) {
  const float at = resize_position(i, ratio);
  const float base = std::floor(at);
  ResizeWindow window{};
  for (int k = first; k <= last; ++k, ++window.count) {
    window.index[window.count] = mirror_index(static_cast<int>(base) + k, source);
    window.weight[window.count] = weight(static_cast<float>(k) - (at - base));
  }
  return window;
}

}  // namespace

ResizeMethod resize_method(std::string_view text) {
  return static_cast<ResizeMethod>(std::ranges::find(kResizeMethods, text) - kResizeMethods.begin());
}

int resized_side(int side, double prescale) { return static_cast<int>(static_cast<double>(side) * prescale + 0.5); }

int smallest_resize_source(ResizeMethod method) {
  switch (method) {
    case ResizeMethod::kNearest: return 1;
    case ResizeMethod::kBilinear: return 2;
    case ResizeMethod::kBicubic: return 3;
    case ResizeMethod::kLanczos4: return 6;
  }
  return 1;
}

std::vector<ResizeWindow> resize_windows(int source, int destination, ResizeMethod method) {
  const float ratio = resize_ratio(source, destination);
  std::vector<ResizeWindow> result;
  for (int i = 0; i < destination; ++i) {
    switch (method) {
      case ResizeMethod::kNearest: result.push_back(nearest_window(i, ratio)); break;
      case ResizeMethod::kBilinear: result.push_back(linear_window(i, ratio, source)); break;
      case ResizeMethod::kBicubic: result.push_back(weighted_window(i, ratio, source, -1, 2, resize_cubic_weight)); break;
      case ResizeMethod::kLanczos4: result.push_back(weighted_window(i, ratio, source, -4, 4, resize_lanczos_weight)); break;
    }
  }
  return result;
}

RowResizer::RowResizer(int in_width, int in_height, int width, int height, ResizeMethod method)
    : method_(method), columns_(resize_windows(in_width, width, method)), rows_(resize_windows(in_height, height, method)) {}

void RowResizer::row(io::Plane<const float> in, int y, float* out) const {
  const ResizeWindow& window = rows_[static_cast<size_t>(y)];
  const auto at = [&in](int source_y, int source_x) { return in.row(source_y)[source_x]; };
  for (size_t x = 0; x < columns_.size(); ++x) out[x] = resize_sample(at, columns_[x], window, method_);
}

FloatPlane resize(io::Plane<const float> in, int width, int height, ResizeMethod method) {
  const RowResizer resizer(in.width, in.height, width, height, method);
  FloatPlane result(width, height);
  for (int y = 0; y < height; ++y) resizer.row(in, y, result.view().row(y));
  return result;
}

const FloatPlane& shared_resized_samples(const io::Frame& frame, int plane, float offset, int width, int height, ResizeMethod method) {
  const FloatPlane& samples = shared_float_samples(frame, plane, offset);
  if (width == samples.width() && height == samples.height()) return samples;
  const std::string key = "resized plane " + std::to_string(plane) + " offset " + std::to_string(offset) + " to " + std::to_string(width) +
                          "x" + std::to_string(height) + " " + std::string(kResizeMethods[static_cast<size_t>(method)]);
  return frame.derived().get<FloatPlane>(key, [&] { return resize(samples.view(), width, height, method); });
}

}  // namespace vmafbatch::extractors
