#include "extractors/float_vif_sums.h"

#include <vector>

#include "base/simd.h"
#include "extractors/float_vif_simd.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

void filter_columns(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window, int y,
                    std::vector<FloatVifMoments>& out) {
  const int radius = static_cast<int>(window.size()) / 2;
  for (size_t x = 0; x < out.size(); ++x) {
    FloatVifMoments sum{};
    for (size_t k = 0; k < window.size(); ++k) {
      const int row = mirror_index(y - radius + static_cast<int>(k), reference.height);
      float_vif_add_samples(window[k], reference.row(row)[x], distorted.row(row)[x], sum);
    }
    out[x] = sum;
  }
}

FloatVifMoments filter_row(const std::vector<FloatVifMoments>& columns, std::span<const float> window, int x) {
  const int radius = static_cast<int>(window.size()) / 2;
  const int width = static_cast<int>(columns.size());
  FloatVifMoments sum{};
  for (size_t k = 0; k < window.size(); ++k) {
    float_vif_add_column(window[k], columns[static_cast<size_t>(mirror_index(x - radius + static_cast<int>(k), width))], sum);
  }
  return sum;
}

}  // namespace

FloatVifSums slow_float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                                 const FloatVifChannel& channel) {
  std::vector<FloatVifMoments> columns(static_cast<size_t>(reference.width));
  FloatVifSums frame{};
  for (int y = 0; y < reference.height; ++y) {
    filter_columns(reference, distorted, window, y, columns);
    FloatVifSums row{};
    for (int x = 0; x < reference.width; ++x) row += float_vif_terms(filter_row(columns, window, x), channel);
    frame += row;
  }
  return frame;
}

FloatVifSums float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                            const FloatVifChannel& channel) {
  const auto sums = simd_mode() == SimdMode::kScalar ? slow_float_vif_sums : fast_float_vif_sums;
  return sums(reference, distorted, window, channel);
}

}  // namespace vmafbatch::extractors
