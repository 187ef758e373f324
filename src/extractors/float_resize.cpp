#include "extractors/float_resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "extractors/float_resize_math.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

ResizeWindow nearest_window(int i, float ratio) {
  ResizeWindow window{.count = 1};
  window.index[0] = resize_nearest(i, ratio);
  return window;
}

ResizeWindow linear_window(int i, float ratio, int source) {
  const float at = resize_position(i, ratio);
  ResizeWindow window{.count = 2};
  window.index[0] = mirror_index(static_cast<int>(std::floor(at)), source);
  window.index[1] = mirror_index(static_cast<int>(std::ceil(at)), source);
  window.weight[0] = at - static_cast<float>(window.index[0]);
  return window;
}

// Samples first .. last around the floor of the position, with weights from their distances.
ResizeWindow weighted_window(int i, float ratio, int source, int first, int last, float (*weight)(float)) {
  const float at = resize_position(i, ratio);
  const float base = std::floor(at);
  ResizeWindow window;
  for (int k = first; k <= last; ++k, ++window.count) {
    window.index[static_cast<size_t>(window.count)] = mirror_index(static_cast<int>(base) + k, source);
    window.weight[static_cast<size_t>(window.count)] = weight(static_cast<float>(k) - (at - base));
  }
  return window;
}

std::vector<ResizeWindow> windows(int source, int destination, ResizeMethod method) {
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

void linear_row(io::Plane<const float> in, const std::vector<ResizeWindow>& columns, const ResizeWindow& row, float* out) {
  const float* top = in.row(row.index[0]);
  const float* bottom = in.row(row.index[1]);
  for (size_t x = 0; x < columns.size(); ++x) {
    const int first = columns[x].index[0];
    const int second = columns[x].index[1];
    out[x] = resize_bilinear(top[first], top[second], bottom[first], bottom[second], columns[x].weight[0], row.weight[0]);
  }
}

// normalise: divide by the sum of the weights.
void weighted_row(io::Plane<const float> in, const std::vector<ResizeWindow>& columns, const ResizeWindow& row, bool normalise,
                  float* out) {
  for (size_t x = 0; x < columns.size(); ++x) {
    const ResizeWindow& column = columns[x];
    float sum = 0.0f;
    float weights = 0.0f;
    for (size_t j = 0; j < static_cast<size_t>(row.count); ++j) {
      const float* source = in.row(row.index[j]);
      for (size_t i = 0; i < static_cast<size_t>(column.count); ++i) {
        const float weight = column.weight[i] * row.weight[j];
        weights = weights + weight;
        sum = sum + source[column.index[i]] * weight;
      }
    }
    out[x] = normalise ? sum / weights : sum;
  }
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

RowResizer::RowResizer(int in_width, int in_height, int width, int height, ResizeMethod method)
    : method_(method), columns_(windows(in_width, width, method)), rows_(windows(in_height, height, method)) {}

void RowResizer::row(io::Plane<const float> in, int y, float* out) const {
  const ResizeWindow& window = rows_[static_cast<size_t>(y)];
  switch (method_) {
    case ResizeMethod::kNearest:
      for (size_t x = 0; x < columns_.size(); ++x) out[x] = in.row(window.index[0])[columns_[x].index[0]];
      break;
    case ResizeMethod::kBilinear: linear_row(in, columns_, window, out); break;
    case ResizeMethod::kBicubic: weighted_row(in, columns_, window, false, out); break;
    case ResizeMethod::kLanczos4: weighted_row(in, columns_, window, true, out); break;
  }
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
