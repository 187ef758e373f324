#include "extractors/adm_contrast_rows.h"

namespace vmafbatch::extractors::adm {
namespace {

template <class Coefficient>
void weigh_sample(const Triple<Coefficient>& coefficients, int x, const ContrastConstants& constants, const PartRows<Coefficient>& part) {
  const Weighed<Coefficient> sample = weigh(coefficients, constants.weight.data());
  for (int b = 0; b < kBands; ++b) part.signal[static_cast<size_t>(b)][x] = sample.signal.band[b];
  part.neighbour[x] = sample.neighbour;
  part.difference[x] = sample.difference;
}

template <class Coefficient>
Triple<Coefficient> sample_of(const BandRows<const Coefficient>& rows, int x) {
  return {{rows[0][x], rows[1][x], rows[2][x]}};
}

template <class Coefficient>
void contrast(const BandRows<const Coefficient>& reference, const BandRows<const Coefficient>& distorted, int n,
              const ContrastConstants& constants, const PartRows<Coefficient>& detail, const PartRows<Coefficient>& additive) {
  for (int x = 0; x < n; ++x) {
    const Split<Coefficient> parts = split(sample_of(reference, x), sample_of(distorted, x), constants.gain_limit);
    weigh_sample(parts.detail, x, constants, detail);
    weigh_sample(parts.additive, x, constants, additive);
  }
}

}  // namespace

void slow_contrast_row(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                       const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive) {
  contrast(reference, distorted, n, constants, detail, additive);
}
void slow_contrast_row(const BandRows<const std::int32_t>& reference, const BandRows<const std::int32_t>& distorted, int n,
                       const ContrastConstants& constants, const PartRows<std::int32_t>& detail, const PartRows<std::int32_t>& additive) {
  contrast(reference, distorted, n, constants, detail, additive);
}

void slow_threshold_row(const MaskRows& mask, int n, std::int32_t* threshold) {
  for (int x = 0; x < n; ++x) {
    auto sum = static_cast<std::uint32_t>(mask.difference[x]);
    for (const std::int32_t* row : {mask.above, mask.row, mask.below}) {
      for (int i = x - 1; i <= x + 1; ++i) sum += static_cast<std::uint32_t>(row[i]);
    }
    threshold[x] = static_cast<std::int32_t>(sum);
  }
}

std::int64_t slow_masked_row_sum(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int band,
                                 int term_shift) {
  std::uint64_t sum = 0;
  for (int x = 0; x < n; ++x) sum += static_cast<std::uint64_t>(masked_term(signal[x], weight, threshold[x], band, term_shift));
  return static_cast<std::int64_t>(sum);
}
std::int64_t slow_masked_row_sum(const std::int32_t* signal, const std::int32_t* threshold, int n, int term_shift) {
  std::uint64_t sum = 0;
  for (int x = 0; x < n; ++x) sum += static_cast<std::uint64_t>(masked_term(signal[x], threshold[x], term_shift));
  return static_cast<std::int64_t>(sum);
}

std::uint64_t slow_reference_row_sum(const std::int16_t* row, int n) {
  std::uint64_t sum = 0;
  for (int x = 0; x < n; ++x) sum += reference_term(row[x]);
  return sum;
}
std::uint64_t slow_reference_row_sum(const std::int32_t* row, int n, int scale, int term_shift) {
  std::uint64_t sum = 0;
  for (int x = 0; x < n; ++x) sum += reference_term(row[x], scale, term_shift);
  return sum;
}

}  // namespace vmafbatch::extractors::adm
