// The vector forms of the row loops of decoupling, masking and pooling, and the functions that choose between them and the plain twins.
#include "extractors/adm_contrast_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/adm_contrast_rows_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h: it includes this file once per target.
#include "extractors/adm_contrast_rows-inl.h"

#if HWY_ONCE
#include "base/simd.h"

namespace vmafbatch::extractors::adm {

HWY_EXPORT(contrast_row_16);
HWY_EXPORT(contrast_row_32);
HWY_EXPORT(threshold_sums);
HWY_EXPORT(masked_sum_16);
HWY_EXPORT(masked_sum_32);
HWY_EXPORT(reference_sum_16);
HWY_EXPORT(reference_sum_32);

namespace {
// The vector form multiplies by signed weights. Larger ones come from adm_csf_mode 1 without a factor, where they wrap.
bool is_signed_weight(const ContrastConstants& constants) {
  return (constants.weight[0] | constants.weight[1] | constants.weight[2]) < (std::uint32_t{1} << 31);
}
}  // namespace

void contrast_row(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                  const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive) {
  if (simd_mode() == SimdMode::kScalar) return slow_contrast_row(reference, distorted, n, constants, detail, additive);
  HWY_DYNAMIC_DISPATCH(contrast_row_16)(reference, distorted, n, constants, detail, additive);
}
void contrast_row(const BandRows<const std::int32_t>& reference, const BandRows<const std::int32_t>& distorted, int n,
                  const ContrastConstants& constants, const PartRows<std::int32_t>& detail, const PartRows<std::int32_t>& additive) {
  if (simd_mode() == SimdMode::kScalar || !is_signed_weight(constants)) {
    return slow_contrast_row(reference, distorted, n, constants, detail, additive);
  }
  HWY_DYNAMIC_DISPATCH(contrast_row_32)(reference, distorted, n, constants, detail, additive);
}
void threshold_row(const MaskRows& mask, int n, std::int32_t* threshold) {
  if (simd_mode() == SimdMode::kScalar) return slow_threshold_row(mask, n, threshold);
  HWY_DYNAMIC_DISPATCH(threshold_sums)(mask, n, threshold);
}
std::int64_t masked_row_sum(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int band,
                            int term_shift) {
  if (simd_mode() == SimdMode::kScalar) return slow_masked_row_sum(signal, threshold, n, weight, band, term_shift);
  return HWY_DYNAMIC_DISPATCH(masked_sum_16)(signal, threshold, n, weight, band, term_shift);
}
std::int64_t masked_row_sum(const std::int32_t* signal, const std::int32_t* threshold, int n, int term_shift) {
  if (simd_mode() == SimdMode::kScalar) return slow_masked_row_sum(signal, threshold, n, term_shift);
  return HWY_DYNAMIC_DISPATCH(masked_sum_32)(signal, threshold, n, term_shift);
}
std::uint64_t reference_row_sum(const std::int16_t* row, int n) {
  if (simd_mode() == SimdMode::kScalar) return slow_reference_row_sum(row, n);
  return HWY_DYNAMIC_DISPATCH(reference_sum_16)(row, n);
}
std::uint64_t reference_row_sum(const std::int32_t* row, int n, int scale, int term_shift) {
  if (simd_mode() == SimdMode::kScalar) return slow_reference_row_sum(row, n, scale, term_shift);
  return HWY_DYNAMIC_DISPATCH(reference_sum_32)(row, n, scale, term_shift);
}

}  // namespace vmafbatch::extractors::adm
#endif  // HWY_ONCE
