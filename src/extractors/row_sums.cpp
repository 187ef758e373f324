#include "extractors/row_sums.h"

#include <algorithm>

#include "extractors/moment_math.h"

#ifndef VMAFBATCH_ROW_SUMS_PLAIN
#define VMAFBATCH_ROW_SUMS_PLAIN
namespace vmafbatch::extractors {
namespace {

// The plain loops: the ends of rows behind the last whole vector, and all of them where there are no vectors.
template <class Sample>
std::uint64_t plain_squared_error(const Sample* a, const Sample* b, size_t n) {
  std::uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const std::uint64_t difference = absolute_difference(a[i], b[i]);
    sum += difference * difference;
  }
  return sum;
}

template <class Sample>
std::uint64_t plain_rounded_squared_error(const Sample* a, const Sample* b, size_t n) {
  std::uint64_t sum = 0;
  for (size_t i = 0; i < n; ++i) sum += rounded_square(absolute_difference(a[i], b[i]));
  return sum;
}

template <class Sample>
RowMoments plain_moments(const Sample* row, size_t n, RowMoments sums = {}) {
  for (size_t i = 0; i < n; ++i) {
    sums.samples += row[i];
    sums.squares += rounded_square(row[i]);
  }
  return sums;
}

}  // namespace
}  // namespace vmafbatch::extractors
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/row_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

std::uint64_t squared_error8(const std::uint8_t* a, const std::uint8_t* b, size_t n) { return plain_squared_error(a, b, n); }
std::uint64_t squared_error12(const std::uint16_t* a, const std::uint16_t* b, size_t n) { return plain_squared_error(a, b, n); }
std::uint64_t squared_error16(const std::uint16_t* a, const std::uint16_t* b, size_t n) { return plain_squared_error(a, b, n); }
std::uint64_t rounded_squared_error16(const std::uint16_t* a, const std::uint16_t* b, size_t n) {
  return plain_rounded_squared_error(a, b, n);
}
RowMoments moments8(const std::uint8_t* row, size_t n) { return plain_moments(row, n); }
RowMoments moments12(const std::uint16_t* row, size_t n) { return plain_moments(row, n); }
RowMoments moments16(const std::uint16_t* row, size_t n) { return plain_moments(row, n); }

#else
namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<std::int16_t> d16;
const hn::RepartitionToWide<decltype(d16)> d32;
const hn::Repartition<std::uint64_t, decltype(d16)> d64;
const hn::Rebind<std::uint8_t, decltype(d16)> d8;  // as many lanes as d16
using V16 = hn::Vec<decltype(d16)>;
using V32 = hn::Vec<decltype(d32)>;
using V64 = hn::Vec<decltype(d64)>;

// Vectors whose 16-bit products may be added in 32-bit lanes, two products a lane and vector: 2 * 255^2 and 2 * 4095^2.
constexpr size_t kVectorsPerFlush8 = 8192;
constexpr size_t kVectorsPerFlush12 = 64;

V16 load(const std::uint8_t* p) { return hn::PromoteTo(d16, hn::LoadU(d8, p)); }
V16 load(const std::uint16_t* p) { return hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(p)); }

// Lanes of unsigned 32-bit sums, pairwise as 64-bit lanes.
template <class V>
V64 widen(V sums) {
  const V64 pairs = hn::BitCast(d64, sums);
  return hn::Add(hn::And(pairs, hn::Set(d64, 0xFFFFFFFFu)), hn::ShiftRight<32>(pairs));
}

std::uint64_t total(V64 sums) { return hn::GetLane(hn::SumOfLanes(d64, sums)); }

// Sum of x(i) * y(i) for i = 0, Lanes, 2 * Lanes ... < end, `period` vectors at a time in 32-bit lanes.
template <class X, class Y>
std::uint64_t sum_of_products(size_t end, size_t period, X&& x, Y&& y) {
  const size_t lanes = hn::Lanes(d16);
  V64 sums = hn::Zero(d64);
  for (size_t i = 0; i < end;) {
    const size_t stop = std::min(end, i + period * lanes);
    V32 low = hn::Zero(d32);
    V32 high = hn::Zero(d32);
    for (; i < stop; i += lanes) low = hn::ReorderWidenMulAccumulate(d32, x(i), y(i), low, high);
    sums = hn::Add(sums, hn::Add(widen(low), widen(high)));
  }
  return total(sums);
}

size_t whole_vectors(size_t n) { return n - n % hn::Lanes(d16); }

// Up to 12 bits: differences and samples fit signed 16-bit lanes.
template <class Sample>
std::uint64_t narrow_squared_error(const Sample* a, const Sample* b, size_t n, size_t period) {
  const size_t end = whole_vectors(n);
  const auto difference = [&](size_t i) { return hn::Sub(load(a + i), load(b + i)); };
  return sum_of_products(end, period, difference, difference) + plain_squared_error(a + end, b + end, n - end);
}

template <class Sample>
RowMoments narrow_moments(const Sample* row, size_t n, size_t period) {
  const size_t end = whole_vectors(n);
  const auto sample = [&](size_t i) { return load(row + i); };
  const auto one = [&](size_t) { return hn::Set(d16, 1); };
  return plain_moments(row + end, n - end, {sum_of_products(end, period, sample, one), sum_of_products(end, period, sample, sample)});
}

