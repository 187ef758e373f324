// The vector form of hvs_band_terms: lanes are neighbouring blocks, so that every sum keeps its order. The formulas are those of
// psnr_hvs_math.h.
#include <cstring>

#include "base/simd.h"
#include "extractors/psnr_hvs_bands.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/psnr_hvs_bands_fast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<std::int32_t> d32;
const hn::ScalableTag<std::uint32_t> du32;
const hn::ScalableTag<float> df;
using V32 = hn::Vec<decltype(d32)>;
using VF = hn::Vec<decltype(df)>;

constexpr size_t kMostLanes = hn::MaxLanes(d32);

// Value k of every block: values[k * lanes + lane].
using Group = std::int32_t[static_cast<size_t>(kHvsSamples) * kMostLanes];

HWY_INLINE V32 at(const std::int32_t* group, size_t k) { return hn::Load(d32, group + k * hn::Lanes(d32)); }

// The samples of `lanes` blocks that begin at row[0], row[7], ...; lanes behind `blocks` repeat the last block.
template <class Sample>
void load_group(const io::Plane<const Sample>& plane, int x, int y, size_t blocks, std::int32_t* group) {
  const size_t lanes = hn::Lanes(d32);
  for (size_t i = 0; i < kHvsBlock; ++i) {
    const Sample* row = plane.row(y + static_cast<int>(i)) + x;
    for (size_t j = 0; j < kHvsBlock; ++j) {
      std::int32_t* out = group + (kHvsBlock * i + j) * lanes;
      for (size_t lane = 0; lane < blocks; ++lane) out[lane] = row[kHvsStep * lane + j];
      for (size_t lane = blocks; lane < lanes; ++lane) out[lane] = out[blocks - 1];
    }
  }
}

// a / 2 toward zero.
HWY_INLINE V32 half(V32 a) { return hn::ShiftRight<1>(hn::Sub(a, hn::ShiftRight<31>(a))); }

template <int kShift>
HWY_INLINE V32 scaled(V32 a, std::int32_t factor) {
  return hn::ShiftRight<kShift>(hn::Add(hn::Mul(a, hn::Set(d32, factor)), hn::Set(d32, 1 << (kShift - 1))));
}

// hvs_dct8 of every block; stride in coefficients.
HWY_INLINE void dct8(std::int32_t* group, size_t stride) {
  const V32 a1 = at(group, stride);
  const V32 a4 = at(group, 4 * stride);
  const V32 a6 = at(group, 6 * stride);
  const V32 d0 = hn::Sub(at(group, 0), at(group, 7 * stride));
  const V32 h0 = half(d0);
  const V32 s0 = hn::Sub(at(group, 0), h0);
  const V32 s1 = hn::Add(a1, a6);
  const V32 h1 = half(s1);
  const V32 d1 = hn::Sub(a6, h1);
  const V32 a2 = at(group, 2 * stride);
  const V32 d2 = hn::Sub(a2, at(group, 5 * stride));
  const V32 s2 = hn::Sub(a2, half(d2));
  const V32 s3 = hn::Add(at(group, 3 * stride), a4);
  const V32 h3 = half(s3);
  const V32 d3 = hn::Sub(h3, a4);

  V32 e0 = hn::Add(s0, h3);
  V32 e6 = hn::Sub(e0, s3);
  V32 e2 = hn::Sub(h1, s2);
  V32 e4 = hn::Sub(e2, s1);
  e0 = hn::Sub(e0, scaled<15>(e4, 13573));
  e4 = hn::Add(e4, scaled<14>(e0, 11585));
  e0 = hn::Sub(e0, scaled<15>(e4, 13573));
  e6 = hn::Sub(e6, scaled<15>(e2, 21895));
  e2 = hn::Add(e2, scaled<14>(e6, 15137));
  e6 = hn::Sub(e6, scaled<15>(e2, 21895));

  V32 o3 = hn::Add(d2, scaled<15>(d1, 19195));
  V32 o5 = hn::Add(d1, scaled<14>(o3, 11585));
  o3 = hn::Sub(o3, scaled<13>(o5, 7489));
  V32 o7 = hn::Sub(half(o5), d3);
  o5 = hn::Sub(o5, o7);
  o3 = hn::Sub(h0, o3);
  V32 o1 = hn::Sub(d0, o3);
  o7 = hn::Add(o7, scaled<15>(o1, 3227));
  o1 = hn::Sub(o1, scaled<15>(o7, 6393));
  o7 = hn::Add(o7, scaled<15>(o1, 3227));
  o5 = hn::Add(o5, scaled<13>(o3, 2485));
  o3 = hn::Sub(o3, scaled<15>(o5, 18205));
  o5 = hn::Add(o5, scaled<13>(o3, 2485));

  const auto put = [&](size_t k, V32 v) { hn::Store(v, d32, group + k * stride * hn::Lanes(d32)); };
  put(0, e0);
  put(1, o1);
  put(2, e2);
  put(3, o3);
  put(4, e4);
  put(5, o5);
  put(6, e6);
  put(7, o7);
}

