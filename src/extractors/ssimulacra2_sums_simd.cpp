// The fast form of channel_sums, compiled once per instruction set. No sum crosses a lane: the blur runs many lines side by side, and the
// terms of a row are added one by one in raster order.
#include "extractors/ssimulacra2_sums_simd.h"

#include <algorithm>
#include <array>

#include "base/simd.h"
#include "extractors/ssimulacra2_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/ssimulacra2_sums_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once per instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::ssimulacra2 {
namespace HWY_NAMESPACE {

// Without vectors that Highway knows, or with vectors whose length the compiler does not know: turning blocks of 4x4 needs it.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE

ChannelSums SumChannel(io::Plane<const float> reference, io::Plane<const float> distorted) {
  return slow_channel_sums(reference, distorted);
}

size_t ScratchBytes(int width, int height) { return slow_channel_sums_bytes(width, height); }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kLanes = std::min(BlurWorkspace::kMostLanes, static_cast<int>(HWY_LANES(float)));
constexpr int kStep = BlurWorkspace::kStep;
constexpr int kMostLanes = BlurWorkspace::kMostLanes;
using Tag = hn::FixedTag<float, kLanes>;
using HalfTag = hn::Half<Tag>;
using WideTag = hn::Rebind<double, HalfTag>;
using Vector = hn::Vec<Tag>;
using WideVector = hn::Vec<WideTag>;

template <class D>
constexpr size_t kLanesOf = hn::MaxLanes(D());

// A vector of blocks of four columns, block b from rows[4 * b].
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const float* const* rows, int x) {
  if constexpr (kLanesOf<D> == 4) {
    return hn::LoadU(d, rows[0] + x);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, rows + kLanesOf<D> / 2, x), load_blocks(half, rows, x));
  }
}

template <class D>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, float* const* rows, int x) {
  if constexpr (kLanesOf<D> == 4) {
    hn::StoreU(v, d, rows[0] + x);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), rows, x);
    store_blocks(half, hn::UpperHalf(half, v), rows + kLanesOf<D> / 2, x);
  }
}

// Turns 4x4 blocks: lane k of block b of the result i is lane i of block b of v[k].
HWY_INLINE void turn(Vector v[kStep]) {
  const Tag d;
  const Vector low02 = hn::InterleaveLower(d, v[0], v[2]);
  const Vector low13 = hn::InterleaveLower(d, v[1], v[3]);
  const Vector high02 = hn::InterleaveUpper(d, v[0], v[2]);
  const Vector high13 = hn::InterleaveUpper(d, v[1], v[3]);
  v[0] = hn::InterleaveLower(d, low02, low13);
  v[1] = hn::InterleaveUpper(d, low02, low13);
  v[2] = hn::InterleaveLower(d, high02, high13);
  v[3] = hn::InterleaveUpper(d, high02, high13);
}

struct VectorState {
  Vector last0, last1, last2, before0, before1, before2;
};

HWY_INLINE VectorState zero_state() {
  const Vector zero = hn::Zero(Tag());
  return {zero, zero, zero, zero, zero, zero};
}

template <size_t k>
HWY_INLINE void recur(Vector sum, Vector& last, Vector& before) {
  const Tag d;
  const Vector given = hn::Mul(hn::Set(d, kBlurInput[k]), sum);
  const Vector output = hn::Sub(hn::Sub(given, hn::Mul(hn::Set(d, kBlurFeedback[k]), last)), before);
  before = last;
  last = output;
}

// blur_step(), lane by lane.
HWY_INLINE Vector step(Vector behind, Vector ahead, VectorState& state) {
  const Vector sum = hn::Add(behind, ahead);
  recur<0>(sum, state.last0, state.before0);
  recur<1>(sum, state.last1, state.before1);
  recur<2>(sum, state.last2, state.before2);
  return hn::Add(hn::Add(state.last0, state.last1), state.last2);
}

// Rows top .. top + kLanes - 1 of one picture with lanes = rows; rows below the picture repeat the last one.
void turn_band(io::Plane<const float> in, int top, float* out) {
  const Tag d;
  std::array<const float*, kLanes> rows{};
  for (int i = 0; i < kLanes; ++i) rows[static_cast<size_t>(i)] = in.row(std::min(top + i, in.height - 1));
  for (int x = 0; x < in.width; x += kStep) {
    Vector v[kStep];
    for (int k = 0; k < kStep; ++k) v[k] = load_blocks(d, rows.data() + k, x);
    turn(v);
    for (int k = 0; k < kStep; ++k) hn::StoreU(v[k], d, out + (x + k) * kMostLanes);
  }
  for (int n = in.width; n < in.width + kBlurAhead + kStep; ++n) hn::StoreU(hn::Zero(d), d, out + n * kMostLanes);
}

// The planes of one call of blur_band, from the samples of both pictures at one position.
struct Means {
  static constexpr int kFirst = 0;
  static constexpr int kCount = 2;
  HWY_INLINE static void make(Vector a, Vector b, Vector* out) {
    out[0] = a;
    out[1] = b;
  }
};
struct Products {
  static constexpr int kFirst = 2;
  static constexpr int kCount = 3;
  HWY_INLINE static void make(Vector a, Vector b, Vector* out) {
    out[0] = hn::Mul(a, a);
    out[1] = hn::Mul(b, b);
    out[2] = hn::Mul(a, b);
  }
};

