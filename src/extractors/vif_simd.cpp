#include "extractors/vif_simd.h"

#include <algorithm>
#include <vector>

#include "extractors/vif_log_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/vif_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without vectors that Highway knows

template <class Sample>
std::optional<VifSums> sum_plane(io::Plane<const Sample>, io::Plane<const Sample>, int, int, double, const std::int32_t*) {
  return std::nullopt;
}

template <class Sample>
bool downscale_plane(io::Plane<const Sample>, int, int, io::Plane<std::uint16_t>) {
  return false;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Lanes are columns. A vector of 16-bit lanes holds neighbouring columns; of 32-bit lanes, every second: the even or the odd ones.
using U16 = hn::CappedTag<std::uint16_t, 32>;
using I16 = hn::RebindToSigned<U16>;
using U32 = hn::RepartitionToWide<U16>;
using I32 = hn::RebindToSigned<U32>;
using F64 = hn::Repartition<double, U32>;
using Words = hn::Vec<U16>;
using Sums = hn::Vec<U32>;
using Signed = hn::Vec<I32>;
using Real = hn::Vec<F64>;

// Taking 32768 off each of the weighted samples takes 65536 * 32768 off their sum; the sum is a number modulo 2^32.
constexpr std::uint32_t kSumBias = 0x80000000u;

HWY_INLINE Words load_words(const std::uint16_t* p) { return hn::LoadU(U16(), p); }
HWY_INLINE Words load_words(const std::uint8_t* p) {
  const hn::Rebind<std::uint8_t, U16> bytes;
  return hn::PromoteTo(U16(), hn::LoadU(bytes, p));
}

HWY_INLINE Words biased(Words v) { return hn::Xor(v, hn::Set(U16(), 0x8000)); }

// sum + first * first tap + second * second tap, in every 32-bit lane.
HWY_INLINE Sums add_pairs(Sums sum, Words pairs, Sums taps) {
#if HWY_ARCH_X86
  auto unused = hn::Zero(I32());
  return hn::BitCast(
      U32(), hn::ReorderWidenMulAccumulate(I32(), hn::BitCast(I16(), pairs), hn::BitCast(I16(), taps), hn::BitCast(I32(), sum), unused));
#else
  const auto first = [](auto v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(I32(), v))); };
  const auto second = [](auto v) { return hn::ShiftRight<16>(hn::BitCast(I32(), v)); };
  return hn::Add(sum, hn::BitCast(U32(), hn::Add(hn::Mul(first(pairs), first(taps)), hn::Mul(second(pairs), second(taps)))));
#endif
}

// The samples of two rows side by side, for the even or the odd columns.
template <bool kOdd>
HWY_INLINE Words pairs_of(Words upper, Words lower) {
  if constexpr (kOdd) return hn::OddEven(lower, hn::BitCast(U16(), hn::ShiftRight<16>(hn::BitCast(U32(), upper))));
  return hn::OddEven(hn::BitCast(U16(), hn::ShiftLeft<16>(hn::BitCast(U32(), lower))), upper);
}

// The source rows of one output row of the vertical pass.
template <class Sample>
struct SourceRows {
  SourceRows(io::Plane<const Sample> plane, int y, const VifTapPairs& pairs) {
    for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
      first[j] = plane.row(vif_mirror(y + pairs.offset[j], plane.height));
      second[j] = pairs.second_counts[j] ? plane.row(vif_mirror(y + pairs.offset[j] + 1, plane.height)) : first[j];
    }
  }
  std::array<const Sample*, vif_radius(0) + 1> first{};
  std::array<const Sample*, vif_radius(0) + 1> second{};
};

struct ColumnSums {
  Sums mean1, mean2, square1, square2, product;
};

HWY_INLINE Sums shifted_right(Sums v, int shift) { return hn::ShiftRightSame(v, shift); }
HWY_INLINE Sums shifted_left(Sums v, int shift) { return hn::ShiftLeftSame(v, shift); }

