// The per-sample arithmetic of integer ADM, shared by the CPU loops, their vector forms' tests and the device kernels.
// S. Li et al., "Image Quality Assessment by Separately Evaluating Detail Losses and Additive Impairments", IEEE Trans. Multimedia
// 13(5), 2011, in the fixed-point form of libvmaf 3.2.0. Shifts of signed values are arithmetic; narrowing casts wrap on purpose.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors::adm {

constexpr int kScales = 4;
constexpr int kBands = 3;  // h, v, d: always visited in this order

// Columns left .. right-1 of rows top .. bottom-1 of a band.
struct Region {
  int left = 0;
  int right = 0;
  int top = 0;
  int bottom = 0;

  VB_HOST_DEVICE constexpr int width() const { return right - left; }
  VB_HOST_DEVICE constexpr int height() const { return bottom - top; }
  VB_HOST_DEVICE constexpr bool contains(int x, int y) const { return x >= left && x < right && y >= top && y < bottom; }
};

// --- Wavelet -------------------------------------------------------------------------------------------------------------------

// Four filter taps, Daubechies-2 times 2^15.
struct Taps {
  std::int16_t tap[4];
};
VB_HOST_DEVICE constexpr Taps low_taps() { return {{15826, 27411, 7345, -4240}}; }
VB_HOST_DEVICE constexpr Taps high_taps() { return {{-4240, -7345, 27411, -15826}}; }

// Position p = -1 .. n+1 of a line of n samples: mirrored without the edge at the start, with the edge at the end.
// REQUIRES: n >= 2
VB_HOST_DEVICE constexpr int fold_tap(int p, int n) { return p < 0 ? 1 : (p >= n ? 2 * n - 1 - p : p); }

template <class Sum, class Sample>
VB_HOST_DEVICE constexpr Sum filter(const Taps& taps, Sample s0, Sample s1, Sample s2, Sample s3) {
  return Sum{taps.tap[0]} * s0 + Sum{taps.tap[1]} * s1 + Sum{taps.tap[2]} * s2 + Sum{taps.tap[3]} * s3;
}

// (x + half) >> bits; bits = 0 leaves x.
VB_HOST_DEVICE constexpr std::int32_t round_shift(std::int32_t x, int bits) { return bits == 0 ? x : (x + (1 << (bits - 1))) >> bits; }
VB_HOST_DEVICE constexpr std::int64_t round_shift(std::int64_t x, int bits) {
  return bits == 0 ? x : (x + (std::int64_t{1} << (bits - 1))) >> bits;
}

// A sample around zero. The taps sum to 46342 and 0, so the filters of scale 0 may read centred samples and need no offset.
VB_HOST_DEVICE constexpr std::int16_t centred(std::uint32_t sample, int bit_depth) {
  return static_cast<std::int16_t>(static_cast<std::int32_t>(sample) - (1 << (bit_depth - 1)));
}

// Rounding shifts of the two passes at scales 1..3; those of scale 0 are the bit depth and 16.
VB_HOST_DEVICE constexpr int vertical_shift(int scale) { return scale == 1 ? 0 : 16; }
VB_HOST_DEVICE constexpr int horizontal_shift(int scale) { return scale == 2 ? 16 : 15; }

// --- Decoupling: o is the reference's coefficient, t the distorted one's -------------------------------------------------------------

constexpr std::int32_t kUnitGain = 32768;  // gains are Q15

// Five halvings: a loop over the bits would take as many turns as the widest sample of those that run in step.
VB_HOST_DEVICE constexpr int bit_length(std::uint32_t x) {
  int bits = x != 0 ? 1 : 0;
  for (int half = 16; half > 0; half /= 2) {
    const bool wide = (x >> half) != 0;
    bits += wide ? half : 0;
    x >>= wide ? half : 0;
  }
  return bits;
}

VB_HOST_DEVICE constexpr std::int32_t clamp_gain(std::int64_t k) {
  return static_cast<std::int32_t>(k < 0 ? 0 : (k > kUnitGain ? kUnitGain : k));
}

// 2^30 / m without its fraction. REQUIRES: 1 <= m <= 32768
VB_HOST_DEVICE constexpr std::int64_t reciprocal(std::uint32_t m) { return static_cast<std::int64_t>((std::uint32_t{1} << 30) / m); }

// The share of o that t kept. Scale 0:
VB_HOST_DEVICE constexpr std::int32_t kept_gain(std::int16_t o, std::int16_t t) {
  if (o == 0) return kUnitGain;
  const std::int64_t rec = o > 0 ? reciprocal(static_cast<std::uint32_t>(o)) : -reciprocal(static_cast<std::uint32_t>(-o));
  return clamp_gain((rec * t + 16384) >> 15);
}
// Scales 1..3: o is reduced to 15 significant bits first.
VB_HOST_DEVICE constexpr std::int32_t kept_gain(std::int32_t o, std::int32_t t) {
  if (o == 0) return kUnitGain;
  const std::uint32_t magnitude = o > 0 ? static_cast<std::uint32_t>(o) : 0u - static_cast<std::uint32_t>(o);
  const int e = magnitude < 32768 ? 0 : bit_length(magnitude) - 15;
  const std::uint32_t m = e == 0 ? magnitude : (magnitude + (1u << (e - 1))) >> e;
  const std::int64_t product = reciprocal(m) * t * (o > 0 ? 1 : -1);
  return clamp_gain((product + (std::int64_t{1} << (14 + e))) >> (15 + e));
}