// The pass along the rows of a band, of some of the planes: few enough that their states stay in registers.
template <class Inputs>
void blur_band(BlurWorkspace& work, int top, int width) {
  const Tag d;
  constexpr int kCount = Inputs::kCount;
  std::array<float*, static_cast<size_t>(kCount * kLanes)> rows{};
  for (int p = 0; p < kCount; ++p) {
    for (int i = 0; i < kLanes; ++i) rows[static_cast<size_t>(p * kLanes + i)] = work.along_row(Inputs::kFirst + p, top + i);
  }
  const float* const turned0 = work.turned(0);
  const float* const turned1 = work.turned(1);
  VectorState states[kCount];
  for (VectorState& state : states) state = zero_state();
  for (int n = -kBlurLead; n < width; n += kStep) {
    Vector out[kCount][kStep];
#pragma GCC unroll 4
    for (int k = 0; k < kStep; ++k) {
      const int behind_at = (n + k - kBlurBehind) * kMostLanes;
      const int ahead_at = (n + k + kBlurAhead) * kMostLanes;
      Vector behind[kCount];
      Vector ahead[kCount];
      Inputs::make(hn::LoadU(d, turned0 + behind_at), hn::LoadU(d, turned1 + behind_at), behind);
      Inputs::make(hn::LoadU(d, turned0 + ahead_at), hn::LoadU(d, turned1 + ahead_at), ahead);
#pragma GCC unroll 3
      for (int p = 0; p < kCount; ++p) out[p][k] = step(behind[p], ahead[p], states[p]);
    }
    if (n < 0) continue;
#pragma GCC unroll 3
    for (int p = 0; p < kCount; ++p) {
      turn(out[p]);
#pragma GCC unroll 4
      for (int k = 0; k < kStep; ++k) store_blocks(d, out[p][k], rows.data() + p * kLanes + k, n);
    }
  }
}

// The pass down the columns: outputs y .. y + kStep - 1 of one plane.
void blur_step_of_rows(BlurWorkspace& work, int plane, int y, int width, int height) {
  const Tag d;
  std::array<const float*, kStep> behind{};
  std::array<const float*, kStep> ahead{};
  for (int i = 0; i < kStep; ++i) {
    const int first = y + i - kBlurBehind;
    const int second = y + i + kBlurAhead;
    behind[static_cast<size_t>(i)] = first >= 0 ? work.along_row(plane, first) : work.zeros();
    ahead[static_cast<size_t>(i)] = second < height ? work.along_row(plane, second) : work.zeros();
  }
  std::array<float*, BlurWorkspace::kStateRows> kept{};
  for (int i = 0; i < BlurWorkspace::kStateRows; ++i) kept[static_cast<size_t>(i)] = work.state(plane, i);
  float* const out = work.blurred(plane, 0);
  const ptrdiff_t pitch = work.blurred(plane, 1) - out;
  for (int x = 0; x < width; x += kLanes) {
    VectorState state{hn::LoadU(d, kept[0] + x), hn::LoadU(d, kept[1] + x), hn::LoadU(d, kept[2] + x),
                      hn::LoadU(d, kept[3] + x), hn::LoadU(d, kept[4] + x), hn::LoadU(d, kept[5] + x)};
#pragma GCC unroll 4
    for (size_t i = 0; i < static_cast<size_t>(kStep); ++i) {
      const Vector value = step(hn::LoadU(d, behind[i] + x), hn::LoadU(d, ahead[i] + x), state);
      hn::StoreU(value, d, out + static_cast<ptrdiff_t>(i) * pitch + x);
    }
    hn::StoreU(state.last0, d, kept[0] + x);
    hn::StoreU(state.last1, d, kept[1] + x);
    hn::StoreU(state.last2, d, kept[2] + x);
    hn::StoreU(state.before0, d, kept[3] + x);
    hn::StoreU(state.before1, d, kept[4] + x);
    hn::StoreU(state.before2, d, kept[5] + x);
  }
}

// The terms of some positions of one row, before they are added.
constexpr int kChunk = 64;
struct TermChunk {
  alignas(64) double term[kSums][kChunk];
};

HWY_INLINE WideVector fourth_power_of(WideVector x) { return hn::Mul(hn::Mul(x, x), hn::Mul(x, x)); }

HWY_INLINE void store_with_power(WideVector value, size_t index, int at, TermChunk& out) {
  const WideTag wide;
  hn::Store(value, wide, out.term[index] + at);
  hn::Store(fourth_power_of(value), wide, out.term[index + 1] + at);
}

