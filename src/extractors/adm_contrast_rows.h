// The row loops of integer ADM's decoupling, masking and pooling. Each function takes the path of simd_mode(); its plain twin is
// slow_<name>. Rows can be read and written in whole vectors of 64 bytes, up to 63 bytes behind their last sample (adm::Rows). What
// stands there has no meaning. Coefficients lie within the bounds that the transform gives them (kLargestFinest, kLargestCoarser).
#pragma once

#include <array>
#include <cstdint>

#include "extractors/adm_math.h"
#include "extractors/adm_rows.h"

namespace vmafbatch::extractors::adm {

// The largest magnitude of a coefficient of h, v, d: the filters' absolute taps sum to 54822 / 32768.
constexpr std::int16_t kLargestFinest = 22930;        // scale 0
constexpr std::int32_t kLargestCoarser = 2110000000;  // scales 1..3

// The constants of one scale.
struct ContrastConstants {
  double gain_limit = 100.0;
  std::array<std::uint32_t, kBands> weight{};
};

// What one part of the signal (the restored detail or the additive impairment) is and how it masks the other part.
template <class Coefficient>
struct PartRows {
  BandRows<Coefficient> signal{};      // scale 0: the coefficients; scales 1..3: the weighted coefficients
  std::int32_t* neighbour = nullptr;   // sum over the bands of Masking::neighbour
  std::int32_t* difference = nullptr;  // sum over the bands of Masking::centre - Masking::neighbour
};

// Splits columns 0 .. n-1 of one row of the distorted bands into restored detail and additive impairment, and weights both.
void contrast_row(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                  const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive);
void contrast_row(const BandRows<const std::int32_t>& reference, const BandRows<const std::int32_t>& distorted, int n,
                  const ContrastConstants& constants, const PartRows<std::int32_t>& detail, const PartRows<std::int32_t>& additive);

// The masking signal around one row. Columns -1 and n can be read, too.
struct MaskRows {
  const std::int32_t* above;
  const std::int32_t* row;
  const std::int32_t* below;
  const std::int32_t* difference;
};

// threshold[x]: the sum of the masking signal over the 3x3 samples around x plus the difference, modulo 2^32, for 0 <= x < n.
void threshold_row(const MaskRows& mask, int n, std::int32_t* threshold);

// The sum over 0 <= x < n of masked_term() of one band, modulo 2^64.
std::int64_t masked_row_sum(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int band,
                            int term_shift);
std::int64_t masked_row_sum(const std::int32_t* signal, const std::int32_t* threshold, int n, int term_shift);

// The sum over 0 <= x < n of reference_term().
std::uint64_t reference_row_sum(const std::int16_t* row, int n);
std::uint64_t reference_row_sum(const std::int32_t* row, int n, int scale, int term_shift);

// The plain twins.
void slow_contrast_row(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                       const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive);
void slow_contrast_row(const BandRows<const std::int32_t>& reference, const BandRows<const std::int32_t>& distorted, int n,
                       const ContrastConstants& constants, const PartRows<std::int32_t>& detail, const PartRows<std::int32_t>& additive);
void slow_threshold_row(const MaskRows& mask, int n, std::int32_t* threshold);
std::int64_t slow_masked_row_sum(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int band,
                                 int term_shift);
std::int64_t slow_masked_row_sum(const std::int32_t* signal, const std::int32_t* threshold, int n, int term_shift);
std::uint64_t slow_reference_row_sum(const std::int16_t* row, int n);
std::uint64_t slow_reference_row_sum(const std::int32_t* row, int n, int scale, int term_shift);

}  // namespace vmafbatch::extractors::adm