void transform(std::int32_t* group) {
  for (size_t column = 0; column < kHvsBlock; ++column) dct8(group + column * hn::Lanes(d32), kHvsBlock);
  for (size_t row = 0; row < kHvsBlock; ++row) dct8(group + row * kHvsBlock * hn::Lanes(d32), 1);
}

// Calls f(value) for the samples of four rows from `first_row` in raster order: left(v) for the left half of a row, right(v) for the rest.
template <class Left, class Right>
HWY_INLINE void visit_half(const std::int32_t* group, size_t first_row, const Left& left, const Right& right) {
  for (size_t k = first_row * kHvsBlock; k < (first_row + 4) * kHvsBlock; k += kHvsBlock) {
    for (size_t j = 0; j < 4; ++j) left(at(group, k + j));
    for (size_t j = 4; j < 8; ++j) right(at(group, k + j));
  }
}

VF mean(V32 sum, float count) { return hn::Div(hn::ConvertTo(df, sum), hn::Set(df, count)); }

// variance = variance + (v - centre)^2, each step rounded.
HWY_INLINE void add_square(VF v, VF centre, VF& variance) {
  const VF t = hn::Sub(v, centre);
  variance = hn::Add(variance, hn::Mul(t, t));
}

// hvs_activity_ratio of every block.
VF activity_ratio(const std::int32_t* group) {
  V32 sums[4] = {hn::Zero(d32), hn::Zero(d32), hn::Zero(d32), hn::Zero(d32)};
  for (size_t bottom = 0; bottom < 2; ++bottom) {
    visit_half(
        group, 4 * bottom, [&](V32 v) HWY_ATTR { sums[bottom] = hn::Add(sums[bottom], v); },
        [&](V32 v) HWY_ATTR { sums[2 + bottom] = hn::Add(sums[2 + bottom], v); });
  }
  const VF block_mean = mean(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])), 64.0f);
  VF variance = hn::Zero(df);
  VF quadrants[4] = {hn::Zero(df), hn::Zero(df), hn::Zero(df), hn::Zero(df)};
  for (size_t bottom = 0; bottom < 2; ++bottom) {
    const VF left_mean = mean(sums[bottom], 16.0f);
    const VF right_mean = mean(sums[2 + bottom], 16.0f);
    VF& left = quadrants[bottom];
    VF& right = quadrants[2 + bottom];
    const auto add = [&](V32 sample, VF quadrant_mean, VF& quadrant) HWY_ATTR {
      const VF v = hn::ConvertTo(df, sample);
      add_square(v, block_mean, variance);
      add_square(v, quadrant_mean, quadrant);
    };
    visit_half(
        group, 4 * bottom, [&](V32 v) HWY_ATTR { add(v, left_mean, left); }, [&](V32 v) HWY_ATTR { add(v, right_mean, right); });
  }
  variance = hn::Mul(variance, hn::Set(df, kHvsBlockUnbias));
  for (VF& quadrant : quadrants) quadrant = hn::Mul(quadrant, hn::Set(df, kHvsQuadrantUnbias));
  const VF sum = hn::Add(hn::Add(hn::Add(quadrants[0], quadrants[1]), quadrants[2]), quadrants[3]);
  return hn::IfThenElse(hn::Gt(variance, hn::Zero(df)), hn::Div(sum, variance), variance);
}

// hvs_threshold of every block.
VF threshold(const std::int32_t* coefficients, VF ratio, const HvsTables& tables) {
  VF energy = hn::Zero(df);
  for (size_t k = 1; k < kHvsSamples; ++k) {
    const V32 c = at(coefficients, k);
    energy = hn::Add(energy, hn::Mul(hn::ConvertTo(df, hn::Mul(c, c)), hn::Set(df, tables.masking[k])));
  }
  return hn::Div(hn::Sqrt(hn::Mul(energy, ratio)), hn::Set(df, 32.0f));
}