// map_terms() behind its float part, lane by lane.
HWY_INLINE void store_terms(WideVector luminance, WideVector numerator, WideVector denominator, WideVector edge1, WideVector edge2, int at,
                            TermChunk& out) {
  const WideTag wide;
  const WideVector zero = hn::Zero(wide);
  const WideVector one = hn::Set(wide, 1.0);
  const WideVector error = hn::Sub(one, hn::Div(hn::Mul(luminance, numerator), denominator));
  store_with_power(hn::IfThenElse(hn::Lt(error, zero), zero, error), 0, at, out);
  const WideVector change = hn::Sub(hn::Div(hn::Add(one, hn::Abs(edge2)), hn::Add(one, hn::Abs(edge1))), one);
  store_with_power(hn::IfThenElseZero(hn::Gt(change, zero), change), 2, at, out);
  store_with_power(hn::IfThenElseZero(hn::Lt(change, zero), hn::Neg(change)), 4, at, out);
}

HWY_INLINE WideVector low(Vector v) { return hn::PromoteTo(WideTag(), hn::LowerHalf(HalfTag(), v)); }
HWY_INLINE WideVector high(Vector v) { return hn::PromoteTo(WideTag(), hn::UpperHalf(HalfTag(), v)); }

// One row of MapInput.
struct MapRow {
  const float *reference, *distorted, *mean1, *mean2, *square1, *square2, *product;
};

HWY_INLINE void make_terms(const MapRow& row, int x, int at, TermChunk& out) {
  const Tag d;
  const Vector a = hn::LoadU(d, row.reference + x);
  const Vector b = hn::LoadU(d, row.distorted + x);
  const Vector u = hn::LoadU(d, row.mean1 + x);
  const Vector v = hn::LoadU(d, row.mean2 + x);
  const Vector constant = hn::Set(d, kStructureConstant);
  const Vector difference = hn::Sub(u, v);
  const Vector luminance = hn::Sub(hn::Set(d, 1.0f), hn::Mul(difference, difference));
  const Vector covariance = hn::Sub(hn::LoadU(d, row.product + x), hn::Mul(u, v));
  const Vector numerator = hn::Add(hn::Mul(hn::Set(d, 2.0f), covariance), constant);
  const Vector variance1 = hn::Sub(hn::LoadU(d, row.square1 + x), hn::Mul(u, u));
  const Vector variance2 = hn::Sub(hn::LoadU(d, row.square2 + x), hn::Mul(v, v));
  const Vector denominator = hn::Add(hn::Add(variance1, variance2), constant);
  store_terms(low(luminance), low(numerator), low(denominator), hn::Sub(low(a), low(u)), hn::Sub(low(b), low(v)), at, out);
  store_terms(high(luminance), high(numerator), high(denominator), hn::Sub(high(a), high(u)), hn::Sub(high(b), high(v)), at + kLanes / 2,
              out);
}

// Six independent chains of additions, each strictly from left to right.
HWY_INLINE void add_terms(const TermChunk& chunk, int count, ChannelSums& sums) {
  ChannelSums now = sums;
  for (int i = 0; i < count; ++i) {
#pragma GCC unroll 6
    for (size_t s = 0; s < kSums; ++s) now[s] = now[s] + chunk.term[s][i];
  }
  sums = now;
}

void add_row(const MapRow& row, int width, ChannelSums& sums) {
  TermChunk chunk;
  for (int first = 0; first < width; first += kChunk) {
    const int count = std::min(kChunk, width - first);
    for (int i = 0; i < count; i += kLanes) make_terms(row, first + i, i, chunk);
    add_terms(chunk, count, sums);
  }
}

ChannelSums SumChannel(io::Plane<const float> reference, io::Plane<const float> distorted) {
  const int width = reference.width;
  const int height = reference.height;
  BlurWorkspace work(width);
  ChannelSums sums{};
  int top = 0;  // of the next band
  for (int y = -kBlurLead; y < height; y += kStep) {
    while (top < height && top < y + kStep + kBlurAhead) {
      turn_band(reference, top, work.turned(0));
      turn_band(distorted, top, work.turned(1));
      blur_band<Means>(work, top, width);
      blur_band<Products>(work, top, width);
      top += kLanes;
    }
    for (int plane = 0; plane < kBlurred; ++plane) blur_step_of_rows(work, plane, y, width, height);
    for (int i = 0; i < kStep; ++i) {
      if (y + i < 0 || y + i >= height) continue;
      add_row({reference.row(y + i), distorted.row(y + i), work.blurred(0, i), work.blurred(1, i), work.blurred(2, i), work.blurred(3, i),
               work.blurred(4, i)},
              width, sums);
    }
  }
  return sums;
}

size_t ScratchBytes(int width, int /*height*/) { return BlurWorkspace::bytes_of(width); }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors::ssimulacra2
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors::ssimulacra2 {

HWY_EXPORT(SumChannel);
HWY_EXPORT(ScratchBytes);

ChannelSums channel_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  if (simd_mode() == SimdMode::kScalar) return slow_channel_sums(reference, distorted);
  return HWY_DYNAMIC_DISPATCH(SumChannel)(reference, distorted);
}

size_t channel_sums_bytes(int width, int height) {
  if (simd_mode() == SimdMode::kScalar) return slow_channel_sums_bytes(width, height);
  return HWY_DYNAMIC_DISPATCH(ScratchBytes)(width, height);
}

}  // namespace vmafbatch::extractors::ssimulacra2
#endif
