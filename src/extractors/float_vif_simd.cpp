#include "extractors/float_vif_simd.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "extractors/mirror.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_vif_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors that Highway knows

FloatVifSums sum_plane(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                       const FloatVifChannel& channel) {
  return slow_float_vif_sums(reference, distorted, window, channel);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;
using Doubles = hn::Repartition<double, Floats>;
using DoubleVector = hn::Vec<Doubles>;

struct Moments {
  Vector mean1, mean2, square1, square2, product;
};

HWY_INLINE Moments zero_moments(Floats d) { return {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)}; }

HWY_INLINE void add_tap(Moments& sum, Vector tap, const Moments& v) {
  sum.mean1 = hn::Add(sum.mean1, hn::Mul(tap, v.mean1));
  sum.mean2 = hn::Add(sum.mean2, hn::Mul(tap, v.mean2));
  sum.square1 = hn::Add(sum.square1, hn::Mul(tap, v.square1));
  sum.square2 = hn::Add(sum.square2, hn::Mul(tap, v.square2));
  sum.product = hn::Add(sum.product, hn::Mul(tap, v.product));
}

HWY_INLINE Moments products_of(Floats d, const float* a, const float* b) {
  const Vector p = hn::LoadU(d, a);
  const Vector q = hn::LoadU(d, b);
  return {p, q, hn::Mul(p, p), hn::Mul(q, q), hn::Mul(p, q)};
}

HWY_INLINE void store_moments(Floats d, const Moments& m, int x, FloatVifRows& out) {
  hn::StoreU(m.mean1, d, out.mean1.data() + x);
  hn::StoreU(m.mean2, d, out.mean2.data() + x);
  hn::StoreU(m.square1, d, out.square1.data() + x);
  hn::StoreU(m.square2, d, out.square2.data() + x);
  hn::StoreU(m.product, d, out.product.data() + x);
}

// The vertical pass of rows y and y + 1, which share all source rows but two, and so their products.
void filter_two_rows(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window, int y,
                     FloatVifRows& upper, FloatVifRows& lower) {
  const Floats d;
  const size_t taps = window.size();
  const int radius = static_cast<int>(taps) / 2;
  std::array<const float*, 2 * PaddedRow<float>::kPadding + 2> a{};
  std::array<const float*, 2 * PaddedRow<float>::kPadding + 2> b{};
  // Behind the last row there is no row y + 1; its result is not used, and its last source row is any.
  for (size_t k = 0; k <= taps; ++k) {
    const int row = y - radius + static_cast<int>(k);
    const int inside = mirror_index(row < reference.height + radius ? row : y, reference.height);
    a[k] = reference.row(inside);
    b[k] = distorted.row(inside);
  }
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < reference.width; x += lanes) {
    Moments first = zero_moments(d);
    Moments second = zero_moments(d);
    add_tap(first, hn::Set(d, window[0]), products_of(d, a[0] + x, b[0] + x));
    for (size_t k = 1; k < taps; ++k) {
      const Moments v = products_of(d, a[k] + x, b[k] + x);
      add_tap(first, hn::Set(d, window[k]), v);
      add_tap(second, hn::Set(d, window[k - 1]), v);
    }
    add_tap(second, hn::Set(d, window[taps - 1]), products_of(d, a[taps] + x, b[taps] + x));
    store_moments(d, first, x, upper);
    store_moments(d, second, x, lower);
  }
}

HWY_INLINE Moments filter_along_row(Floats d, const FloatVifRows& rows, std::span<const float> window, int x) {
  const ptrdiff_t first = x - static_cast<int>(window.size()) / 2;
  Moments sum = zero_moments(d);
  for (size_t k = 0; k < window.size(); ++k) {
    const ptrdiff_t at = first + static_cast<ptrdiff_t>(k);
    add_tap(sum, hn::Set(d, window[k]),
            {hn::LoadU(d, rows.mean1.data() + at), hn::LoadU(d, rows.mean2.data() + at), hn::LoadU(d, rows.square1.data() + at),
             hn::LoadU(d, rows.square2.data() + at), hn::LoadU(d, rows.product.data() + at)});
  }
  return sum;
}