// 8-bit samples: 128 is taken off them, so that their products fit 16 signed bits; the sums make up for it at the end.
template <bool kOdd>
HWY_INLINE ColumnSums filter_columns(const SourceRows<std::uint8_t>& p, const SourceRows<std::uint8_t>& q, const VifTapPairs& pairs, int x,
                                     int /*bit_depth*/, int /*scale*/) {
  const U32 d;
  const auto middle = hn::Set(U16(), 128);
  Sums mean1 = hn::Zero(d), mean2 = hn::Zero(d), square1 = hn::Zero(d), square2 = hn::Zero(d), product = hn::Zero(d);
  for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
    const Sums taps = hn::Set(d, static_cast<std::uint32_t>(pairs.taps[j]));
    const Words a = hn::Sub(pairs_of<kOdd>(load_words(p.first[j] + x), load_words(p.second[j] + x)), middle);
    const Words b = hn::Sub(pairs_of<kOdd>(load_words(q.first[j] + x), load_words(q.second[j] + x)), middle);
    mean1 = add_pairs(mean1, a, taps);
    mean2 = add_pairs(mean2, b, taps);
    square1 = add_pairs(square1, hn::Mul(a, a), taps);
    square2 = add_pairs(square2, hn::Mul(b, b), taps);
    product = add_pairs(product, hn::Mul(a, b), taps);
  }
  const auto squares_bias = hn::Set(d, 128u * 128u * 65536u);
  const auto mean_of = [&](Sums sum) { return hn::ShiftRight<8>(hn::Add(sum, hn::Set(d, 128u * 65536u + 128u))); };
  return {mean_of(mean1), mean_of(mean2), hn::Add(hn::Add(square1, hn::ShiftLeft<8>(mean1)), squares_bias),
          hn::Add(hn::Add(square2, hn::ShiftLeft<8>(mean2)), squares_bias),
          hn::Add(hn::Add(product, hn::ShiftLeft<7>(hn::Add(mean1, mean2))), squares_bias)};
}

// The weighted sum of 32-bit numbers from their halves.
struct HalfSums {
  Sums high, low;

  HWY_INLINE void add(Words a, Words b, Sums taps) {
    high = add_pairs(high, biased(hn::MulHigh(a, b)), taps);
    low = add_pairs(low, biased(hn::Mul(a, b)), taps);
  }
  // The 48-bit sum, rounded and shifted. REQUIRES: 0 < shift <= 16
  HWY_INLINE Sums result(int shift) const {
    const auto bias = hn::Set(U32(), kSumBias);
    const auto half = hn::Set(U32(), std::uint32_t{1} << (shift - 1));
    return hn::Add(shifted_left(hn::Add(high, bias), 16 - shift), shifted_right(hn::Add(hn::Add(low, bias), half), shift));
  }
};

template <bool kOdd>
HWY_INLINE ColumnSums filter_columns(const SourceRows<std::uint16_t>& p, const SourceRows<std::uint16_t>& q, const VifTapPairs& pairs,
                                     int x, int bit_depth, int scale) {
  const U32 d;
  Sums mean1 = hn::Zero(d), mean2 = hn::Zero(d);
  HalfSums square1{mean1, mean1}, square2{mean1, mean1}, product{mean1, mean1};
  for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
    const Sums taps = hn::Set(d, static_cast<std::uint32_t>(pairs.taps[j]));
    const Words a = pairs_of<kOdd>(load_words(p.first[j] + x), load_words(p.second[j] + x));
    const Words b = pairs_of<kOdd>(load_words(q.first[j] + x), load_words(q.second[j] + x));
    mean1 = add_pairs(mean1, biased(a), taps);
    mean2 = add_pairs(mean2, biased(b), taps);
    square1.add(a, a, taps);
    square2.add(b, b, taps);
    product.add(a, b, taps);
  }
  const int sample_shift = vif_sample_shift(scale, bit_depth);
  const int product_shift = vif_product_shift(scale, bit_depth);
  const auto offset = hn::Set(d, kSumBias + (std::uint32_t{1} << (sample_shift - 1)));
  return {shifted_right(hn::Add(mean1, offset), sample_shift), shifted_right(hn::Add(mean2, offset), sample_shift),
          square1.result(product_shift), square2.result(product_shift), product.result(product_shift)};
}

