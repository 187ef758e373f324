#include "extractors/float_ssim_sums.h"

#include <array>
#include <string>
#include <vector>

#include "base/simd.h"
#include "extractors/float_ssim_decimation.h"
#include "extractors/float_ssim_simd.h"

namespace vmafbatch::extractors {
namespace {

using Row = std::vector<SsimMoments>;

void filter_row(const float* a, const float* b, Row& out) {
  for (size_t x = 0; x < out.size(); ++x) {
    out[x] = ssim_window([&](int k) { return ssim_products(a[x + static_cast<size_t>(k)], b[x + static_cast<size_t>(k)]); });
  }
}

void add_row(const std::array<Row, kSsimTaps>& rows, int top, FloatSsimSums& sums) {
  for (size_t x = 0; x < rows[0].size(); ++x) {
    const SsimTerms terms =
        ssim_terms(ssim_window([&](int k) -> const SsimMoments& { return rows[static_cast<size_t>((top + k) % kSsimTaps)][x]; }));
    sums.score += ssim_score(terms);
    sums.luminance += terms.luminance;
    sums.contrast += terms.contrast;
    sums.structure += terms.structure;
  }
}

}  // namespace

FloatSsimSums slow_float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  std::array<Row, kSsimTaps> rows;  // of the last eleven rows, row y at y mod 11
  for (Row& row : rows) row.resize(static_cast<size_t>(reference.width - kSsimTaps + 1));
  FloatSsimSums sums;
  for (int y = 0; y < reference.height; ++y) {
    filter_row(reference.row(y), distorted.row(y), rows[static_cast<size_t>(y % kSsimTaps)]);
    if (y >= kSsimTaps - 1) add_row(rows, y - kSsimTaps + 1, sums);
  }
  return sums;
}

FloatSsimSums float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  const auto sums = simd_mode() == SimdMode::kScalar ? slow_float_ssim_sums : fast_float_ssim_sums;
  return sums(reference, distorted);
}

const FloatSsimSums& shared_float_ssim_sums(const io::FramePair& pair, int plane, int factor) {
  const std::string key = "plane " + std::to_string(plane) + " factor " + std::to_string(factor);
  return pair.derived().get<FloatSsimSums>(key, [&] {
    return float_ssim_sums(shared_decimated_samples(pair.reference(), plane, factor),
                           shared_decimated_samples(pair.distorted(), plane, factor));
  });
}

size_t float_ssim_scratch_bytes(int width) { return fast_float_ssim_scratch_bytes(width); }  // the plain twin takes less

}  // namespace vmafbatch::extractors
