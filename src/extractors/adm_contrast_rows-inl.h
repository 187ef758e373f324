// The vector loops behind adm_contrast_rows_simd.cpp, compiled once per target. Each equals its plain twin bit for bit.
#if defined(VMAFBATCH_ADM_CONTRAST_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VMAFBATCH_ADM_CONTRAST_ROWS_INL_H
#undef VMAFBATCH_ADM_CONTRAST_ROWS_INL_H
#else
#define VMAFBATCH_ADM_CONTRAST_ROWS_INL_H
#endif

#include <hwy/highway.h>

#include <cmath>

#include "extractors/adm_contrast_rows.h"

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::adm {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: the plain twins

template <class Coefficient>
using ContrastRow = void(const BandRows<const Coefficient>&, const BandRows<const Coefficient>&, int, const ContrastConstants&,
                         const PartRows<Coefficient>&, const PartRows<Coefficient>&);

constexpr ContrastRow<std::int16_t>& contrast_row_16 = slow_contrast_row;
constexpr ContrastRow<std::int32_t>& contrast_row_32 = slow_contrast_row;
constexpr auto& threshold_sums = slow_threshold_row;
constexpr std::int64_t (&masked_sum_16)(const std::int16_t*, const std::int32_t*, int, std::uint32_t, int, int) = slow_masked_row_sum;
constexpr std::int64_t (&masked_sum_32)(const std::int32_t*, const std::int32_t*, int, int) = slow_masked_row_sum;
constexpr std::uint64_t (&reference_sum_16)(const std::int16_t*, int) = slow_reference_row_sum;
constexpr std::uint64_t (&reference_sum_32)(const std::int32_t*, int, int, int) = slow_reference_row_sum;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Int32 = hn::ScalableTag<std::int32_t>;
using Int64 = hn::ScalableTag<std::int64_t>;
using Real64 = hn::ScalableTag<double>;
using Uint32 = hn::RebindToUnsigned<Int32>;
using Uint64 = hn::RebindToUnsigned<Int64>;
using Narrow16 = hn::Rebind<std::int16_t, Int32>;  // as many lanes as Int32
using Narrow32 = hn::Rebind<std::int32_t, Int64>;  // as many lanes as Int64

using V32 = hn::Vec<Int32>;
using V64 = hn::Vec<Int64>;
using Reals = hn::Vec<Real64>;

// cos^2 of one degree, as same_direction() has it.
constexpr double kCosSquaredOfOneDegree = 0x1.ffd814p-1;

V32 load_16(const std::int16_t* p) { return hn::PromoteTo(Int32(), hn::LoadU(Narrow16(), p)); }

V32 wrap_16(V32 v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); }

// --- Scale 0: 32-bit lanes ---------------------------------------------------------------------------------------------------------

using Half32 = hn::Half<Int32>;
using HalfFloat = hn::Rebind<float, Half32>;

Reals lower_reals(V32 v) { return hn::PromoteTo(Real64(), hn::LowerHalf(Half32(), v)); }
Reals upper_reals(V32 v) { return hn::PromoteTo(Real64(), hn::UpperHalf(Half32(), v)); }
V32 truncated(Reals lower, Reals upper) { return hn::Combine(Int32(), hn::DemoteTo(Half32(), upper), hn::DemoteTo(Half32(), lower)); }

// 2^30 / m without its fraction: exact, as the quotient is further from the next integer than a double's rounding. Lanes of m = 0 have
// no meaning.
V32 reciprocals(V32 m) {
  const auto unit = hn::Set(Real64(), 1073741824.0);
  return truncated(hn::Div(unit, lower_reals(m)), hn::Div(unit, upper_reals(m)));
}

// kept_gain() of scale 0 without 64-bit products: the gain is full where |t| > |o|, zero where the signs differ, and elsewhere
// the product of reciprocal and |t| is at most 2^30.
V32 gains(V32 o, V32 t) {
  const Int32 d;
  const V32 full = hn::Set(d, kUnitGain);
  const V32 size = hn::Abs(o);
  const V32 other = hn::Abs(t);
  const V32 product = hn::Mul(reciprocals(size), hn::Min(size, other));
  const V32 gain = hn::ShiftRight<15>(hn::Add(product, hn::Set(d, 16384)));
  const V32 same_sign = hn::IfThenElse(hn::Gt(other, size), full, gain);
  const V32 kept = hn::IfThenZeroElse(hn::Lt(hn::Xor(o, t), hn::Zero(d)), same_sign);
  return hn::IfThenElse(hn::Eq(o, hn::Zero(d)), full, kept);
}

