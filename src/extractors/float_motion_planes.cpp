#include "extractors/float_motion_planes.h"

#include <cstdint>
#include <vector>

#include "extractors/float_motion_math.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

// One output; at(k) is the sample under tap k.
template <class At>
float blur(int taps, At&& at) {
  return taps == 3 ? float_motion_blur3(at(0), at(1), at(2)) : float_motion_blur5(at(0), at(1), at(2), at(3), at(4));
}

std::vector<HalfPosition> half_positions(int size) {
  std::vector<HalfPosition> positions;
  for (int i = 0; i < (size + 1) / 2; ++i) positions.push_back(half_position(i, size));
  return positions;
}

}  // namespace

FloatPlane slow_float_motion_blur(const io::Plane<const float>& plane, int taps) {
  FloatPlane result(plane.width, plane.height);
  const io::Plane<float> out = result.view();
  std::vector<float> vertical(static_cast<size_t>(plane.width));
  for (int y = 0; y < plane.height; ++y) {
    for (int x = 0; x < plane.width; ++x) {
      vertical[static_cast<size_t>(x)] = blur(taps, [&](int k) { return plane.row(mirror_index(y - taps / 2 + k, plane.height))[x]; });
    }
    for (int x = 0; x < plane.width; ++x) {
      out.row(y)[x] = blur(taps, [&](int k) { return vertical[static_cast<size_t>(mirror_index(x - taps / 2 + k, plane.width))]; });
    }
  }
  return result;
}

FloatPlane slow_float_motion_half(const io::Plane<const float>& plane) {
  const std::vector<HalfPosition> columns = half_positions(plane.width);
  const std::vector<HalfPosition> rows = half_positions(plane.height);
  FloatPlane result(static_cast<int>(columns.size()), static_cast<int>(rows.size()));
  const io::Plane<float> out = result.view();
  for (int y = 0; y < out.height; ++y) {
    const HalfPosition& row = rows[static_cast<size_t>(y)];
    const float* top = plane.row(row.low);
    const float* bottom = plane.row(row.high);
    for (int x = 0; x < out.width; ++x) {
      const HalfPosition& column = columns[static_cast<size_t>(x)];
      out.row(y)[x] =
          float_motion_bilinear(top[column.low], top[column.high], bottom[column.low], bottom[column.high], column.weight, row.weight);
    }
  }
  return result;
}

float mean_of_row_sums(std::span<const float> sums, int width) {
  float total = 0.0f;
  for (const float sum : sums) total += sum;
  return total / static_cast<float>(static_cast<std::int64_t>(width) * static_cast<std::int64_t>(sums.size()));
}

float slow_mean_absolute_difference(const io::Plane<const float>& a, const io::Plane<const float>& b) {
  std::vector<float> sums(static_cast<size_t>(a.height));
  for (int y = 0; y < a.height; ++y) {
    float& sum = sums[static_cast<size_t>(y)];
    for (int x = 0; x < a.width; ++x) sum += float_motion_difference(a.row(y)[x], b.row(y)[x]);
  }
  return mean_of_row_sums(sums, a.width);
}

}  // namespace vmafbatch::extractors