// Puts the low or high halves of the even and odd columns in order.
HWY_INLINE void store_low(Sums even, Sums odd, int x, VifRows::Row& out) {
  const Words words = hn::OddEven(hn::BitCast(U16(), hn::ShiftLeft<16>(odd)), hn::BitCast(U16(), even));
  hn::StoreU(hn::BitCast(I16(), biased(words)), I16(), out.data() + x);
}
HWY_INLINE void store_high(Sums even, Sums odd, int x, VifRows::Row& out) {
  const Words words = hn::OddEven(hn::BitCast(U16(), odd), hn::BitCast(U16(), hn::ShiftRight<16>(even)));
  hn::StoreU(hn::BitCast(I16(), biased(words)), I16(), out.data() + x);
}

template <class Sample>
void filter_column_row(const SourceRows<Sample>& p, const SourceRows<Sample>& q, const VifTapPairs& pairs, int width, int bit_depth,
                       int scale, VifRows& out) {
  const int lanes = static_cast<int>(hn::Lanes(U16()));
  for (int x = 0; x < width; x += lanes) {
    const ColumnSums even = filter_columns<false>(p, q, pairs, x, bit_depth, scale);
    const ColumnSums odd = filter_columns<true>(p, q, pairs, x, bit_depth, scale);
    store_low(even.mean1, odd.mean1, x, out.rows[VifRows::kMean1]);
    store_low(even.mean2, odd.mean2, x, out.rows[VifRows::kMean2]);
    store_high(even.square1, odd.square1, x, out.rows[VifRows::kSquare1]);
    store_low(even.square1, odd.square1, x, out.rows[VifRows::kSquare1 + 1]);
    store_high(even.square2, odd.square2, x, out.rows[VifRows::kSquare2]);
    store_low(even.square2, odd.square2, x, out.rows[VifRows::kSquare2 + 1]);
    store_high(even.product, odd.product, x, out.rows[VifRows::kProduct]);
    store_low(even.product, odd.product, x, out.rows[VifRows::kProduct + 1]);
  }
  for (VifRows::Row& row : out.rows) row.mirror(vif_radius(scale));
}

// The horizontal pass for the columns x, x + 2, x + 4 ... The eight sums have names, not an array, so that they stay in registers.
HWY_INLINE ColumnSums filter_along_rows(const VifRows& rows, const VifTapPairs& pairs, int x) {
  const U32 d;
  const Sums bias = hn::Set(d, kSumBias);
  Sums mean1 = bias, mean2 = bias;
  HalfSums square1{bias, bias}, square2{bias, bias}, product{bias, bias};
  for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
    const Sums taps = hn::Set(d, static_cast<std::uint32_t>(pairs.taps[j]));
    const ptrdiff_t at = x + pairs.offset[j];
    const auto add = [&](Sums& sum, size_t i) {
      sum = add_pairs(sum, hn::BitCast(U16(), hn::LoadU(I16(), rows.rows[i].data() + at)), taps);
    };
    add(mean1, VifRows::kMean1);
    add(mean2, VifRows::kMean2);
    add(square1.high, VifRows::kSquare1);
    add(square1.low, VifRows::kSquare1 + 1);
    add(square2.high, VifRows::kSquare2);
    add(square2.low, VifRows::kSquare2 + 1);
    add(product.high, VifRows::kProduct);
    add(product.low, VifRows::kProduct + 1);
  }
  const auto whole = [&](const HalfSums& v) { return hn::Add(v.high, hn::ShiftRight<16>(hn::Add(v.low, hn::Set(d, 32768u)))); };
  return {mean1, mean2, whole(square1), whole(square2), whole(product)};
}

// vif_mean_product, lane by lane.
HWY_INLINE Sums mean_product(Sums a, Sums b) {
  const hn::Repartition<std::uint64_t, U32> wide;
  const auto half = hn::Set(wide, std::uint64_t{0x80000000u});
  const auto odd_lanes = [&](Sums v) { return hn::BitCast(U32(), hn::ShiftRight<32>(hn::BitCast(wide, v))); };
  const auto even = hn::Add(hn::MulEven(a, b), half);
  const auto odd = hn::Add(hn::MulEven(odd_lanes(a), odd_lanes(b)), half);
  return hn::OddEven(hn::BitCast(U32(), odd), hn::BitCast(U32(), hn::ShiftRight<32>(even)));
}