hn::Mask<Real64> same_direction_of(Reals dp, Reals oo, Reals tt) {
  return hn::Ge(hn::Mul(dp, dp), hn::Mul(hn::Mul(hn::Set(Real64(), kCosSquaredOfOneDegree), oo), tt));
}

// same_direction(); the products of scale 0 fit 32 bits.
hn::Mask<Int32> directions(V32 oh, V32 ov, V32 th, V32 tv) {
  const Int32 d;
  const hn::Rebind<float, Int32> df;
  const HalfFloat dh;
  const V32 dp32 = hn::Add(hn::Mul(oh, th), hn::Mul(ov, tv));
  const auto dp = hn::ConvertTo(df, dp32);
  const auto oo = hn::ConvertTo(df, hn::Add(hn::Mul(oh, oh), hn::Mul(ov, ov)));
  const auto tt = hn::ConvertTo(df, hn::Add(hn::Mul(th, th), hn::Mul(tv, tv)));
  const Real64 dd;
  const auto lower = same_direction_of(hn::PromoteTo(dd, hn::LowerHalf(dh, dp)), hn::PromoteTo(dd, hn::LowerHalf(dh, oo)),
                                       hn::PromoteTo(dd, hn::LowerHalf(dh, tt)));
  const auto upper = same_direction_of(hn::PromoteTo(dd, hn::UpperHalf(dh, dp)), hn::PromoteTo(dd, hn::UpperHalf(dh, oo)),
                                       hn::PromoteTo(dd, hn::UpperHalf(dh, tt)));
  const V32 both = hn::ConcatEven(d, hn::BitCast(d, hn::VecFromMask(dd, upper)), hn::BitCast(d, hn::VecFromMask(dd, lower)));
  return hn::MaskFromVec(hn::AndNot(hn::BroadcastSignBit(dp32), both));
}

// How an enhancement gain limit is applied at scale 0.
enum class LimitKind { kOne, kWhole, kFraction };

template <LimitKind kKind>
V32 enhanced(V32 r, double limit) {
  if constexpr (kKind == LimitKind::kOne) return r;
  if constexpr (kKind == LimitKind::kWhole) return hn::Mul(r, hn::Set(Int32(), static_cast<std::int32_t>(limit)));
  const Reals factor = hn::Set(Real64(), limit);
  return truncated(hn::Mul(lower_reals(r), factor), hn::Mul(upper_reals(r), factor));
}

template <LimitKind kKind>
V32 restored_detail(V32 o, V32 t, hn::Mask<Int32> same, double limit) {
  const Int32 d;
  const V32 zero = hn::Zero(d);
  const V32 k = gains(o, t);
  const V32 r = hn::ShiftRight<15>(hn::Add(hn::Mul(k, o), hn::Set(d, 16384)));
  const V32 more = enhanced<kKind>(r, limit);
  const V32 limited = hn::IfThenElse(hn::Gt(o, zero), hn::Min(more, t), hn::Max(more, t));
  const auto applies = hn::And(same, hn::And(hn::Gt(k, zero), hn::Ne(o, zero)));
  return hn::IfThenElse(applies, limited, r);
}

// Adds band b of a part: stores its signal and sums its masking.
struct MaskingSums {
  V32 neighbour;
  V32 difference;
};

void add_masking(V32 x, std::uint32_t weight, int band, MaskingSums& sums) {
  const Int32 d;
  const V32 product = hn::Add(hn::Mul(x, hn::Set(d, static_cast<std::int32_t>(weight))), hn::Set(d, weighted_add(band)));
  const V32 c = wrap_16(band == 2 ? hn::ShiftRight<weighted_shift(2)>(product) : hn::ShiftRight<weighted_shift(0)>(product));
  const V32 n = hn::Abs(c);
  const V32 half = hn::Set(d, 2048);
  const V32 neighbour = wrap_16(hn::ShiftRight<12>(hn::Add(hn::Mul(n, hn::Set(d, 4369)), half)));
  const V32 centre = wrap_16(hn::ShiftRight<12>(hn::Add(hn::Mul(n, hn::Set(d, 8738)), half)));
  sums.neighbour = hn::Add(sums.neighbour, neighbour);
  sums.difference = hn::Add(sums.difference, hn::Sub(centre, neighbour));
}