// float_vif_log2, lane by lane.
HWY_INLINE Vector log2_of(Floats d, Vector x) {
  const hn::RebindToSigned<Floats> di;
  const auto bits = hn::BitCast(di, x);
  const auto exponent = hn::Sub(hn::And(hn::ShiftRight<23>(bits), hn::Set(di, 255)), hn::Set(di, 127));
  const auto mantissa = hn::Or(hn::And(bits, hn::Set(di, 0x007FFFFF)), hn::Set(di, 0x3F800000));
  const Vector u = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 1.0f));
  Vector v = hn::Zero(d);
  for (int i = 0; i < kLog2Coefficients; ++i) v = hn::Add(hn::Mul(v, u), hn::Set(d, log2_coefficient(i)));
  return hn::Add(hn::ConvertTo(d, exponent), v);
}

// Calls f(low or high half of each argument as doubles) for both halves and puts the results together as floats.
template <class F>
HWY_INLINE Vector in_doubles(Floats d, Vector a, Vector b, const F& f) {
  const Doubles dd;
  const hn::Half<Floats> half;
  const auto low = f(hn::PromoteTo(dd, hn::LowerHalf(half, a)), hn::PromoteTo(dd, hn::LowerHalf(half, b)));
  const auto high = f(hn::PromoteTo(dd, hn::UpperHalf(half, a)), hn::PromoteTo(dd, hn::UpperHalf(half, b)));
  return hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

// 1 + (gain^2 * s1) / (residual + noise)
HWY_INLINE Vector kept_signal(Floats d, Vector signal, Vector residual, const FloatVifVectorChannel& channel) {
  const Doubles dd;
  const auto noise = hn::Set(dd, channel.noise_variance);
  const auto one = hn::Set(dd, 1.0);
  return in_doubles(d, signal, residual, [&](DoubleVector s, DoubleVector r) { return hn::Add(one, hn::Div(s, hn::Add(r, noise))); });
}

// 1 + s1 / noise
HWY_INLINE Vector given_signal(Floats d, Vector s1, const FloatVifVectorChannel& channel) {
  const Doubles dd;
  const auto one = hn::Set(dd, 1.0);
  if (channel.noise_reciprocal != 0.0) {
    const auto reciprocal = hn::Set(dd, channel.noise_reciprocal);
    return in_doubles(d, s1, s1, [&](DoubleVector s, DoubleVector) { return hn::Add(one, hn::Mul(s, reciprocal)); });
  }
  const auto noise = hn::Set(dd, channel.noise_variance);
  return in_doubles(d, s1, s1, [&](DoubleVector s, DoubleVector) { return hn::Add(one, hn::Div(s, noise)); });
}

// float_vif_terms, lane by lane.
HWY_INLINE void store_terms(Floats d, const Moments& m, const FloatVifVectorChannel& channel, float* numerator, float* denominator) {
  const Vector zero = hn::Zero(d);
  const Vector one = hn::Set(d, 1.0f);
  const Vector epsilon = hn::Set(d, kFloatVifEpsilon);
  Vector s1 = hn::Sub(m.square1, hn::Mul(m.mean1, m.mean1));
  Vector s2 = hn::Sub(m.square2, hn::Mul(m.mean2, m.mean2));
  const Vector s12 = hn::Sub(m.product, hn::Mul(m.mean1, m.mean2));
  s1 = hn::IfThenElseZero(hn::Gt(s1, zero), s1);
  s2 = hn::IfThenElseZero(hn::Gt(s2, zero), s2);
  const Vector flat_numerator = hn::Sub(one, hn::Mul(s2, hn::Set(d, channel.flat_weight)));
  const auto no_reference = hn::Lt(s1, epsilon);
  const auto flat = hn::Lt(hn::IfThenZeroElse(no_reference, s1), hn::Set(d, channel.smallest_signal));
  if (hn::AllTrue(d, flat)) {
    hn::StoreU(flat_numerator, d, numerator);
    hn::StoreU(one, d, denominator);
    return;
  }
  Vector gain = hn::Div(s12, hn::Add(s1, epsilon));
  Vector residual = hn::Sub(s2, hn::Mul(gain, s12));
  gain = hn::IfThenZeroElse(no_reference, gain);
  residual = hn::IfThenElse(no_reference, s2, residual);
  s1 = hn::IfThenZeroElse(no_reference, s1);
  const auto no_distorted = hn::Lt(s2, epsilon);
  gain = hn::IfThenZeroElse(no_distorted, gain);
  residual = hn::IfThenZeroElse(no_distorted, residual);
  const auto negative = hn::Lt(gain, zero);
  residual = hn::IfThenElse(negative, s2, residual);
  gain = hn::IfThenZeroElse(negative, gain);
  residual = hn::IfThenElse(hn::Gt(residual, epsilon), residual, epsilon);
  const Vector limit = hn::Set(d, channel.gain_limit);
  gain = hn::IfThenElse(hn::Lt(gain, limit), gain, limit);
  const Vector kept = log2_of(d, kept_signal(d, hn::Mul(hn::Mul(gain, gain), s1), residual, channel));
  const Vector given = log2_of(d, given_signal(d, s1, channel));
  hn::StoreU(hn::IfThenElse(flat, flat_numerator, hn::IfThenZeroElse(hn::Lt(s12, zero), kept)), d, numerator);
  hn::StoreU(hn::IfThenElse(flat, one, given), d, denominator);
}

void row_terms(const FloatVifRows& rows, std::span<const float> window, int width, const FloatVifVectorChannel& channel,
               FloatVifTermRows& out) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    store_terms(d, filter_along_row(d, rows, window, x), channel, out.numerator.data() + x, out.denominator.data() + x);
  }
}

