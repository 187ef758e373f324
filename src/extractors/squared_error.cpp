#include "extractors/squared_error.h"

#include <string>

#include "base/simd.h"
#include "extractors/row_sums.h"

namespace vmafbatch::extractors {

std::uint64_t slow_sum_of_squared_errors(const io::Frame& reference, const io::Frame& distorted, int plane) {
  return with_sample_type(reference.format(), [&](auto sample) {
    using Sample = decltype(sample);
    const io::Plane<const Sample> a = reference.plane<Sample>(plane);
    const io::Plane<const Sample> b = distorted.plane<Sample>(plane);
    std::uint64_t sum = 0;
    for (int y = 0; y < a.height; ++y) {
      for (int x = 0; x < a.width; ++x) {
        const std::int64_t difference = std::int64_t{a.row(y)[x]} - b.row(y)[x];
        sum += static_cast<std::uint64_t>(difference * difference);
      }
    }
    return sum;
  });
}

std::uint64_t sum_of_squared_errors(const io::Frame& reference, const io::Frame& distorted, int plane) {
  if (simd_mode() == SimdMode::kScalar) return slow_sum_of_squared_errors(reference, distorted, plane);
  std::uint64_t sum = 0;
  const int height = reference.format().plane_height(plane);
  const auto width = static_cast<size_t>(reference.format().plane_width(plane));
  if (const int depth = reference.format().bit_depth; depth == 8) {
    const io::Plane<const std::uint8_t> a = reference.plane<std::uint8_t>(plane);
    const io::Plane<const std::uint8_t> b = distorted.plane<std::uint8_t>(plane);
    for (int y = 0; y < height; ++y) sum += row_squared_error(a.row(y), b.row(y), width);
  } else {
    const io::Plane<const std::uint16_t> a = reference.plane<std::uint16_t>(plane);
    const io::Plane<const std::uint16_t> b = distorted.plane<std::uint16_t>(plane);
    for (int y = 0; y < height; ++y) sum += row_squared_error(a.row(y), b.row(y), width, depth);
  }
  return sum;
}

std::uint64_t shared_sum_of_squared_errors(const io::FramePair& pair, int plane) {
  struct SquaredError {
    std::uint64_t sum;
  };
  return pair.derived()
      .get<SquaredError>("plane " + std::to_string(plane),
                         [&] { return SquaredError{sum_of_squared_errors(pair.reference(), pair.distorted(), plane)}; })
      .sum;
}

}  // namespace vmafbatch::extractors