// The terms of a group, and which of them are not 0: bit k of a lane's two words.
struct GroupTerms {
  HWY_ALIGN float values[static_cast<size_t>(kHvsSamples) * kMostLanes];
  HWY_ALIGN std::uint32_t present[2][kMostLanes];
};

void group_terms(std::int32_t* reference, std::int32_t* distorted, const HvsTables& tables, GroupTerms& out) {
  const VF reference_ratio = activity_ratio(reference);
  const VF distorted_ratio = activity_ratio(distorted);
  transform(reference);
  transform(distorted);
  const VF of_reference = threshold(reference, reference_ratio, tables);
  const VF of_distorted = threshold(distorted, distorted_ratio, tables);
  const VF largest = hn::IfThenElse(hn::Gt(of_distorted, of_reference), of_distorted, of_reference);
  for (size_t word = 0; word < 2; ++word) {
    auto present = hn::Zero(du32);
    for (size_t bit = 0; bit < 32; ++bit) {
      const size_t k = 32 * word + bit;
      VF error = hn::ConvertTo(df, hn::Abs(hn::Sub(at(reference, k), at(distorted, k))));
      if (k > 0) {
        const VF hidden = hn::Div(largest, hn::Set(df, tables.masking[k]));
        error = hn::IfThenElse(hn::Lt(error, hidden), hn::Zero(df), hn::Sub(error, hidden));
      }
      const VF weighted = hn::Mul(error, hn::Set(df, tables.sensitivity[k]));
      const VF term = hn::Mul(weighted, weighted);
      hn::Store(term, df, out.values + k * hn::Lanes(df));
      const auto zero = hn::BitCast(du32, hn::VecFromMask(df, hn::Eq(term, hn::Zero(df))));
      present = hn::Or(present, hn::AndNot(zero, hn::Set(du32, std::uint32_t{1} << bit)));
    }
    hn::Store(present, du32, out.present[word]);
  }
}

// Whether the samples under the blocks are the same in both pictures: all their terms are 0 then.
template <class Sample>
bool equal_blocks(const io::Plane<const Sample>& a, const io::Plane<const Sample>& b, int x, int y, size_t blocks) {
  const size_t bytes = (kHvsStep * (blocks - 1) + kHvsBlock) * sizeof(Sample);
  for (int i = 0; i < kHvsBlock; ++i) {
    if (std::memcmp(a.row(y + i) + x, b.row(y + i) + x, bytes) != 0) return false;
  }
  return true;
}

void append_present(const GroupTerms& terms, size_t blocks, HvsBandTerms& out) {
  for (size_t lane = 0; lane < blocks; ++lane) {
    std::uint64_t left = terms.present[0][lane] | std::uint64_t{terms.present[1][lane]} << 32;
    for (; left != 0; left &= left - 1) {
      out.append(terms.values[static_cast<size_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(left)) * hn::Lanes(df) + lane]);
    }
  }
}

template <class Sample>
void band_terms(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out) {
  const auto a = reference.plane<Sample>(plane);
  const auto b = distorted.plane<Sample>(plane);
  const auto all = static_cast<size_t>(hvs_blocks(a.width));
  const int y = kHvsStep * band;
  HWY_ALIGN Group of_a;
  HWY_ALIGN Group of_b;
  GroupTerms terms;
  for (size_t first = 0; first < all; first += hn::Lanes(d32)) {
    const size_t blocks = HWY_MIN(hn::Lanes(d32), all - first);
    const int x = kHvsStep * static_cast<int>(first);
    if (equal_blocks(a, b, x, y, blocks)) continue;
    load_group(a, x, y, blocks, of_a);
    load_group(b, x, y, blocks, of_b);
    group_terms(of_a, of_b, kHvsTables[static_cast<size_t>(plane)], terms);
    append_present(terms, blocks, out);
  }
}

void band_terms_of_any_depth(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out) {
  io::with_sample_type(reference.format(), [&](auto sample) { band_terms<decltype(sample)>(reference, distorted, plane, band, out); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(band_terms_of_any_depth);

void hvs_band_terms(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out) {
  if (simd_mode() == SimdMode::kScalar) return slow_hvs_band_terms(reference, distorted, plane, band, out);
  out.count = 0;
  HWY_DYNAMIC_DISPATCH(band_terms_of_any_depth)(reference, distorted, plane, band, out);
}

}  // namespace vmafbatch::extractors
#endif
