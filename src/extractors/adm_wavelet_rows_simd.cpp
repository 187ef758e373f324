// The vector forms of the wavelet's row loops, and the functions that choose between them and the plain twins.
#include "extractors/adm_wavelet_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/adm_wavelet_rows_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h: it includes this file once per target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::adm {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors: the plain twins

template <class Sample>
using PicturePass = void(const FourRows<Sample>&, int, int, std::int16_t*, std::int16_t*);
template <class Coefficient>
using BandPass = void(const FourRows<Coefficient>&, int, std::int32_t*, std::int32_t*);

constexpr PicturePass<std::uint8_t>& picture_pass_8 = slow_vertical_pass;
constexpr PicturePass<std::uint16_t>& picture_pass_16 = slow_vertical_pass;
constexpr BandPass<std::int16_t>& band_pass_16 = slow_vertical_pass;
constexpr BandPass<std::int32_t>& band_pass_32 = slow_vertical_pass;
constexpr void (&line_pass_16)(const std::int16_t*, int, int, const Taps&, std::int16_t*) = slow_horizontal_pass;
constexpr void (&line_pass_32)(const std::int32_t*, int, int, const Taps&, int, std::int32_t*) = slow_horizontal_pass;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Int16 = hn::ScalableTag<std::int16_t>;
using Int32 = hn::ScalableTag<std::int32_t>;
using Int64 = hn::ScalableTag<std::int64_t>;
using Uint32 = hn::RebindToUnsigned<Int32>;
using Uint64 = hn::RebindToUnsigned<Int64>;

// a[2i] * b[2i] + a[2i+1] * b[2i+1] in lane i.
template <class V16>
hn::Vec<Int32> pair_sums(V16 a, V16 b) {
  hn::Vec<Int32> odd = hn::Zero(Int32());
  const auto even = hn::ReorderWidenMulAccumulate(Int32(), a, b, hn::Zero(Int32()), odd);
  return hn::RearrangeToOddPlusEven(even, odd);
}

// Two neighbouring taps in every pair of 16-bit lanes.
hn::Vec<Int16> tap_pair(const Taps& taps, int first) {
  const auto low = static_cast<std::uint16_t>(taps.tap[first]);
  const auto high = static_cast<std::uint16_t>(taps.tap[first + 1]);
  return hn::BitCast(Int16(), hn::Set(Uint32(), std::uint32_t{low} | (std::uint32_t{high} << 16)));
}

hn::Vec<Int16> load_centred(const std::uint8_t* p, int /*bit_depth*/) {
  return hn::Sub(hn::PromoteTo(Int16(), hn::LoadU(hn::Rebind<std::uint8_t, Int16>(), p)), hn::Set(Int16(), 128));
}
hn::Vec<Int16> load_centred(const std::uint16_t* p, int bit_depth) {
  const auto middle = hn::Set(Int16(), static_cast<std::int16_t>(1 << (bit_depth - 1)));  // 2^15 wraps, and so does the difference
  return hn::Sub(hn::BitCast(Int16(), hn::LoadU(hn::RebindToUnsigned<Int16>(), p)), middle);
}

// Sums of rows that were interleaved in pairs, rounded, one half of the columns of each block of 128 bits.
template <class V16>
hn::Vec<Int32> rounded_pairs(V16 rows01, V16 rows23, V16 taps01, V16 taps23, hn::Vec<Int32> half, int shift) {
  const auto sum = hn::Add(pair_sums(rows01, taps01), pair_sums(rows23, taps23));
  return hn::ShiftRightSame(hn::Add(sum, half), shift);
}

template <class Sample>
void picture_pass(const FourRows<Sample>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  const Int16 d;
  const auto low01 = tap_pair(low_taps(), 0);
  const auto low23 = tap_pair(low_taps(), 2);
  const auto high01 = tap_pair(high_taps(), 0);
  const auto high23 = tap_pair(high_taps(), 2);
  const auto half = hn::Set(Int32(), 1 << (bit_depth - 1));
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    const auto r0 = load_centred(rows[0] + x, bit_depth);
    const auto r1 = load_centred(rows[1] + x, bit_depth);
    const auto r2 = load_centred(rows[2] + x, bit_depth);
    const auto r3 = load_centred(rows[3] + x, bit_depth);
    // Interleaving splits each block of 128 bits into two, and the demotion puts the two together again.
    const auto lower01 = hn::InterleaveLower(d, r0, r1);
    const auto upper01 = hn::InterleaveUpper(d, r0, r1);
    const auto lower23 = hn::InterleaveLower(d, r2, r3);
    const auto upper23 = hn::InterleaveUpper(d, r2, r3);
    hn::StoreU(hn::ReorderDemote2To(d, rounded_pairs(lower01, lower23, low01, low23, half, bit_depth),
                                    rounded_pairs(upper01, upper23, low01, low23, half, bit_depth)),
               d, low + x);
    if (high == nullptr) continue;
    hn::StoreU(hn::ReorderDemote2To(d, rounded_pairs(lower01, lower23, high01, high23, half, bit_depth),
                                    rounded_pairs(upper01, upper23, high01, high23, half, bit_depth)),
               d, high + x);
  }
}