// The sums of one row, lane by lane. Variances are added as their two halves, so that 32 bits suffice for rows of up to 65536.
struct RowSums {
  Signed log_numerator, log_denominator, flat_pixels;
  Sums flat_variance_high, flat_variance_low;
};

// Exponent and the 15 leading bits of the mantissa of positive doubles: what a logarithm looks up.
HWY_INLINE Sums leading_bits(Real low, Real high) {
  const hn::Repartition<std::uint64_t, F64> bits;
  const hn::Half<U32> half;
  const auto lead = [&](Real v) { return hn::TruncateTo(half, hn::ShiftRight<37>(hn::BitCast(bits, v))); };
  return hn::Combine(U32(), lead(high), lead(low));
}

// vif_log, but for a constant that is the same for all numbers.
HWY_INLINE Signed relative_log(Sums lead, const std::int32_t* table) {
  const auto index = hn::BitCast(I32(), hn::And(lead, hn::Set(U32(), kVifLogEntries - 1)));
  const auto exponent = hn::BitCast(I32(), hn::ShiftRight<15>(lead));
  return hn::Add(hn::GatherIndex(I32(), table, index), hn::ShiftLeft<11>(exponent));
}
// The exponent field of 2^15 is 1038; its logarithm is in the table.
constexpr std::int32_t kLogOffset = 2048 * 1038;

struct Halves {
  Real low, high;
};
HWY_INLINE Halves halves_of(Signed v) {
  const hn::Half<I32> half;
  return {hn::PromoteTo(F64(), hn::LowerHalf(half, v)), hn::PromoteTo(F64(), hn::UpperHalf(half, v))};
}

// The noise after the residual (first) and the signal above it (second), as whole numbers; see vif_log_numerator.
struct Levels {
  Real noise, signal;
};
HWY_INLINE Levels levels_of(Real s1, Real s2, Real s12, double gain_limit) {
  const F64 d;
  const Real gain = hn::Div(s12, hn::Add(s1, hn::Set(d, kVifGainEpsilon)));
  const Real residual = hn::Sub(s2, hn::Mul(gain, s12));
  const Real limited = hn::Min(gain, hn::Set(d, gain_limit));
  const Real noise = hn::Add(hn::Trunc(hn::Max(residual, hn::Zero(d))), hn::Set(d, double{kVifNoise}));
  return {noise, hn::Add(noise, hn::Trunc(hn::Mul(hn::Mul(limited, limited), s1)))};
}

// vif_add_pixel for the lanes of `valid`.
template <class Mask>
HWY_INLINE void add_pixels(const ColumnSums& m, Mask valid, double gain_limit, const std::int32_t* table, RowSums& sums) {
  const I32 d;
  const Signed s1 = hn::BitCast(d, hn::Sub(m.square1, mean_product(m.mean1, m.mean1)));
  const Signed s2 = hn::Max(hn::BitCast(d, hn::Sub(m.square2, mean_product(m.mean2, m.mean2))), hn::Zero(d));
  const Signed s12 = hn::BitCast(d, hn::Sub(m.product, mean_product(m.mean1, m.mean2)));
  const auto is_flat = hn::Lt(s1, hn::Set(d, kVifNoise));
  const auto flat = hn::And(is_flat, valid);
  const Sums variance = hn::BitCast(U32(), hn::IfThenElseZero(flat, s2));
  sums.flat_pixels = hn::Add(sums.flat_pixels, hn::IfThenElseZero(flat, hn::Set(d, 1)));
  sums.flat_variance_high = hn::Add(sums.flat_variance_high, hn::ShiftRight<16>(variance));
  sums.flat_variance_low = hn::Add(sums.flat_variance_low, hn::And(variance, hn::Set(U32(), 0xFFFFu)));
  const auto busy = hn::AndNot(is_flat, valid);
  if (hn::AllFalse(d, busy)) return;
  const Halves r = halves_of(s1);
  const auto noise = hn::Set(F64(), double{kVifNoise});
  const Signed given = relative_log(leading_bits(hn::Add(r.low, noise), hn::Add(r.high, noise)), table);
  sums.log_denominator = hn::Add(sums.log_denominator, hn::IfThenElseZero(busy, hn::Sub(given, hn::Set(d, kLogOffset + kVifNoiseLog))));
  const auto shared = hn::And(busy, hn::And(hn::Gt(s12, hn::Zero(d)), hn::Gt(s2, hn::Zero(d))));
  if (hn::AllFalse(d, shared)) return;
  const Halves t = halves_of(s2);
  const Halves c = halves_of(s12);
  const Levels low = levels_of(r.low, t.low, c.low, gain_limit);
  const Levels high = levels_of(r.high, t.high, c.high, gain_limit);
  const Signed kept =
      hn::Sub(relative_log(leading_bits(low.signal, high.signal), table), relative_log(leading_bits(low.noise, high.noise), table));
  sums.log_numerator = hn::Add(sums.log_numerator, hn::IfThenElseZero(shared, kept));
}

