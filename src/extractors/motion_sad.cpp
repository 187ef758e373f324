#include "extractors/motion_sad.h"

#include <cstdlib>
#include <vector>

#include "extractors/mirror.h"
#include "extractors/motion_math.h"

namespace vmafbatch::extractors {
namespace {

// One row of the vertical pass over earlier - current.
template <class Sample>
void blur_columns(const io::Plane<const Sample>& earlier, const io::Plane<const Sample>& current, int y, int depth,
                  std::vector<std::int32_t>& out) {
  const Sample* a[5];
  const Sample* b[5];
  for (int k = 0; k < 5; ++k) {
    const int row = mirror_index(y - 2 + k, earlier.height);
    a[k] = earlier.row(row);
    b[k] = current.row(row);
  }
  const auto difference = [&](int k, int x) { return std::int32_t{a[k][x]} - std::int32_t{b[k][x]}; };
  for (int x = 0; x < earlier.width; ++x) {
    out[static_cast<size_t>(x)] =
        motion_blur(difference(0, x), difference(1, x), difference(2, x), difference(3, x), difference(4, x), depth);
  }
}

// The sum of magnitudes of the horizontal pass over one row.
std::uint64_t sum_blurred_row(const std::vector<std::int32_t>& row) {
  const int width = static_cast<int>(row.size());
  const auto at = [&](int x) { return row[static_cast<size_t>(mirror_index(x, width))]; };
  std::uint64_t sum = 0;
  for (int x = 0; x < width; ++x) {
    sum += static_cast<std::uint64_t>(std::abs(motion_blur(at(x - 2), at(x - 1), at(x), at(x + 1), at(x + 2), kMotionHorizontalShift)));
  }
  return sum;
}

}  // namespace

std::uint64_t slow_motion_sad(const io::Frame& earlier, const io::Frame& current) {
  return io::with_sample_type(current.format(), [&](auto type) {
    const io::Plane<const decltype(type)> a = earlier.plane<decltype(type)>(0);
    const io::Plane<const decltype(type)> b = current.plane<decltype(type)>(0);
    std::vector<std::int32_t> row(static_cast<size_t>(a.width));
    std::uint64_t sum = 0;
    for (int y = 0; y < a.height; ++y) {
      blur_columns(a, b, y, current.format().bit_depth, row);
      sum += sum_blurred_row(row);
    }
    return sum;
  });
}

}  // namespace vmafbatch::extractors