// Even and odd 16-bit lanes as unsigned 32-bit values.
const hn::RebindToUnsigned<decltype(d16)> du16;
const hn::RebindToUnsigned<decltype(d32)> du32;
using U16 = hn::Vec<decltype(du16)>;
using U32 = hn::Vec<decltype(du32)>;
U32 even_lanes(U16 v) { return hn::And(hn::BitCast(du32, v), hn::Set(du32, 0xFFFF)); }
U32 odd_lanes(U16 v) { return hn::ShiftRight<16>(hn::BitCast(du32, v)); }

U16 distance(const std::uint16_t* a, const std::uint16_t* b) {
  const U16 x = hn::LoadU(du16, a);
  const U16 y = hn::LoadU(du16, b);
  return hn::Or(hn::SaturatedSub(x, y), hn::SaturatedSub(y, x));
}

std::uint64_t squared_error16(const std::uint16_t* a, const std::uint16_t* b, size_t n) {
  const size_t end = whole_vectors(n);
  V64 sums = hn::Zero(d64);
  for (size_t i = 0; i < end; i += hn::Lanes(d16)) {
    const U16 v = distance(a + i, b + i);
    const U32 even = even_lanes(v);
    const U32 odd = odd_lanes(v);
    sums = hn::Add(sums, hn::Add(widen(hn::Mul(even, even)), widen(hn::Mul(odd, odd))));
  }
  return total(sums) + plain_squared_error(a + end, b + end, n - end);
}

// The float squares of whole numbers, added as doubles: exact below 2^53, so in any order.
const hn::Repartition<float, decltype(d16)> df32;
const hn::Repartition<double, decltype(d16)> df64;
const hn::Half<decltype(df32)> half32;
using F64 = hn::Vec<decltype(df64)>;

F64 rounded_squares(U32 v) {
  const auto value = hn::ConvertTo(df32, hn::BitCast(d32, v));
  const auto square = hn::Mul(value, value);
  return hn::Add(hn::PromoteTo(df64, hn::LowerHalf(half32, square)), hn::PromoteTo(df64, hn::UpperHalf(half32, square)));
}

std::uint64_t total(F64 sums) { return static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(df64, sums))); }

std::uint64_t rounded_squared_error16(const std::uint16_t* a, const std::uint16_t* b, size_t n) {
  const size_t end = whole_vectors(n);
  F64 sums = hn::Zero(df64);
  for (size_t i = 0; i < end; i += hn::Lanes(d16)) {
    const U16 v = distance(a + i, b + i);
    sums = hn::Add(sums, hn::Add(rounded_squares(even_lanes(v)), rounded_squares(odd_lanes(v))));
  }
  return total(sums) + plain_rounded_squared_error(a + end, b + end, n - end);
}

RowMoments moments16(const std::uint16_t* row, size_t n) {
  const size_t end = whole_vectors(n);
  V64 samples = hn::Zero(d64);
  F64 squares = hn::Zero(df64);
  for (size_t i = 0; i < end; i += hn::Lanes(d16)) {
    const U16 v = hn::LoadU(du16, row + i);
    const U32 even = even_lanes(v);
    const U32 odd = odd_lanes(v);
    samples = hn::Add(samples, widen(hn::Add(even, odd)));
    squares = hn::Add(squares, hn::Add(rounded_squares(even), rounded_squares(odd)));
  }
  return plain_moments(row + end, n - end, {total(samples), total(squares)});
}

std::uint64_t squared_error8(const std::uint8_t* a, const std::uint8_t* b, size_t n) {
  return narrow_squared_error(a, b, n, kVectorsPerFlush8);
}
std::uint64_t squared_error12(const std::uint16_t* a, const std::uint16_t* b, size_t n) {
  return narrow_squared_error(a, b, n, kVectorsPerFlush12);
}
RowMoments moments8(const std::uint8_t* row, size_t n) { return narrow_moments(row, n, kVectorsPerFlush8); }
RowMoments moments12(const std::uint16_t* row, size_t n) { return narrow_moments(row, n, kVectorsPerFlush12); }

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(squared_error8);
HWY_EXPORT(squared_error12);
HWY_EXPORT(squared_error16);
HWY_EXPORT(rounded_squared_error16);
HWY_EXPORT(moments8);
HWY_EXPORT(moments12);
HWY_EXPORT(moments16);

std::uint64_t row_squared_error(const std::uint8_t* a, const std::uint8_t* b, size_t n) {
  return HWY_DYNAMIC_DISPATCH(squared_error8)(a, b, n);
}

std::uint64_t row_squared_error(const std::uint16_t* a, const std::uint16_t* b, size_t n, int depth) {
  return depth <= 12 ? HWY_DYNAMIC_DISPATCH(squared_error12)(a, b, n) : HWY_DYNAMIC_DISPATCH(squared_error16)(a, b, n);
}

std::uint64_t row_rounded_squared_error(const std::uint16_t* a, const std::uint16_t* b, size_t n) {
  return HWY_DYNAMIC_DISPATCH(rounded_squared_error16)(a, b, n);
}

RowMoments row_moments(const std::uint8_t* row, size_t n) { return HWY_DYNAMIC_DISPATCH(moments8)(row, n); }

RowMoments row_moments(const std::uint16_t* row, size_t n, int depth) {
  return depth <= 12 ? HWY_DYNAMIC_DISPATCH(moments12)(row, n) : HWY_DYNAMIC_DISPATCH(moments16)(row, n);
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