void store_masking(const MaskingSums& sums, const PartRows<std::int16_t>& part, int x) {
  hn::StoreU(sums.neighbour, Int32(), part.neighbour + x);
  hn::StoreU(sums.difference, Int32(), part.difference + x);
}

template <LimitKind kKind>
void contrast_row_16_of(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                        const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive) {
  const Int32 d;
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    const auto same =
        directions(load_16(reference[0] + x), load_16(reference[1] + x), load_16(distorted[0] + x), load_16(distorted[1] + x));
    MaskingSums detail_sums{hn::Zero(d), hn::Zero(d)};
    MaskingSums additive_sums{hn::Zero(d), hn::Zero(d)};
    for (size_t b = 0; b < kBands; ++b) {
      const V32 t = load_16(distorted[b] + x);
      const V32 r = restored_detail<kKind>(load_16(reference[b] + x), t, same, constants.gain_limit);
      const V32 a = hn::Sub(t, r);
      hn::StoreU(hn::DemoteTo(Narrow16(), r), Narrow16(), detail.signal[b] + x);
      hn::StoreU(hn::DemoteTo(Narrow16(), a), Narrow16(), additive.signal[b] + x);
      add_masking(r, constants.weight[b], static_cast<int>(b), detail_sums);
      add_masking(a, constants.weight[b], static_cast<int>(b), additive_sums);
    }
    store_masking(detail_sums, detail, x);
    store_masking(additive_sums, additive, x);
  }
}

void contrast_row_16(const BandRows<const std::int16_t>& reference, const BandRows<const std::int16_t>& distorted, int n,
                     const ContrastConstants& constants, const PartRows<std::int16_t>& detail, const PartRows<std::int16_t>& additive) {
  const double limit = constants.gain_limit;
  if (limit == 1.0) return contrast_row_16_of<LimitKind::kOne>(reference, distorted, n, constants, detail, additive);
  if (limit == std::trunc(limit)) return contrast_row_16_of<LimitKind::kWhole>(reference, distorted, n, constants, detail, additive);
  contrast_row_16_of<LimitKind::kFraction>(reference, distorted, n, constants, detail, additive);
}

// --- Scales 1..3: 64-bit lanes, in double where every value is exact ----------------------------------------------------------------

// (double)(float)v. Where v has more bits than a double holds, its low bits are folded into one sticky bit first, so that it is rounded
// once only.
Reals float_rounded(V64 v) {
  const Int64 di;
  const Real64 dd;
  const V64 low = hn::Set(di, 2047);
  const V64 odd = hn::Or(hn::AndNot(low, v), hn::Set(di, 2048));
  const auto inexact = hn::Ne(hn::And(v, low), hn::Zero(di));
  const auto large = hn::Gt(hn::Abs(v), hn::Set(di, std::int64_t{1} << 50));
  const Reals exact = hn::ConvertTo(dd, hn::IfThenElse(hn::And(large, inexact), odd, v));
  return hn::PromoteTo(dd, hn::DemoteTo(hn::Rebind<float, Real64>(), exact));
}

V64 product_of(V64 a, V64 b) { return hn::MulEven(hn::BitCast(Int32(), a), hn::BitCast(Int32(), b)); }

hn::Mask<Real64> directions(V64 oh, V64 ov, V64 th, V64 tv) {
  const Reals dp = float_rounded(hn::Add(product_of(oh, th), product_of(ov, tv)));
  const Reals oo = float_rounded(hn::Add(product_of(oh, oh), product_of(ov, ov)));
  const Reals tt = float_rounded(hn::Add(product_of(th, th), product_of(tv, tv)));
  return hn::And(hn::Ge(dp, hn::Zero(Real64())), same_direction_of(dp, oo, tt));
}