FloatVifVectorChannel vector_channel(const FloatVifChannel& channel) {
  const double noise = channel.noise_variance;
  auto smallest = static_cast<float>(noise);
  if (static_cast<double>(smallest) < noise) smallest = std::nextafter(smallest, std::numeric_limits<float>::infinity());
  int exponent = 0;
  const bool power_of_two = std::frexp(noise, &exponent) == 0.5;
  return {noise, power_of_two ? 1.0 / noise : 0.0, smallest, channel.flat_weight, channel.gain_limit};
}

// The sums of both rows, each left to right; side by side because one chain of additions waits for itself.
std::array<FloatVifSums, 2> sum_two_rows(const FloatVifTermRows& upper, const FloatVifTermRows& lower, int width) {
  std::array<FloatVifSums, 2> sums{};
  for (int x = 0; x < width; ++x) {
    sums[0].numerator = sums[0].numerator + upper.numerator.data()[x];
    sums[0].denominator = sums[0].denominator + upper.denominator.data()[x];
    sums[1].numerator = sums[1].numerator + lower.numerator.data()[x];
    sums[1].denominator = sums[1].denominator + lower.denominator.data()[x];
  }
  return sums;
}

FloatVifSums sum_plane(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                       const FloatVifChannel& channel) {
  const FloatVifVectorChannel vectors = vector_channel(channel);
  const int width = reference.width;
  std::array rows{FloatVifRows(width), FloatVifRows(width)};
  std::array terms{FloatVifTermRows(width), FloatVifTermRows(width)};
  FloatVifSums frame{};
  for (int y = 0; y < reference.height; y += 2) {
    filter_two_rows(reference, distorted, window, y, rows[0], rows[1]);
    for (size_t i = 0; i < 2; ++i) {
      rows[i].mirror(static_cast<int>(window.size()) / 2);
      row_terms(rows[i], window, width, vectors, terms[i]);
    }
    const std::array<FloatVifSums, 2> sums = sum_two_rows(terms[0], terms[1], width);
    const size_t count = y + 1 < reference.height ? 2 : 1;
    for (size_t i = 0; i < count; ++i) frame += sums[i];
  }
  return frame;
}

#endif

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(sum_plane);

FloatVifSums fast_float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                                 const FloatVifChannel& channel) {
  return HWY_DYNAMIC_DISPATCH(sum_plane)(reference, distorted, window, channel);
}
}  // namespace vmafbatch::extractors
#endif
