#include "extractors/float_resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "extractors/float_resize_math.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

FloatPlane resize_to_nearest(io::Plane<const float> in, int width, int height) {
  FloatPlane result(width, height);
  const float ratio_x = resize_ratio(in.width, width);
  const float ratio_y = resize_ratio(in.height, height);
  for (int y = 0; y < height; ++y) {
    const float* source = in.row(resize_nearest(y, ratio_y));
    float* out = result.view().row(y);
    for (int x = 0; x < width; ++x) out[x] = source[resize_nearest(x, ratio_x)];
  }
  return result;
}

std::vector<LinearPosition> linear_positions(int source, int destination) {
  const float ratio = resize_ratio(source, destination);
  std::vector<LinearPosition> positions;
  for (int i = 0; i < destination; ++i) {
    const float at = resize_position(i, ratio);
    const int first = mirror_index(static_cast<int>(std::floor(at)), source);
    positions.push_back({first, mirror_index(static_cast<int>(std::ceil(at)), source), at - static_cast<float>(first)});
  }
  return positions;
}

FloatPlane resize_bilinearly(io::Plane<const float> in, int width, int height) {
  FloatPlane result(width, height);
  const std::vector<LinearPosition> columns = linear_positions(in.width, width);
  const std::vector<LinearPosition> rows = linear_positions(in.height, height);
  for (int y = 0; y < height; ++y) {
    const LinearPosition& row = rows[static_cast<size_t>(y)];
    const float* top = in.row(row.first);
    const float* bottom = in.row(row.second);
    for (int x = 0; x < width; ++x) {
      const LinearPosition& column = columns[static_cast<size_t>(x)];
      result.view().row(y)[x] =
          resize_bilinear(top[column.first], top[column.second], bottom[column.first], bottom[column.second], column.weight, row.weight);
    }
  }
  return result;
}

// The source samples and weights of one destination row or column.
struct Window {
  static constexpr int kLargest = 9;
  int count = 0;
  std::array<int, kLargest> index{};
  std::array<float, kLargest> weight{};
};

// Samples first .. last around the floor of each position, with weights from their distances.
std::vector<Window> windows(int source, int destination, int first, int last, float (*weight)(float)) {
  const float ratio = resize_ratio(source, destination);
  std::vector<Window> result;
  for (int i = 0; i < destination; ++i) {
    const float at = resize_position(i, ratio);
    const float base = std::floor(at);
    Window window;
    for (int k = first; k <= last; ++k, ++window.count) {
      window.index[static_cast<size_t>(window.count)] = mirror_index(static_cast<int>(base) + k, source);
      window.weight[static_cast<size_t>(window.count)] = weight(static_cast<float>(k) - (at - base));
    }
    result.push_back(window);
  }
  return result;
}

// normalise: divide by the sum of the weights.
FloatPlane resize_by_windows(io::Plane<const float> in, const std::vector<Window>& columns, const std::vector<Window>& rows,
                             bool normalise) {
  FloatPlane result(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
  for (int y = 0; y < result.height(); ++y) {
    const Window& row = rows[static_cast<size_t>(y)];
    for (int x = 0; x < result.width(); ++x) {
      const Window& column = columns[static_cast<size_t>(x)];
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
      result.view().row(y)[x] = normalise ? sum / weights : sum;
    }
  }
  return result;
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

FloatPlane resize(io::Plane<const float> in, int width, int height, ResizeMethod method) {
  switch (method) {
    case ResizeMethod::kNearest: break;
    case ResizeMethod::kBilinear: return resize_bilinearly(in, width, height);
    case ResizeMethod::kBicubic:
      return resize_by_windows(in, windows(in.width, width, -1, 2, resize_cubic_weight),
                               windows(in.height, height, -1, 2, resize_cubic_weight), false);
    case ResizeMethod::kLanczos4:
      return resize_by_windows(in, windows(in.width, width, -4, 4, resize_lanczos_weight),
                               windows(in.height, height, -4, 4, resize_lanczos_weight), true);
  }
  return resize_to_nearest(in, width, height);
}

const FloatPlane& shared_resized_samples(const io::Frame& frame, int plane, float offset, int width, int height, ResizeMethod method) {
  const FloatPlane& samples = shared_float_samples(frame, plane, offset);
  if (width == samples.width() && height == samples.height()) return samples;
  const std::string key = "resized plane " + std::to_string(plane) + " offset " + std::to_string(offset) + " to " + std::to_string(width) +
                          "x" + std::to_string(height) + " " + std::string(kResizeMethods[static_cast<size_t>(method)]);
  return frame.derived().get<FloatPlane>(key, [&] { return resize(samples.view(), width, height, method); });
}

}  // namespace vmafbatch::extractors