template <class D>
std::int64_t sum_of(D d, hn::Vec<D> v) {
  HWY_ALIGN hn::TFromD<D> lanes[32];
  hn::Store(v, d, lanes);
  std::int64_t sum = 0;
  for (size_t i = 0; i < hn::Lanes(d); ++i) sum += std::int64_t{lanes[i]};
  return sum;
}

VifSums sum_row(const VifRows& rows, const VifTapPairs& pairs, int width, double gain_limit, const std::int32_t* table) {
  const I32 d;
  const U32 du;
  RowSums sums{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(du), hn::Zero(du)};
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += 2 * lanes) {
    for (int parity = 0; parity < 2; ++parity) {
      const int columns = std::min((width - x + 1 - parity) / 2, lanes);
      add_pixels(filter_along_rows(rows, pairs, x + parity), hn::FirstN(d, static_cast<size_t>(columns)), gain_limit, table, sums);
    }
  }
  return {sum_of(d, sums.log_numerator), sum_of(d, sums.log_denominator),
          sum_of(du, sums.flat_variance_high) * 65536 + sum_of(du, sums.flat_variance_low), sum_of(d, sums.flat_pixels)};
}

template <class Sample>
std::optional<VifSums> sum_plane(io::Plane<const Sample> p, io::Plane<const Sample> q, int scale, int bit_depth, double gain_limit,
                                 const std::int32_t* table) {
  const VifTapPairs pairs(scale);
  VifRows rows(p.width);
  VifSums sums;
  for (int y = 0; y < p.height; ++y) {
    filter_column_row(SourceRows<Sample>(p, y, pairs), SourceRows<Sample>(q, y, pairs), pairs, p.width, bit_depth, scale, rows);
    sums += sum_row(rows, pairs, p.width, gain_limit, table);
  }
  return sums;
}

// The vertical pass of the pyramid for the even or odd columns.
template <bool kOdd, class Sample>
HWY_INLINE Sums downscale_columns(const SourceRows<Sample>& in, const VifTapPairs& pairs, int x, int shift) {
  const U32 d;
  Sums sum = hn::Set(d, kSumBias + (std::uint32_t{1} << (shift - 1)));
  for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
    const Sums taps = hn::Set(d, static_cast<std::uint32_t>(pairs.taps[j]));
    sum = add_pairs(sum, biased(pairs_of<kOdd>(load_words(in.first[j] + x), load_words(in.second[j] + x))), taps);
  }
  return shifted_right(sum, shift);
}

// The horizontal pass at every second column.
void downscale_row(const VifRows::Row& row, const VifTapPairs& pairs, int width, std::uint16_t* out) {
  const U32 d;
  const hn::Rebind<std::uint16_t, U32> half;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN std::uint16_t rest[32];
  for (int x = 0; x < width; x += lanes) {
    Sums sum = hn::Set(d, kSumBias + 32768u);
    for (size_t j = 0; j < static_cast<size_t>(pairs.count); ++j) {
      const auto samples = hn::BitCast(U16(), hn::LoadU(I16(), row.data() + 2 * x + pairs.offset[j]));
      sum = add_pairs(sum, samples, hn::Set(d, static_cast<std::uint32_t>(pairs.taps[j])));
    }
    const auto words = hn::DemoteTo(half, hn::BitCast(I32(), hn::ShiftRight<16>(sum)));
    if (x + lanes <= width) {
      hn::StoreU(words, half, out + x);
    } else {
      hn::Store(words, half, rest);
      std::copy_n(rest, width - x, out + x);
    }
  }
}