// kept_gain() of scales 1..3. |t| counts up to 2|o|, where the gain is full already: products then fit a double.
Reals gains(Reals o, Reals t) {
  const Real64 d;
  const Uint64 du;
  constexpr int kFraction = 52;  // bits of a double
  const Reals size = hn::Abs(o);
  // 2^e with e = bit length of |o| - 15, but at least 1.
  const auto exponent = hn::And(hn::BitCast(du, size), hn::Set(du, std::uint64_t{0x7ff} << kFraction));
  const Reals reduced = hn::BitCast(d, hn::Sub(exponent, hn::Set(du, std::uint64_t{14} << kFraction)));
  const Reals scale = hn::Max(reduced, hn::Set(d, 1.0));
  const Reals inverse = hn::BitCast(d, hn::Sub(hn::Set(du, std::uint64_t{2046} << kFraction), hn::BitCast(du, scale)));
  const Reals m = hn::Floor(hn::Add(hn::Mul(size, inverse), hn::Set(d, 0.5)));
  const Reals reciprocal_of_m = hn::Floor(hn::Div(hn::Set(d, 1073741824.0), m));
  const Reals other = hn::Min(hn::Abs(t), hn::Add(size, size));
  const Reals product = hn::Mul(hn::Mul(reciprocal_of_m, other), inverse);
  const Reals full = hn::Set(d, static_cast<double>(kUnitGain));
  const Reals gain = hn::Min(hn::Floor(hn::Mul(hn::Add(product, hn::Set(d, 16384.0)), hn::Set(d, 0x1p-15))), full);
  const Reals zero = hn::Zero(d);
  const Reals kept = hn::IfThenZeroElse(hn::Lt(hn::Mul(o, t), zero), gain);
  return hn::IfThenElse(hn::Eq(o, zero), full, kept);
}

Reals restored_detail(Reals o, Reals t, hn::Mask<Real64> same, Reals limit) {
  const Real64 d;
  const Reals zero = hn::Zero(d);
  const Reals k = gains(o, t);
  const Reals r = hn::Floor(hn::Mul(hn::Add(hn::Mul(k, o), hn::Set(d, 16384.0)), hn::Set(d, 0x1p-15)));
  const Reals more = hn::Mul(r, limit);
  const Reals limited = hn::Trunc(hn::IfThenElse(hn::Gt(o, zero), hn::Min(more, t), hn::Max(more, t)));
  const auto applies = hn::And(same, hn::And(hn::Gt(k, zero), hn::Ne(o, zero)));
  return hn::IfThenElse(applies, limited, r);
}

// Sums whose lower 32 bits count.
struct WideMaskingSums {
  hn::Vec<Uint64> neighbour;
  hn::Vec<Uint64> difference;
};

// Stores weighted(x) and adds its masking. Of the 64-bit lanes only the lower halves matter, so that all shifts may be logical.
void add_masking(Reals x, std::uint32_t weight, std::int32_t* signal, WideMaskingSums& sums) {
  const Int32 d;
  const Int64 di;
  const Uint32 du32;
  const Uint64 du;
  const Narrow32 narrow;
  const V64 whole = hn::PromoteTo(di, hn::DemoteTo(narrow, x));
  const V64 product = hn::MulEven(hn::BitCast(d, whole), hn::Set(d, static_cast<std::int32_t>(weight)));
  const auto c = hn::ShiftRight<28>(hn::BitCast(du, hn::Add(product, hn::Set(di, 1 << 27))));
  const hn::Rebind<std::uint32_t, Uint64> narrow_unsigned;
  hn::StoreU(hn::BitCast(narrow, hn::TruncateTo(narrow_unsigned, c)), narrow, signal);
  const auto n = hn::BitCast(du32, hn::Abs(hn::BitCast(d, c)));
  const auto half = hn::Set(du, std::uint64_t{1} << 31);
  const auto neighbour = hn::ShiftRight<32>(hn::Sub(hn::MulEven(n, hn::Set(du32, 143165577)), half));
  const auto centre = hn::ShiftRight<32>(hn::Sub(hn::MulEven(n, hn::Set(du32, 286331153)), half));
  sums.neighbour = hn::Add(sums.neighbour, neighbour);
  sums.difference = hn::Add(sums.difference, hn::Sub(centre, neighbour));
}