void picture_pass_8(const FourRows<std::uint8_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  picture_pass(rows, n, bit_depth, low, high);
}
void picture_pass_16(const FourRows<std::uint16_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  picture_pass(rows, n, bit_depth, low, high);
}

// Lane i: a[i] in the lower and b[i] in the upper 16 bits.
hn::Vec<Int16> load_pairs(const std::int16_t* a, const std::int16_t* b) {
  const hn::Rebind<std::uint16_t, Uint32> narrow;
  const hn::Rebind<std::int16_t, Int32> narrow_signed;
  const auto lower = hn::PromoteTo(Uint32(), hn::BitCast(narrow, hn::LoadU(narrow_signed, a)));
  const auto upper = hn::PromoteTo(Uint32(), hn::BitCast(narrow, hn::LoadU(narrow_signed, b)));
  return hn::BitCast(Int16(), hn::Or(lower, hn::ShiftLeft<16>(upper)));
}

void band_pass_16(const FourRows<std::int16_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  const Int32 d;
  const auto low01 = tap_pair(low_taps(), 0);
  const auto low23 = tap_pair(low_taps(), 2);
  const auto high01 = tap_pair(high_taps(), 0);
  const auto high23 = tap_pair(high_taps(), 2);
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    const auto rows01 = load_pairs(rows[0] + x, rows[1] + x);
    const auto rows23 = load_pairs(rows[2] + x, rows[3] + x);
    hn::StoreU(hn::Add(pair_sums(rows01, low01), pair_sums(rows23, low23)), d, low + x);
    if (high != nullptr) hn::StoreU(hn::Add(pair_sums(rows01, high01), pair_sums(rows23, high23)), d, high + x);
  }
}

hn::Vec<Int32> odd_to_even(hn::Vec<Int32> v) { return hn::BitCast(Int32(), hn::ShiftRight<32>(hn::BitCast(Uint64(), v))); }

// The four taps, each in every lane.
struct TapVectors {
  hn::Vec<Int32> t0, t1, t2, t3;
};
TapVectors tap_vectors(const Taps& taps) {
  const Int32 d;
  return {hn::Set(d, taps.tap[0]), hn::Set(d, taps.tap[1]), hn::Set(d, taps.tap[2]), hn::Set(d, taps.tap[3])};
}

// Filter of the even lanes, plus `half`.
hn::Vec<Uint64> filtered_even(hn::Vec<Int32> s0, hn::Vec<Int32> s1, hn::Vec<Int32> s2, hn::Vec<Int32> s3, const TapVectors& taps,
                              hn::Vec<Int64> half) {
  const auto first = hn::Add(hn::MulEven(s0, taps.t0), hn::MulEven(s1, taps.t1));
  const auto second = hn::Add(hn::MulEven(s2, taps.t2), hn::MulEven(s3, taps.t3));
  return hn::BitCast(Uint64(), hn::Add(hn::Add(first, second), half));
}

void band_pass_32(const FourRows<std::int32_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  constexpr int kShift = vertical_shift(2);
  const Int32 d;
  const TapVectors lows = tap_vectors(low_taps());
  const TapVectors highs = tap_vectors(high_taps());
  const auto half = hn::Set(Int64(), std::int64_t{1} << (kShift - 1));
  for (int x = 0; x < n; x += static_cast<int>(hn::Lanes(d))) {
    const auto e0 = hn::LoadU(d, rows[0] + x);
    const auto e1 = hn::LoadU(d, rows[1] + x);
    const auto e2 = hn::LoadU(d, rows[2] + x);
    const auto e3 = hn::LoadU(d, rows[3] + x);
    const auto o0 = odd_to_even(e0);
    const auto o1 = odd_to_even(e1);
    const auto o2 = odd_to_even(e2);
    const auto o3 = odd_to_even(e3);
    // Of a 64-bit sum, bits 16..47 are wanted: even columns move them to the lower half, odd columns to the upper half.
    const auto low_even = hn::ShiftRight<kShift>(filtered_even(e0, e1, e2, e3, lows, half));
    const auto low_odd = hn::ShiftLeft<32 - kShift>(filtered_even(o0, o1, o2, o3, lows, half));
    hn::StoreU(hn::OddEven(hn::BitCast(d, low_odd), hn::BitCast(d, low_even)), d, low + x);
    if (high == nullptr) continue;
    const auto high_even = hn::ShiftRight<kShift>(filtered_even(e0, e1, e2, e3, highs, half));
    const auto high_odd = hn::ShiftLeft<32 - kShift>(filtered_even(o0, o1, o2, o3, highs, half));
    hn::StoreU(hn::OddEven(hn::BitCast(d, high_odd), hn::BitCast(d, high_even)), d, high + x);
  }
}

