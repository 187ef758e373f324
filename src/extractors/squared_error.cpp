#include "extractors/squared_error.h"

#include <string>

#include "base/simd.h"

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
  return slow_sum_of_squared_errors(reference, distorted, plane);
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