void store_masking(const WideMaskingSums& sums, const PartRows<std::int32_t>& part, int x) {
  const hn::Rebind<std::uint32_t, Uint64> narrow_unsigned;
  const Narrow32 narrow;
  hn::StoreU(hn::BitCast(narrow, hn::TruncateTo(narrow_unsigned, sums.neighbour)), narrow, part.neighbour + x);
  hn::StoreU(hn::BitCast(narrow, hn::TruncateTo(narrow_unsigned, sums.difference)), narrow, part.difference + x);
}

V64 load_32(const std::int32_t* p) { return hn::PromoteTo(Int64(), hn::LoadU(Narrow32(), p)); }

void contrast_row_32(const BandRows<const std::int32_t>& reference, const BandRows<const std::int32_t>& distorted, int n,
                     const ContrastConstants& constants, const PartRows<std::int32_t>& detail, const PartRows<std::int32_t>& additive) {
  const Real64 d;
  const Uint64 du;
  const Reals limit = hn::Set(d, constants.gain_limit);
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    const auto same =
        directions(load_32(reference[0] + x), load_32(reference[1] + x), load_32(distorted[0] + x), load_32(distorted[1] + x));
    WideMaskingSums detail_sums{hn::Zero(du), hn::Zero(du)};
    WideMaskingSums additive_sums{hn::Zero(du), hn::Zero(du)};
    for (size_t b = 0; b < kBands; ++b) {
      const Reals o = hn::PromoteTo(d, hn::LoadU(Narrow32(), reference[b] + x));
      const Reals t = hn::PromoteTo(d, hn::LoadU(Narrow32(), distorted[b] + x));
      const Reals r = restored_detail(o, t, same, limit);
      add_masking(r, constants.weight[b], detail.signal[b] + x, detail_sums);
      add_masking(hn::Sub(t, r), constants.weight[b], additive.signal[b] + x, additive_sums);
    }
    store_masking(detail_sums, detail, x);
    store_masking(additive_sums, additive, x);
  }
}

// --- Sums of rows ----------------------------------------------------------------------------------------------------------------------

void threshold_sums(const MaskRows& mask, int n, std::int32_t* threshold) {
  const Int32 d;
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    V32 sum = hn::LoadU(d, mask.difference + x);
    for (const std::int32_t* row : {mask.above, mask.row, mask.below}) {
      const V32 sides = hn::Add(hn::LoadU(d, row + x - 1), hn::LoadU(d, row + x + 1));
      sum = hn::Add(sum, hn::Add(sides, hn::LoadU(d, row + x)));
    }
    hn::StoreU(sum, d, threshold + x);
  }
}

V32 odd_lanes(V32 v) { return hn::BitCast(Int32(), hn::ShiftRight<32>(hn::BitCast(Uint64(), v))); }

// masked_cube() of the even lanes of x >= 0.
template <int kSquareShift>
V64 cubes(V32 x, V64 half, int term_shift) {
  const Int64 di;
  const V64 square = hn::Add(hn::MulEven(x, x), hn::Set(di, std::int64_t{1} << (kSquareShift - 1)));
  const V32 z = hn::BitCast(Int32(), hn::ShiftRight<kSquareShift>(hn::BitCast(Uint64(), square)));
  return hn::ShiftRightSame(hn::Add(hn::MulEven(z, x), half), term_shift);
}

// Lanes from `count` on become zero, and add nothing to any sum.
V32 first_lanes(V32 v, int count) {
  if (count >= static_cast<int>(hn::Lanes(Int32()))) return v;
  return hn::IfThenElseZero(hn::FirstN(Int32(), static_cast<size_t>(count)), v);
}

V64 half_of(int shift) { return hn::Set(Int64(), shift == 0 ? 0 : std::int64_t{1} << (shift - 1)); }

// The sum of the lanes modulo 2^64. By hand: the intrinsics behind SumOfLanes add signed numbers, and a row may overflow them.
template <class D>
HWY_INLINE std::uint64_t wrapped_sum(D d, hn::Vec<D> v) {
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  std::uint64_t sum = 0;
  for (size_t i = 0; i < hn::Lanes(d); ++i) sum += static_cast<std::uint64_t>(lanes[i]);
  return sum;
}