template <class Sample>
bool downscale_plane(io::Plane<const Sample> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  const VifTapPairs pairs(scale);
  const int shift = vif_sample_shift(scale - 1, bit_depth);
  VifRows::Row row(in.width);
  const int lanes = static_cast<int>(hn::Lanes(U16()));
  for (int y = 0; y < out.height; ++y) {
    const SourceRows<Sample> source(in, 2 * y, pairs);
    for (int x = 0; x < in.width; x += lanes) {
      store_low(downscale_columns<false>(source, pairs, x, shift), downscale_columns<true>(source, pairs, x, shift), x, row);
    }
    row.mirror(vif_radius(scale));
    downscale_row(row, pairs, out.width, out.row(y));
  }
  return true;
}

#endif

std::optional<VifSums> sum_bytes(io::Plane<const std::uint8_t> p, io::Plane<const std::uint8_t> q, int scale, int bit_depth,
                                 double gain_limit, const std::int32_t* table) {
  return sum_plane(p, q, scale, bit_depth, gain_limit, table);
}
std::optional<VifSums> sum_words(io::Plane<const std::uint16_t> p, io::Plane<const std::uint16_t> q, int scale, int bit_depth,
                                 double gain_limit, const std::int32_t* table) {
  return sum_plane(p, q, scale, bit_depth, gain_limit, table);
}
bool downscale_bytes(io::Plane<const std::uint8_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  return downscale_plane(in, scale, bit_depth, out);
}
bool downscale_words(io::Plane<const std::uint16_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  return downscale_plane(in, scale, bit_depth, out);
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
namespace {

HWY_EXPORT(sum_bytes);
HWY_EXPORT(sum_words);
HWY_EXPORT(downscale_bytes);
HWY_EXPORT(downscale_words);

// The table in the width that vector look-ups read.
const std::int32_t* wide_log_table() {
  static const std::vector<std::int32_t> table(vif_log_table().begin(), vif_log_table().end());
  return table.data();
}

}  // namespace

VifTapPairs::VifTapPairs(int scale) {
  const int radius = vif_radius(scale);
  const auto add = [&](int at, std::uint32_t first, std::uint32_t second) {
    const auto j = static_cast<size_t>(count++);
    offset[j] = at;
    second_counts[j] = second != 0;
    taps[j] = static_cast<std::int32_t>(first | second << 16);
  };
  if (radius == 1) {  // the centre does not fit 15 bits: half of it stands in both pairs
    add(-1, vif_tap(scale, 1), vif_tap(scale, 0) / 2);
    add(0, vif_tap(scale, 0) / 2, vif_tap(scale, 1));
    return;
  }
  for (int at = -radius; at <= radius; at += 2) {
    add(at, vif_tap(scale, at < 0 ? -at : at), at == radius ? 0 : vif_tap(scale, at + 1 < 0 ? -at - 1 : at + 1));
  }
}

std::optional<VifSums> fast_vif_plane_sums(io::Plane<const std::uint8_t> p, io::Plane<const std::uint8_t> q, int scale, int bit_depth,
                                           double gain_limit) {
  return HWY_DYNAMIC_DISPATCH(sum_bytes)(p, q, scale, bit_depth, gain_limit, wide_log_table());
}
std::optional<VifSums> fast_vif_plane_sums(io::Plane<const std::uint16_t> p, io::Plane<const std::uint16_t> q, int scale, int bit_depth,
                                           double gain_limit) {
  return HWY_DYNAMIC_DISPATCH(sum_words)(p, q, scale, bit_depth, gain_limit, wide_log_table());
}
bool fast_vif_downscale(io::Plane<const std::uint8_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  return HWY_DYNAMIC_DISPATCH(downscale_bytes)(in, scale, bit_depth, out);
}
bool fast_vif_downscale(io::Plane<const std::uint16_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  return HWY_DYNAMIC_DISPATCH(downscale_words)(in, scale, bit_depth, out);
}

}  // namespace vmafbatch::extractors
#endif
