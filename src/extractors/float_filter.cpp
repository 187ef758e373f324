#include "extractors/float_filter.h"

#include <vector>

#include "base/simd.h"
#include "extractors/float_filter_simd.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {

void slow_float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out) {
  const int taps = static_cast<int>(window.size());
  const int radius = taps / 2;
  std::vector<float> columns(static_cast<size_t>(in.width));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < in.width; ++x) {
      float sum = 0.0f;
      for (int k = 0; k < taps; ++k) sum = sum + window[static_cast<size_t>(k)] * in.row(mirror_index(step * y - radius + k, in.height))[x];
      columns[static_cast<size_t>(x)] = sum;
    }
    for (int x = 0; x < out.width; ++x) {
      float sum = 0.0f;
      for (int k = 0; k < taps; ++k) {
        sum = sum + window[static_cast<size_t>(k)] * columns[static_cast<size_t>(mirror_index(step * x - radius + k, in.width))];
      }
      out.row(y)[x] = sum;
    }
  }
}

void float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out) {
  const auto filter = simd_mode() == SimdMode::kScalar ? slow_float_filter : fast_float_filter;
  filter(in, window, step, out);
}

}  // namespace vmafbatch::extractors