template <int kBand>
std::int64_t masked_sum_16_of(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int term_shift) {
  const Int32 d;
  const V32 factor = hn::Set(d, static_cast<std::int32_t>(weight));
  const V64 half = half_of(term_shift);
  V64 sum = hn::Zero(Int64());
  for (int i = 0; i < n; i += static_cast<int>(hn::Lanes(d))) {
    const V32 product = hn::Abs(hn::Mul(load_16(signal + i), factor));
    const V32 rest = hn::Sub(product, hn::ShiftLeft<threshold_shift(kBand)>(hn::LoadU(d, threshold + i)));
    const V32 x = first_lanes(hn::Max(rest, hn::Zero(d)), n - i);
    sum = hn::Add(sum, cubes<square_shift(kBand)>(x, half, term_shift));
    sum = hn::Add(sum, cubes<square_shift(kBand)>(odd_lanes(x), half, term_shift));
  }
  return static_cast<std::int64_t>(wrapped_sum(Int64(), sum));
}

std::int64_t masked_sum_16(const std::int16_t* signal, const std::int32_t* threshold, int n, std::uint32_t weight, int band,
                           int term_shift) {
  return band == 2 ? masked_sum_16_of<2>(signal, threshold, n, weight, term_shift)
                   : masked_sum_16_of<0>(signal, threshold, n, weight, term_shift);
}

std::int64_t masked_sum_32(const std::int32_t* signal, const std::int32_t* threshold, int n, int term_shift) {
  const Int32 d;
  const V64 half = half_of(term_shift);
  V64 sum = hn::Zero(Int64());
  for (int i = 0; i < n; i += static_cast<int>(hn::Lanes(d))) {
    const V32 rest = hn::Sub(hn::Abs(hn::LoadU(d, signal + i)), hn::LoadU(d, threshold + i));
    const V32 x = first_lanes(hn::Max(rest, hn::Zero(d)), n - i);
    sum = hn::Add(sum, cubes<30>(x, half, term_shift));
    sum = hn::Add(sum, cubes<30>(odd_lanes(x), half, term_shift));
  }
  return static_cast<std::int64_t>(wrapped_sum(Int64(), sum));
}

std::uint64_t reference_sum_16(const std::int16_t* row, int n) {
  const Int32 d;
  V64 sum = hn::Zero(Int64());
  for (int i = 0; i < n; i += static_cast<int>(hn::Lanes(d))) {
    const V32 x = first_lanes(hn::Abs(load_16(row + i)), n - i);
    const V32 square = hn::Mul(x, x);
    sum = hn::Add(sum, hn::MulEven(square, x));
    sum = hn::Add(sum, hn::MulEven(odd_lanes(square), odd_lanes(x)));
  }
  return wrapped_sum(Int64(), sum);
}

using U64 = hn::Vec<Uint64>;

// reference_term() of the even lanes.
U64 reference_terms(hn::Vec<Uint32> n, U64 unit, int unit_shift, U64 half, int term_shift) {
  const auto z = hn::BitCast(Uint32(), hn::ShiftRightSame(hn::Add(hn::MulEven(n, n), unit), unit_shift));
  return hn::ShiftRightSame(hn::Add(hn::MulEven(z, n), half), term_shift);
}

std::uint64_t reference_sum_32(const std::int32_t* row, int n, int scale, int term_shift) {
  const Int32 d;
  const Uint32 du;
  const Uint64 du64;
  const int shift = reference_square_shift(scale);
  const U64 unit = hn::Set(du64, std::uint64_t{1} << shift);
  const U64 half = hn::BitCast(du64, half_of(term_shift));
  U64 sum = hn::Zero(du64);
  for (int i = 0; i < n; i += static_cast<int>(hn::Lanes(d))) {
    const V32 x = first_lanes(hn::Abs(hn::LoadU(d, row + i)), n - i);
    sum = hn::Add(sum, reference_terms(hn::BitCast(du, x), unit, shift, half, term_shift));
    sum = hn::Add(sum, reference_terms(hn::BitCast(du, odd_lanes(x)), unit, shift, half, term_shift));
  }
  return wrapped_sum(du64, sum);
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors::adm
HWY_AFTER_NAMESPACE();

#endif  // VMAFBATCH_ADM_CONTRAST_ROWS_INL_H
