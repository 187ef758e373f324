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
      const float a = reference.row(row)[x];
      const float b = distorted.row(row)[x];
      sum.mean1 = sum.mean1 + window[k] * a;
      sum.mean2 = sum.mean2 + window[k] * b;
      sum.square1 = sum.square1 + window[k] * (a * a);
      sum.square2 = sum.square2 + window[k] * (b * b);
      sum.product = sum.product + window[k] * (a * b);
    }
    out[x] = sum;
  }
}

FloatVifMoments filter_row(const std::vector<FloatVifMoments>& columns, std::span<const float> window, int x) {
  const int radius = static_cast<int>(window.size()) / 2;
  const int width = static_cast<int>(columns.size());
  FloatVifMoments sum{};
  for (size_t k = 0; k < window.size(); ++k) {
    const FloatVifMoments& c = columns[static_cast<size_t>(mirror_index(x - radius + static_cast<int>(k), width))];
    sum.mean1 = sum.mean1 + window[k] * c.mean1;
    sum.mean2 = sum.mean2 + window[k] * c.mean2;
    sum.square1 = sum.square1 + window[k] * c.square1;
    sum.square2 = sum.square2 + window[k] * c.square2;
    sum.product = sum.product + window[k] * c.product;
  }
  return sum;
}

}  // namespace

FloatVifSums slow_float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                                 const FloatVifChannel& channel) {
  std::vector<FloatVifMoments> columns(static_cast<size_t>(reference.width));
  FloatVifSums frame;
  for (int y = 0; y < reference.height; ++y) {
    filter_columns(reference, distorted, window, y, columns);
    FloatVifSums row;
    for (int x = 0; x < reference.width; ++x) {
      const FloatVifTerms terms = float_vif_terms(filter_row(columns, window, x), channel);
      row.numerator = row.numerator + terms.numerator;
      row.denominator = row.denominator + terms.denominator;
    }
    frame.numerator = frame.numerator + row.numerator;
    frame.denominator = frame.denominator + row.denominator;
  }
  return frame;
}

FloatVifSums float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                            const FloatVifChannel& channel) {
  const auto sums = simd_mode() == SimdMode::kScalar ? slow_float_vif_sums : fast_float_vif_sums;
  return sums(reference, distorted, window, channel);
}

}  // namespace vmafbatch::extractors