// An integer that holds scalar products of two coefficients exactly: each is at most 2 * 22930^2 at scale 0.
VB_HOST_DEVICE constexpr std::int32_t widened(std::int16_t x) { return x; }
VB_HOST_DEVICE constexpr std::int64_t widened(std::int32_t x) { return x; }

// True where the (h, v) vectors of reference and distorted differ by less than one degree. dp, oo, tt: their scalar products.
template <class Product>
VB_HOST_DEVICE bool same_direction(Product dp, Product oo, Product tt) {
  constexpr double kCosSquared = 0x1.ffd814p-1;  // cos^2 of one degree, rounded to float
  const auto d = static_cast<double>(static_cast<float>(dp));
  const auto o = static_cast<double>(static_cast<float>(oo));
  const auto s = static_cast<double>(static_cast<float>(tt));
  return d >= 0.0 && d * d >= (kCosSquared * o) * s;
}

// What of o the distorted picture kept: gain * o, and where the direction is the same up to `gain_limit` times that, but not beyond t.
template <class Coefficient>
VB_HOST_DEVICE Coefficient restored(Coefficient o, Coefficient t, bool same, double gain_limit) {
  const std::int32_t k = kept_gain(o, t);
  const auto r = static_cast<Coefficient>((widened(o) * k + 16384) >> 15);
  if (!same || k == 0 || o == 0) return r;
  const double enhanced = static_cast<double>(r) * gain_limit;
  const auto limit = static_cast<double>(t);
  if (o > 0) return static_cast<Coefficient>(enhanced < limit ? enhanced : limit);
  return static_cast<Coefficient>(enhanced > limit ? enhanced : limit);
}

// One sample of the three bands.
template <class Coefficient>
struct Triple {
  Coefficient band[kBands];
};

// The distorted sample as what is left of the reference's detail and what was added to it.
template <class Coefficient>
struct Split {
  Triple<Coefficient> detail;
  Triple<Coefficient> additive;
};
template <class Coefficient>
VB_HOST_DEVICE Split<Coefficient> split(const Triple<Coefficient>& reference, const Triple<Coefficient>& distorted, double gain_limit) {
  const auto oh = widened(reference.band[0]), ov = widened(reference.band[1]);
  const auto th = widened(distorted.band[0]), tv = widened(distorted.band[1]);
  const bool same = same_direction(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv);
  Split<Coefficient> result;
  VB_UNROLL for (int b = 0; b < kBands; ++b) {
    const Coefficient t = distorted.band[b];
    result.detail.band[b] = restored(reference.band[b], t, same, gain_limit);
    result.additive.band[b] = static_cast<Coefficient>(t - result.detail.band[b]);
  }
  return result;
}

// --- Contrast sensitivity ------------------------------------------------------------------------------------------------------------

// What one coefficient adds to the masking threshold: of its neighbours (about a thirtieth of it), and of its own place (about a
// fifteenth).
struct Masking {
  std::int32_t neighbour;
  std::int32_t centre;
};

VB_HOST_DEVICE constexpr std::uint32_t magnitude_of(std::int32_t c) {
  return c < 0 ? 0u - static_cast<std::uint32_t>(c) : static_cast<std::uint32_t>(c);
}

// Scale 0: the 16-bit wraps and the d band's rounding term 65535 are libvmaf's.
VB_HOST_DEVICE constexpr std::int32_t weighted_add(int band) { return band == 2 ? 65535 : 16384; }
VB_HOST_DEVICE constexpr int weighted_shift(int band) { return band == 2 ? 17 : 15; }
VB_HOST_DEVICE constexpr std::int16_t weighted(std::int16_t x, std::uint32_t weight, int band) {
  return static_cast<std::int16_t>((static_cast<std::int32_t>(weight) * x + weighted_add(band)) >> weighted_shift(band));
}
VB_HOST_DEVICE constexpr Masking masking_of(std::int16_t c) {
  const auto n = static_cast<std::int32_t>(magnitude_of(c));
  return {static_cast<std::int16_t>((4369 * n + 2048) >> 12), static_cast<std::int16_t>((8738 * n + 2048) >> 12)};
}

// Scales 1..3: the rounding term is minus 2^31, so that zero adds -1.
VB_HOST_DEVICE constexpr std::int32_t weighted(std::int32_t x, std::uint32_t weight) {
  return static_cast<std::int32_t>((std::int64_t{weight} * x + (1 << 27)) >> 28);
}
VB_HOST_DEVICE constexpr Masking masking_of(std::int32_t c) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 31;
  const std::int64_t n = magnitude_of(c);
  return {static_cast<std::int32_t>((143165577 * n - kHalf) >> 32), static_cast<std::int32_t>((286331153 * n - kHalf) >> 32)};
}

