// The fast forms of the row loops of float_adm, compiled once per instruction set. Lanes are columns; no sum crosses a lane.
#include "base/simd.h"
#include "extractors/float_adm_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_adm_rows_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::float_adm {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a machine without vectors that Highway knows

void CentredRow8(const std::uint8_t* samples, int width, float unit, float* out) { slow_centred_row(samples, width, unit, out); }
void CentredRow16(const std::uint16_t* samples, int width, float unit, float* out) { slow_centred_row(samples, width, unit, out); }

void VerticalFilter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line) { slow_vertical_filter(rows, taps, line); }

void HorizontalFilter(const SplitLine& line, Taps taps, int first, int count, float* out) {
  slow_horizontal_filter(line, taps, first, count, out);
}

void WeightRow(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
               const WeightedRow& out, int first) {
  slow_weight_row(reference, distorted, count, weights, gain_limit, out, first);
}

void ThresholdRow(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out) {
  slow_threshold_row(above, here, below, signal, count, out);
}

void TermRow(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
             const TermRows& out) {
  slow_term_row(row, restored_threshold, additive_threshold, cubed, count, out);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// At most kRowSlack lanes.
using Tag = hn::CappedTag<float, kRowSlack>;
using HalfTag = hn::Half<Tag>;
using WideTag = hn::Rebind<double, HalfTag>;
using Vector = hn::Vec<Tag>;
using WideVector = hn::Vec<WideTag>;
using Mask = hn::Mask<Tag>;

int lanes() { return static_cast<int>(hn::Lanes(Tag())); }

// The two halves of a vector as doubles.
struct Wide {
  WideVector low, high;
};
HWY_INLINE Wide widened(Vector x) {
  return {hn::PromoteTo(WideTag(), hn::LowerHalf(HalfTag(), x)), hn::PromoteTo(WideTag(), hn::UpperHalf(HalfTag(), x))};
}
HWY_INLINE Vector narrowed(Wide x) { return hn::Combine(Tag(), hn::DemoteTo(HalfTag(), x.high), hn::DemoteTo(HalfTag(), x.low)); }
HWY_INLINE Wide times(Wide x, WideVector factor) { return {hn::Mul(x.low, factor), hn::Mul(x.high, factor)}; }
HWY_INLINE Wide plus(Wide x, Wide y) { return {hn::Add(x.low, y.low), hn::Add(x.high, y.high)}; }

template <class Sample>
HWY_INLINE void centre(const Sample* samples, int width, float unit, float* out) {
  const Tag d;
  const hn::Rebind<std::int32_t, Tag> integers;
  const hn::Rebind<Sample, Tag> stored;
  for (int x = 0; x < width; x += lanes()) {
    const Vector value = hn::ConvertTo(d, hn::PromoteTo(integers, hn::LoadU(stored, samples + x)));
    hn::StoreU(hn::Add(hn::Mul(value, hn::Set(d, unit)), hn::Set(d, kLumaOffset)), d, out + x);
  }
}

void CentredRow8(const std::uint8_t* samples, int width, float unit, float* out) { centre(samples, width, unit, out); }
void CentredRow16(const std::uint16_t* samples, int width, float unit, float* out) { centre(samples, width, unit, out); }

struct VectorTaps {
  explicit VectorTaps(Taps t) : t0(hn::Set(Tag(), t.t0)), t1(hn::Set(Tag(), t.t1)), t2(hn::Set(Tag(), t.t2)), t3(hn::Set(Tag(), t.t3)) {}
  Vector t0, t1, t2, t3;
};

HWY_INLINE Vector filtered(const VectorTaps& taps, const float* s0, const float* s1, const float* s2, const float* s3) {
  const Tag d;
  Vector sum = hn::Add(hn::Zero(d), hn::Mul(taps.t0, hn::LoadU(d, s0)));
  sum = hn::Add(sum, hn::Mul(taps.t1, hn::LoadU(d, s1)));
  sum = hn::Add(sum, hn::Mul(taps.t2, hn::LoadU(d, s2)));
  return hn::Add(sum, hn::Mul(taps.t3, hn::LoadU(d, s3)));
}

void VerticalFilter(const std::array<const float*, 4>& rows, Taps scalar_taps, SplitLine& line) {
  const Tag d;
  const VectorTaps taps(scalar_taps);
  const int step = lanes();
  for (int x = 0; x < line.length(); x += 2 * step) {
    const auto at = [&](int i) { return filtered(taps, rows[0] + i, rows[1] + i, rows[2] + i, rows[3] + i); };
    const Vector low = at(x);
    const Vector high = x + step < line.length() ? at(x + step) : low;
    hn::StoreU(hn::ConcatEven(d, high, low), d, line.even() + x / 2);
    hn::StoreU(hn::ConcatOdd(d, high, low), d, line.odd() + x / 2);
  }
  line.mirror_ends();
}

void HorizontalFilter(const SplitLine& line, Taps scalar_taps, int first, int count, float* out) {
  const VectorTaps taps(scalar_taps);
  const float* const even = line.even() + first;
  const float* const odd = line.odd() + first;
  for (int x = 0; x < count; x += lanes()) {
    hn::StoreU(filtered(taps, odd + x - 1, even + x, odd + x, even + x + 1), Tag(), out + x);
  }
}

HWY_INLINE Mask are_parallel(Vector oh, Vector ov, Vector th, Vector tv) {
  const Tag d;
  const Vector dot = hn::Add(hn::Mul(oh, th), hn::Mul(ov, tv));
  const Vector reference_energy = hn::Add(hn::Mul(oh, oh), hn::Mul(ov, ov));
  const Vector distorted_energy = hn::Add(hn::Mul(th, th), hn::Mul(tv, tv));
  const Vector bound = hn::Mul(hn::Mul(hn::Set(d, kCosSquared), reference_energy), distorted_energy);
  return hn::And(hn::Ge(dot, hn::Zero(d)), hn::Ge(hn::Mul(dot, dot), bound));
}

// The product with a gain limit that is a float: exact in double, so that one rounding to float gives the plain twin's bits.
class FloatGain {
 public:
  explicit FloatGain(double limit) : limit_(hn::Set(Tag(), static_cast<float>(limit))) {}
  HWY_INLINE Vector of(Vector x) const { return hn::Mul(x, limit_); }

 private:
  Vector limit_;
};

// The product with any other gain limit.
class DoubleGain {
 public:
  explicit DoubleGain(double limit) : limit_(hn::Set(WideTag(), limit)) {}
  HWY_INLINE Vector of(Vector x) const { return narrowed(times(widened(x), limit_)); }

 private:
  WideVector limit_;
};

// Compares the product with `distorted` after rounding it to float, where the plain twin rounds the smaller (or larger) of the two:
// the same, because rounding is monotonic and `distorted` is a float.
template <class Gain>
HWY_INLINE Vector restored(Vector reference, Vector distorted, Mask enhanced, const Gain& gain) {
  const Tag d;
  const Vector zero = hn::Zero(d);
  const Vector one = hn::Set(d, 1.0f);
  Vector k = hn::Div(distorted, hn::Add(reference, hn::Set(d, kTiny)));
  k = hn::IfThenElse(hn::Lt(k, zero), zero, hn::IfThenElse(hn::Gt(k, one), one, k));
  const Vector plain = hn::Mul(k, reference);
  const Vector limit = gain.of(plain);
  const Vector smaller = hn::IfThenElse(hn::Lt(limit, distorted), limit, distorted);
  const Vector larger = hn::IfThenElse(hn::Gt(limit, distorted), limit, distorted);
  const Vector positive = hn::IfThenElse(hn::And(enhanced, hn::Gt(plain, zero)), smaller, plain);
  return hn::IfThenElse(hn::And(enhanced, hn::Lt(plain, zero)), larger, positive);
}

HWY_INLINE void store_magnitude(Vector coefficient, Vector weight, float* magnitude) {
  hn::StoreU(hn::Abs(hn::Mul(weight, coefficient)), Tag(), magnitude);
}
HWY_INLINE void store_magnitude_and_mask(Vector coefficient, Vector weight, float* magnitude, float* mask) {
  const Vector size = hn::Abs(hn::Mul(weight, coefficient));
  hn::StoreU(size, Tag(), magnitude);
  hn::StoreU(narrowed(times(widened(size), hn::Set(WideTag(), kNeighbourWeight))), Tag(), mask);
}

template <class Gain>
void weight_row_with(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, const Gain& gain,
                     const WeightedRow& out, int first) {
  const Tag d;
  const std::array weight{hn::Set(d, weights.hv), hn::Set(d, weights.hv), hn::Set(d, weights.d)};
  for (int x = 0; x < count; x += lanes()) {
    const std::array o{hn::LoadU(d, reference.h + x), hn::LoadU(d, reference.v + x), hn::LoadU(d, reference.d + x)};
    const std::array t{hn::LoadU(d, distorted.h + x), hn::LoadU(d, distorted.v + x), hn::LoadU(d, distorted.d + x)};
    const Mask enhanced = are_parallel(o[0], o[1], t[0], t[1]);
    for (size_t band = 0; band < kBands; ++band) {
      const Vector kept = restored(o[band], t[band], enhanced, gain);
      const auto magnitude = [&](Signal signal) { return out.magnitude(signal, band) + first + x; };
      const auto mask = [&](Signal signal) { return out.mask(signal, band) + first + x; };
      store_magnitude(o[band], weight[band], magnitude(kReference));
      store_magnitude_and_mask(kept, weight[band], magnitude(kRestored), mask(kRestored));
      store_magnitude_and_mask(hn::Sub(t[band], kept), weight[band], magnitude(kAdditive), mask(kAdditive));
    }
  }
}

void WeightRow(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
               const WeightedRow& out, int first) {
  if (static_cast<double>(static_cast<float>(gain_limit)) == gain_limit) {
    weight_row_with(reference, distorted, count, weights, FloatGain(gain_limit), out, first);
  } else {
    weight_row_with(reference, distorted, count, weights, DoubleGain(gain_limit), out, first);
  }
}

HWY_INLINE Vector band_threshold_of(const float* above, const float* here, const float* below, const float* centre) {
  const Tag d;
  Vector sum = hn::Add(hn::LoadU(d, above), hn::LoadU(d, above + 1));
  sum = hn::Add(sum, hn::LoadU(d, above + 2));
  sum = hn::Add(sum, hn::LoadU(d, here));
  sum = narrowed(plus(widened(sum), times(widened(hn::LoadU(d, centre)), hn::Set(WideTag(), kCentreWeight))));
  sum = hn::Add(sum, hn::LoadU(d, here + 2));
  sum = hn::Add(sum, hn::LoadU(d, below));
  sum = hn::Add(sum, hn::LoadU(d, below + 1));
  return hn::Add(sum, hn::LoadU(d, below + 2));
}

void ThresholdRow(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out) {
  for (int x = 0; x < count; x += lanes()) {
    const auto band_sum = [&](size_t band) {
      return band_threshold_of(above.mask(signal, band) + x, here.mask(signal, band) + x, below.mask(signal, band) + x,
                               here.magnitude(signal, band) + x + 1);
    };
    const Vector h = band_sum(0);
    const Vector hv = hn::Add(h, band_sum(1));
    hn::StoreU(hn::Add(hv, band_sum(2)), Tag(), out + x);
  }
}

HWY_INLINE Vector visible_above(Vector magnitude, Vector threshold) {
  const Vector zero = hn::Zero(Tag());
  const Vector excess = hn::Sub(magnitude, threshold);
  return hn::IfThenElse(hn::Lt(excess, zero), zero, excess);
}

template <bool kCubed>
void term_row_with(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, int count,
                   const TermRows& out) {
  const Tag d;
  const auto store = [&](Vector x, float* to) { hn::StoreU(kCubed ? hn::Mul(hn::Mul(x, x), x) : x, d, to); };
  for (int x = 0; x < count; x += lanes()) {
    const Vector from_restored = hn::LoadU(d, restored_threshold + x);
    const Vector from_additive = hn::LoadU(d, additive_threshold + x);
    for (size_t band = 0; band < kBands; ++band) {
      const auto magnitude = [&](Signal signal) { return hn::LoadU(d, row.magnitude(signal, band) + x + 1); };
      store(magnitude(kReference), out[kReference * kBands + band] + x);
      store(visible_above(magnitude(kRestored), from_additive), out[kRestored * kBands + band] + x);
      store(visible_above(magnitude(kAdditive), from_restored), out[kAdditive * kBands + band] + x);
    }
  }
}

void TermRow(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
             const TermRows& out) {
  if (cubed) {
    term_row_with<true>(row, restored_threshold, additive_threshold, count, out);
  } else {
    term_row_with<false>(row, restored_threshold, additive_threshold, count, out);
  }
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors::float_adm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors::float_adm {

HWY_EXPORT(CentredRow8);
HWY_EXPORT(CentredRow16);
HWY_EXPORT(VerticalFilter);
HWY_EXPORT(HorizontalFilter);
HWY_EXPORT(WeightRow);
HWY_EXPORT(ThresholdRow);
HWY_EXPORT(TermRow);

void centred_row(const std::uint8_t* samples, int width, float unit, float* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_centred_row(samples, width, unit, out);
  HWY_DYNAMIC_DISPATCH(CentredRow8)(samples, width, unit, out);
}

void centred_row(const std::uint16_t* samples, int width, float unit, float* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_centred_row(samples, width, unit, out);
  HWY_DYNAMIC_DISPATCH(CentredRow16)(samples, width, unit, out);
}

void vertical_filter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line) {
  if (simd_mode() == SimdMode::kScalar) return slow_vertical_filter(rows, taps, line);
  HWY_DYNAMIC_DISPATCH(VerticalFilter)(rows, taps, line);
}

void horizontal_filter(const SplitLine& line, Taps taps, int first, int count, float* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_horizontal_filter(line, taps, first, count, out);
  HWY_DYNAMIC_DISPATCH(HorizontalFilter)(line, taps, first, count, out);
}

void weight_row(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
                const WeightedRow& out, int first) {
  if (simd_mode() == SimdMode::kScalar) return slow_weight_row(reference, distorted, count, weights, gain_limit, out, first);
  HWY_DYNAMIC_DISPATCH(WeightRow)(reference, distorted, count, weights, gain_limit, out, first);
}

void threshold_row(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_threshold_row(above, here, below, signal, count, out);
  HWY_DYNAMIC_DISPATCH(ThresholdRow)(above, here, below, signal, count, out);
}

void term_row(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
              const TermRows& out) {
  if (simd_mode() == SimdMode::kScalar) return slow_term_row(row, restored_threshold, additive_threshold, cubed, count, out);
  HWY_DYNAMIC_DISPATCH(TermRow)(row, restored_threshold, additive_threshold, cubed, count, out);
}

}  // namespace vmafbatch::extractors::float_adm
#endif