// Output i reads line[2i-1 .. 2i+2]: two pairs of neighbours, so that pair i of a vector belongs to output i and nothing is shuffled.
void line_pass_16(const std::int16_t* line, int begin, int end, const Taps& taps, std::int16_t* out) {
  const Int16 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto taps01 = tap_pair(taps, 0);
  const auto taps23 = tap_pair(taps, 2);
  const auto half = hn::Set(Int32(), 32768);
  for (int i = begin; i < end; i += lanes) {
    const std::int16_t* p = line + 2 * i - 1;
    const auto first = hn::Add(pair_sums(hn::LoadU(d, p), taps01), pair_sums(hn::LoadU(d, p + 2), taps23));
    const auto second = hn::Add(pair_sums(hn::LoadU(d, p + lanes), taps01), pair_sums(hn::LoadU(d, p + lanes + 2), taps23));
    // The upper 16 bits of each sum.
    hn::StoreU(hn::ConcatOdd(d, hn::BitCast(d, hn::Add(second, half)), hn::BitCast(d, hn::Add(first, half))), d, out + (i - begin));
  }
}

hn::Vec<Int32> filtered_pairs(const std::int32_t* p, const TapVectors& taps, hn::Vec<Int64> half, int shift) {
  const auto s01 = hn::LoadU(Int32(), p);
  const auto s23 = hn::LoadU(Int32(), p + 2);
  const auto sum = filtered_even(s01, odd_to_even(s01), s23, odd_to_even(s23), taps, half);
  return hn::BitCast(Int32(), hn::ShiftRightSame(sum, shift));
}

void line_pass_32(const std::int32_t* line, int begin, int end, const Taps& taps, int shift, std::int32_t* out) {
  const Int32 d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const TapVectors vectors = tap_vectors(taps);
  const auto half = hn::Set(Int64(), std::int64_t{1} << (shift - 1));
  for (int i = begin; i < end; i += lanes) {
    const std::int32_t* p = line + 2 * i - 1;
    const auto first = filtered_pairs(p, vectors, half, shift);
    const auto second = filtered_pairs(p + lanes, vectors, half, shift);
    hn::StoreU(hn::ConcatEven(d, second, first), d, out + (i - begin));
  }
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors::adm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/simd.h"

namespace vmafbatch::extractors::adm {

HWY_EXPORT(picture_pass_8);
HWY_EXPORT(picture_pass_16);
HWY_EXPORT(band_pass_16);
HWY_EXPORT(band_pass_32);
HWY_EXPORT(line_pass_16);
HWY_EXPORT(line_pass_32);

void vertical_pass(const FourRows<std::uint8_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  if (simd_mode() == SimdMode::kScalar) return slow_vertical_pass(rows, n, bit_depth, low, high);
  HWY_DYNAMIC_DISPATCH(picture_pass_8)(rows, n, bit_depth, low, high);
}
void vertical_pass(const FourRows<std::uint16_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  if (simd_mode() == SimdMode::kScalar) return slow_vertical_pass(rows, n, bit_depth, low, high);
  HWY_DYNAMIC_DISPATCH(picture_pass_16)(rows, n, bit_depth, low, high);
}
void vertical_pass(const FourRows<std::int16_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  if (simd_mode() == SimdMode::kScalar) return slow_vertical_pass(rows, n, low, high);
  HWY_DYNAMIC_DISPATCH(band_pass_16)(rows, n, low, high);
}
void vertical_pass(const FourRows<std::int32_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  if (simd_mode() == SimdMode::kScalar) return slow_vertical_pass(rows, n, low, high);
  HWY_DYNAMIC_DISPATCH(band_pass_32)(rows, n, low, high);
}
void horizontal_pass(const std::int16_t* line, int begin, int end, const Taps& taps, std::int16_t* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_horizontal_pass(line, begin, end, taps, out);
  HWY_DYNAMIC_DISPATCH(line_pass_16)(line, begin, end, taps, out);
}
void horizontal_pass(const std::int32_t* line, int begin, int end, const Taps& taps, int shift, std::int32_t* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_horizontal_pass(line, begin, end, taps, shift, out);
  HWY_DYNAMIC_DISPATCH(line_pass_32)(line, begin, end, taps, shift, out);
}

}  // namespace vmafbatch::extractors::adm
#endif  // HWY_ONCE