// What later steps need of a sample of one part.
template <class Coefficient>
struct Weighed {
  Triple<Coefficient> signal;  // scale 0: the coefficients; scales 1..3: the weighted coefficients
  std::int32_t neighbour;      // sum over the bands of Masking::neighbour
  std::int32_t difference;     // sum over the bands of Masking::centre - Masking::neighbour
};

VB_HOST_DEVICE constexpr std::int16_t weighted_band(std::int16_t x, std::uint32_t weight, int band) { return weighted(x, weight, band); }
VB_HOST_DEVICE constexpr std::int32_t weighted_band(std::int32_t x, std::uint32_t weight, int /*band*/) { return weighted(x, weight); }
VB_HOST_DEVICE constexpr std::int16_t signal_of(std::int16_t x, std::int16_t /*weighted*/) { return x; }
VB_HOST_DEVICE constexpr std::int32_t signal_of(std::int32_t /*x*/, std::int32_t weighted) { return weighted; }

// `weight`: of the bands.
template <class Coefficient, class Weights>
VB_HOST_DEVICE Weighed<Coefficient> weigh(const Triple<Coefficient>& part, const Weights& weight) {
  Weighed<Coefficient> result;
  std::uint32_t neighbour = 0;
  std::uint32_t difference = 0;
  VB_UNROLL for (int b = 0; b < kBands; ++b) {
    const Coefficient c = weighted_band(part.band[b], weight[b], b);
    const Masking masking = masking_of(c);
    result.signal.band[b] = signal_of(part.band[b], c);
    neighbour += static_cast<std::uint32_t>(masking.neighbour);
    difference += static_cast<std::uint32_t>(masking.centre) - static_cast<std::uint32_t>(masking.neighbour);
  }
  result.neighbour = static_cast<std::int32_t>(neighbour);
  result.difference = static_cast<std::int32_t>(difference);
  return result;
}

// --- Pooling ---------------------------------------------------------------------------------------------------------------------------

VB_HOST_DEVICE constexpr std::int32_t wrapped_difference(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b); }

VB_HOST_DEVICE constexpr std::int64_t masked_cube(std::int32_t x, int square_shift, int term_shift) {
  if (x <= 0) return 0;
  const std::int64_t square = std::int64_t{x} * x;
  const auto z = static_cast<std::int32_t>(round_shift(square, square_shift));
  return round_shift(std::int64_t{z} * x, term_shift);
}

VB_HOST_DEVICE constexpr int threshold_shift(int band) { return band == 2 ? 12 : 10; }
VB_HOST_DEVICE constexpr int square_shift(int band) { return band == 2 ? 30 : 29; }

// The cube of what the threshold leaves of one coefficient. Scale 0: `signal` is the coefficient itself.
VB_HOST_DEVICE constexpr std::int64_t masked_term(std::int16_t signal, std::uint32_t weight, std::int32_t threshold, int band,
                                                  int term_shift) {
  const std::uint32_t product = magnitude_of(static_cast<std::int32_t>(weight) * signal);
  const std::uint32_t cut = static_cast<std::uint32_t>(threshold) << threshold_shift(band);
  return masked_cube(wrapped_difference(product, cut), square_shift(band), term_shift);
}
// Scales 1..3: `signal` is the weighted coefficient.
VB_HOST_DEVICE constexpr std::int64_t masked_term(std::int32_t signal, std::int32_t threshold, int term_shift) {
  return masked_cube(wrapped_difference(magnitude_of(signal), static_cast<std::uint32_t>(threshold)), 30, term_shift);
}

// The cube of a reference coefficient. Scale 0:
VB_HOST_DEVICE constexpr std::uint64_t reference_term(std::int16_t o) {
  const std::uint64_t n = magnitude_of(o);
  return n * n * n;
}
// Scales 1..3: the term added to the square is a full 2^p, as libvmaf adds it.
VB_HOST_DEVICE constexpr int reference_square_shift(int scale) { return scale == 2 ? 30 : 31; }
VB_HOST_DEVICE constexpr std::uint64_t reference_term(std::int32_t o, int scale, int term_shift) {
  const std::uint64_t n = magnitude_of(o);
  const int p = reference_square_shift(scale);
  const std::uint64_t z = (n * n + (std::uint64_t{1} << p)) >> p;
  return (z * n + (std::uint64_t{1} << (term_shift - 1))) >> term_shift;
}

// The sum of a row's terms, rounded once. The half is added modulo 2^64, like the terms.
VB_HOST_DEVICE constexpr std::uint64_t row_half(int shift) { return shift == 0 ? 0 : std::uint64_t{1} << (shift - 1); }
VB_HOST_DEVICE constexpr std::int64_t rounded_row(std::int64_t sum, int shift) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + row_half(shift)) >> shift;
}
VB_HOST_DEVICE constexpr std::uint64_t rounded_row(std::uint64_t sum, int shift) { return (sum + row_half(shift)) >> shift; }

}  // namespace vmafbatch::extractors::adm
