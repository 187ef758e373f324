#include "extractors/adm_contrast_rows.h"

namespace vmafbatch::extractors::adm {
namespace {

std::int16_t weighted_band(std::int16_t x, std::uint32_t weight, size_t band) { return weighted(x, weight, static_cast<int>(band)); }
std::int32_t weighted_band(std::int32_t x, std::uint32_t weight, size_t /*band*/) { return weighted(x, weight); }

// What later steps read of a coefficient: at scale 0 itself, above its weighted value.
std::int16_t signal_of(std::int16_t x, std::int16_t /*weighted*/) { return x; }
std::int32_t signal_of(std::int32_t /*x*/, std::int32_t weighted) { return weighted; }

template <class Coefficient>
void weigh_sample(const std::array<Coefficient, kBands>& coefficient, int x, const ContrastConstants& constants,
                  const PartRows<Coefficient>& part) {
  std::uint32_t neighbour = 0;
  std::uint32_t difference = 0;
  for (size_t b = 0; b < kBands; ++b) {
    const Coefficient c = weighted_band(coefficient[b], constants.weight[b], b);
    const Masking masking = masking_of(c);
    part.signal[b][x] = signal_of(coefficient[b], c);
    neighbour += static_cast<std::uint32_t>(masking.neighbour);
    difference += static_cast<std::uint32_t>(masking.centre) - static_cast<std::uint32_t>(masking.neighbour);
  }
  part.neighbour[x] = static_cast<std::int32_t>(neighbour);
  part.difference[x] = static_cast<std::int32_t>(difference);
}

template <class Coefficient>
void contrast(const BandRows<const Coefficient>& reference, const BandRows<const Coefficient>& distorted, int n,
              const ContrastConstants& constants, const PartRows<Coefficient>& detail, const PartRows<Coefficient>& additive) {
  for (int x = 0; x < n; ++x) {
    const std::int64_t oh = reference[0][x];
    const std::int64_t ov = reference[1][x];
    const std::int64_t th = distorted[0][x];
    const std::int64_t tv = distorted[1][x];
    const bool same = same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
    std::array<Coefficient, kBands> r;
    std::array<Coefficient, kBands> a;
    for (size_t b = 0; b < kBands; ++b) {
      const Coefficient t = distorted[b][x];
      r[b] = restored(reference[b][x], t, same, constants.gain_limit);
      a[b] = static_cast<Coefficient>(t - r[b]);
    }
    weigh_sample(r, x, constants, detail);
    weigh_sample(a, x, constants, additive);
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
