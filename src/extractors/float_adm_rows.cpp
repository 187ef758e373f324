#include "extractors/float_adm_rows.h"

#include <bit>
#include <cstdint>

namespace vmafbatch::extractors::float_adm {
namespace {

// The bits of libvmaf's constants: another spelling of a literal must not change them.
constexpr std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
static_assert(bits(kLowPass.t0) == 0x3ef746ea && bits(kLowPass.t1) == 0x3f5625ef);
static_assert(bits(kLowPass.t2) == 0x3e6585f8 && bits(kLowPass.t3) == 0xbe0483ee);
static_assert(bits(kHighPass.t0) == 0xbe0483ee && bits(kHighPass.t1) == 0xbe6585f8);
static_assert(bits(kHighPass.t2) == 0x3f5625ef && bits(kHighPass.t3) == 0xbef746ea);
static_assert(bits(kTiny) == 0x0da24260 && bits(kCosSquared) == 0x3f7fec0a);
static_assert(bits(kNeighbourWeight) == 0x3fa11111203e01fc && bits(kCentreWeight) == 0x3fb111111fd00e7d);

void store_weighted(float coefficient, float weight, const WeightedRow& out, size_t signal, size_t band, int x) {
  const float size = weighted_magnitude(coefficient, weight);
  out.magnitude(signal, band)[x] = size;
  if (signal != kReference) out.mask(signal, band)[x] = neighbour_mask(size);
}

template <class Sample>
void centre(const Sample* samples, int width, float unit, float* out) {
  for (int x = 0; x < width; ++x) out[x] = centred(static_cast<float>(samples[x]), unit);
}

}  // namespace

void slow_centred_row(const std::uint8_t* samples, int width, float unit, float* out) { centre(samples, width, unit, out); }
void slow_centred_row(const std::uint16_t* samples, int width, float unit, float* out) { centre(samples, width, unit, out); }

void SplitLine::mirror_ends() {
  const int half = (length_ + 1) / 2;
  odd()[-1] = odd()[0];
  if (length_ % 2 != 0) odd()[half - 1] = even()[half - 1];
  even()[half] = length_ % 2 != 0 ? odd()[half - 2] : odd()[half - 1];
}

void slow_vertical_filter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line) {
  for (int x = 0; x < line.length(); ++x) {
    float* const out = x % 2 == 0 ? line.even() : line.odd();
    out[x / 2] = filter(taps, rows[0][x], rows[1][x], rows[2][x], rows[3][x]);
  }
  line.mirror_ends();
}

void slow_horizontal_filter(const SplitLine& line, Taps taps, int first, int count, float* out) {
  const float* const even = line.even() + first;
  const float* const odd = line.odd() + first;
  for (int x = 0; x < count; ++x) out[x] = filter(taps, odd[x - 1], even[x], odd[x], even[x + 1]);
}

void slow_weight_row(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
                     const WeightedRow& out, int first) {
  for (int x = 0; x < count; ++x) {
    const Bands o{reference.h[x], reference.v[x], reference.d[x]};
    const Bands t{distorted.h[x], distorted.v[x], distorted.d[x]};
    const Bands restored = restored_bands(o, t, gain_limit);
    const Bands additive{t.h - restored.h, t.v - restored.v, t.d - restored.d};
    size_t signal = kReference;
    for (const Bands& part : {o, restored, additive}) {
      store_weighted(part.h, weights.hv, out, signal, 0, first + x);
      store_weighted(part.v, weights.hv, out, signal, 1, first + x);
      store_weighted(part.d, weights.d, out, signal, 2, first + x);
      ++signal;
    }
  }
}

void slow_threshold_row(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out) {
  for (int x = 0; x < count; ++x) {
    float threshold = 0.0f;
    for (size_t band = 0; band < kBands; ++band) {
      threshold = threshold + band_threshold(above.mask(signal, band) + x, here.mask(signal, band) + x, below.mask(signal, band) + x,
                                             here.magnitude(signal, band)[x + 1]);
    }
    out[x] = threshold;
  }
}

void slow_term_row(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
                   const TermRows& out) {
  for (size_t band = 0; band < kBands; ++band) {
    for (int x = 0; x < count; ++x) {
      const float reference = row.magnitude(kReference, band)[x + 1];
      const float restored = visible(row.magnitude(kRestored, band)[x + 1], additive_threshold[x]);
      const float additive = visible(row.magnitude(kAdditive, band)[x + 1], restored_threshold[x]);
      out[kReference * kBands + band][x] = energy_term(reference, cubed);
      out[kRestored * kBands + band][x] = energy_term(restored, cubed);
      out[kAdditive * kBands + band][x] = energy_term(additive, cubed);
    }
  }
}

}  // namespace vmafbatch::extractors::float_adm
