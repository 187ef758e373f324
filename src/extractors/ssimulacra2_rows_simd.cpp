// The fast forms of the row loops of ssimulacra2, compiled once per instruction set. Lanes are columns.
#include <array>
#include <bit>

#include "base/simd.h"
#include "extractors/ssimulacra2_picture.h"
#include "extractors/ssimulacra2_transfer.h"

#ifndef VMAFBATCH_SSIMULACRA2_TRANSFER_PAIRS
#define VMAFBATCH_SSIMULACRA2_TRANSFER_PAIRS
namespace vmafbatch::extractors::ssimulacra2 {
namespace {

// Entry i of the table in the low half, entry i + 1 in the high half.
using TransferPairs = std::array<std::uint64_t, kTransferEntries - 1>;

const TransferPairs kTransferPairs = [] {
  TransferPairs pairs{};
  for (size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = std::bit_cast<std::uint32_t>(kTransfer[i]) | static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(kTransfer[i + 1]))
                                                                << 32;
  }
  return pairs;
}();

}  // namespace
}  // namespace vmafbatch::extractors::ssimulacra2
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/ssimulacra2_rows_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::ssimulacra2 {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a machine without vectors that Highway knows

void LinearRow8(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  slow_linear_row(y, u, v, width, shift, conversion, out);
}
void LinearRow16(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift, const Conversion& conversion,
                 const RgbRow& out) {
  slow_linear_row(y, u, v, width, shift, conversion, out);
}
void XybRow(const ConstRgbRow& in, int width, const RgbRow& out) { slow_xyb_row(in, width, out); }
void HalveRows(const float* upper, const float* lower, int width, float* out) { slow_halve_rows(upper, lower, width, out); }

#else

namespace hn = hwy::HWY_NAMESPACE;

// At most 64 bytes, the room behind the rows of frames and float planes.
using Tag = hn::CappedTag<float, 16>;
using HalfTag = hn::Half<Tag>;
using WideTag = hn::Rebind<double, HalfTag>;
using IntTag = hn::RebindToSigned<Tag>;
using WordTag = hn::RebindToUnsigned<Tag>;
using PairTag = hn::RepartitionToWide<WordTag>;
using Vector = hn::Vec<Tag>;
using HalfVector = hn::Vec<HalfTag>;

int lanes() { return static_cast<int>(hn::Lanes(Tag())); }

// fused(), lane by lane.
HWY_INLINE Vector fused_lanes(float factor, Vector value, Vector addend) {
  const WideTag wide;
  const HalfTag half;
  const auto f = hn::Set(wide, static_cast<double>(factor));
  const auto low = hn::Add(hn::Mul(f, hn::PromoteTo(wide, hn::LowerHalf(half, value))), hn::PromoteTo(wide, hn::LowerHalf(half, addend)));
  const auto high = hn::Add(hn::Mul(f, hn::PromoteTo(wide, hn::UpperHalf(half, value))), hn::PromoteTo(wide, hn::UpperHalf(half, addend)));
  return hn::Combine(Tag(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

// linear_light(), lane by lane. At 0 the table's first entry gives 0. One load of 64 bits fetches an entry and its successor.
// Behind the end of a row the value comes from samples without a meaning; the index is inside the table whatever they are.
HWY_INLINE void store_linear_light(Vector value, float* out) {
  const Tag d;
  const IntTag integers;
  const hn::Half<IntTag> half_integers;
  const PairTag pairs;
  const hn::RebindToSigned<PairTag> offsets;
  const Vector one = hn::Set(d, 1.0f);
  const Vector position = hn::Mul(hn::Min(hn::Max(value, hn::Zero(d)), one), hn::Set(d, static_cast<float>(kTransferEntries - 1)));
  const auto index = hn::Min(hn::ConvertTo(integers, position), hn::Set(integers, kTransferEntries - 2));
  const Vector fraction = hn::Sub(position, hn::ConvertTo(d, index));
  const auto lower = hn::GatherIndex(pairs, kTransferPairs.data(), hn::PromoteTo(offsets, hn::LowerHalf(half_integers, index)));
  const auto upper = hn::GatherIndex(pairs, kTransferPairs.data(), hn::PromoteTo(offsets, hn::UpperHalf(half_integers, index)));
  const Vector low = hn::ConcatEven(d, hn::BitCast(d, upper), hn::BitCast(d, lower));
  const Vector high = hn::ConcatOdd(d, hn::BitCast(d, upper), hn::BitCast(d, lower));
  const Vector light = hn::Add(low, hn::Mul(hn::Sub(high, low), fraction));
  hn::StoreU(hn::IfThenElse(hn::Ge(value, one), one, light), d, out);
}

// Samples as floats.
template <class D, class Sample>
HWY_INLINE hn::Vec<D> load_samples(D d, const Sample* samples) {
  const hn::RebindToSigned<D> integers;
  const hn::Rebind<Sample, D> stored;
  return hn::ConvertTo(d, hn::PromoteTo(integers, hn::LoadU(stored, samples)));
}

// The chroma samples of columns x .. x + lanes - 1, each twice where one covers two columns.
template <class Sample>
HWY_INLINE Vector load_chroma(const Sample* samples, int x, int shift) {
  const Tag d;
  if (shift == 0) return load_samples(d, samples + x);
  const HalfVector half = load_samples(HalfTag(), samples + x / 2);
  const auto pairs = hn::ShiftRight<1>(hn::Iota(IntTag(), 0));
  return hn::TableLookupLanes(hn::Combine(d, half, half), hn::IndicesFromVec(d, pairs));
}

template <class Sample>
HWY_INLINE void linear_row_lanes(const Sample* luma, const Sample* cb, const Sample* cr, int width, int shift, const Conversion& c,
                                 const RgbRow& out) {
  const Tag d;
  const Vector unit = hn::Set(d, c.sample_unit);
  const Vector luma_offset = hn::Set(d, c.luma_offset);
  const Vector luma_scale = hn::Set(d, c.luma_scale);
  const Vector half = hn::Set(d, 0.5f);
  const Vector chroma_scale = hn::Set(d, c.chroma_scale);
  for (int x = 0; x < width; x += lanes()) {
    const Vector y = hn::Mul(hn::Sub(hn::Mul(load_samples(d, luma + x), unit), luma_offset), luma_scale);
    const Vector u = hn::Mul(hn::Sub(hn::Mul(load_chroma(cb, x, shift), unit), half), chroma_scale);
    const Vector v = hn::Mul(hn::Sub(hn::Mul(load_chroma(cr, x, shift), unit), half), chroma_scale);
    store_linear_light(fused_lanes(c.red_v, v, y), out.r + x);
    store_linear_light(fused_lanes(c.green_v, v, fused_lanes(c.green_u, u, y)), out.g + x);
    store_linear_light(fused_lanes(c.blue_u, u, y), out.b + x);
  }
}

void LinearRow8(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  linear_row_lanes(y, u, v, width, shift, conversion, out);
}
void LinearRow16(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift, const Conversion& conversion,
                 const RgbRow& out) {
  linear_row_lanes(y, u, v, width, shift, conversion, out);
}

// bits / 3 of every lane: the upper word of the product with (2^33 + 1) / 3, halved.
HWY_INLINE hn::Vec<WordTag> third_of(hn::Vec<WordTag> bits) {
  const WordTag words;
  const PairTag pairs;
  const auto reciprocal = hn::Set(words, 0xAAAAAAABu);
  const auto even = hn::ShiftRight<33>(hn::MulEven(bits, reciprocal));
  const auto odd = hn::ShiftRight<33>(hn::MulEven(hn::BitCast(words, hn::ShiftRight<32>(hn::BitCast(pairs, bits))), reciprocal));
  return hn::BitCast(words, hn::Or(even, hn::ShiftLeft<32>(odd)));
}

HWY_INLINE Vector newton_step(Vector x, Vector y) {
  const Tag d;
  return hn::Mul(hn::Add(hn::Mul(hn::Set(d, 2.0f), y), hn::Div(x, hn::Mul(y, y))), hn::Set(d, kThird));
}

// cube_root(x) - kCubeRootOfBias, lane by lane.
HWY_INLINE Vector shifted_root(Vector x) {
  const Tag d;
  const WordTag words;
  const Vector guess = hn::BitCast(d, hn::Add(third_of(hn::BitCast(words, x)), hn::Set(words, kCubeRootMagic)));
  const Vector root = newton_step(x, newton_step(x, guess));
  return hn::Sub(hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), root), hn::Set(d, kCubeRootOfBias));
}

HWY_INLINE Vector absorbed(float weight_r, float weight_g, float weight_b, Vector r, Vector g, Vector b) {
  const Tag d;
  const Vector mixed = hn::Add(hn::Mul(hn::Set(d, weight_r), r), hn::Mul(hn::Set(d, weight_g), g));
  return hn::Add(hn::Add(mixed, hn::Mul(hn::Set(d, weight_b), b)), hn::Set(d, kBias));
}

void XybRow(const ConstRgbRow& in, int width, const RgbRow& out) {
  const Tag d;
  const Vector half = hn::Set(d, 0.5f);
  for (int x = 0; x < width; x += lanes()) {
    const Vector r = hn::LoadU(d, in.r + x);
    const Vector g = hn::LoadU(d, in.g + x);
    const Vector b = hn::LoadU(d, in.b + x);
    const Vector l = shifted_root(absorbed(kL0, kL1, kL2, r, g, b));
    const Vector m = shifted_root(absorbed(kM0, kM1, kM2, r, g, b));
    const Vector s = shifted_root(absorbed(kS0, kS1, kS2, r, g, b));
    const Vector opponent = hn::Mul(half, hn::Sub(l, m));
    const Vector luma = hn::Mul(half, hn::Add(l, m));
    hn::StoreU(hn::Add(hn::Mul(opponent, hn::Set(d, kXScale)), hn::Set(d, kXShift)), d, out.r + x);
    hn::StoreU(hn::Add(luma, hn::Set(d, kYShift)), d, out.g + x);
    hn::StoreU(hn::Add(hn::Sub(s, luma), hn::Set(d, kBShift)), d, out.b + x);
  }
}

void HalveRows(const float* upper, const float* lower, int width, float* out) {
  const Tag d;
  int x = 0;
  for (; x + 2 * lanes() <= width; x += 2 * lanes()) {
    const Vector upper0 = hn::LoadU(d, upper + x);
    const Vector upper1 = hn::LoadU(d, upper + x + lanes());
    const Vector lower0 = hn::LoadU(d, lower + x);
    const Vector lower1 = hn::LoadU(d, lower + x + lanes());
    const Vector top = hn::Add(hn::ConcatEven(d, upper1, upper0), hn::ConcatOdd(d, upper1, upper0));
    const Vector sum = hn::Add(hn::Add(top, hn::ConcatEven(d, lower1, lower0)), hn::ConcatOdd(d, lower1, lower0));
    hn::StoreU(hn::Mul(sum, hn::Set(d, 0.25f)), d, out + x / 2);
  }
  slow_halve_rows(upper + x, lower + x, width - x, out + x / 2);
}

#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors::ssimulacra2
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors::ssimulacra2 {

HWY_EXPORT(LinearRow8);
HWY_EXPORT(LinearRow16);
HWY_EXPORT(XybRow);
HWY_EXPORT(HalveRows);

void linear_row(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  if (simd_mode() == SimdMode::kScalar) return slow_linear_row(y, u, v, width, shift, conversion, out);
  HWY_DYNAMIC_DISPATCH(LinearRow8)(y, u, v, width, shift, conversion, out);
}

void linear_row(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out) {
  if (simd_mode() == SimdMode::kScalar) return slow_linear_row(y, u, v, width, shift, conversion, out);
  HWY_DYNAMIC_DISPATCH(LinearRow16)(y, u, v, width, shift, conversion, out);
}

void xyb_row(const ConstRgbRow& in, int width, const RgbRow& out) {
  if (simd_mode() == SimdMode::kScalar) return slow_xyb_row(in, width, out);
  HWY_DYNAMIC_DISPATCH(XybRow)(in, width, out);
}

void halve_rows(const float* upper, const float* lower, int width, float* out) {
  if (simd_mode() == SimdMode::kScalar) return slow_halve_rows(upper, lower, width, out);
  HWY_DYNAMIC_DISPATCH(HalveRows)(upper, lower, width, out);
}

}  // namespace vmafbatch::extractors::ssimulacra2
#endif
