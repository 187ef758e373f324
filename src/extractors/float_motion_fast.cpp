// The vector forms of float_motion's planes and sums. Lanes are neighbouring columns, or rows where a row's sum has an order.
#include <array>
#include <vector>

#include "base/simd.h"
#include "extractors/float_motion_math.h"
#include "extractors/float_motion_planes.h"
#include "extractors/mirror.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_motion_fast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> df;
using V = hn::Vec<decltype(df)>;

// sum + tap * v, both rounded.
V add_product(V sum, float tap, V v) { return hn::Add(sum, hn::Mul(hn::Set(df, tap), v)); }

// float_motion_blur5 or 3 for n columns; tap k reads taps[k][x].
void blur_row(const std::array<const float*, 5>& taps, int count, size_t n, float* out) {
  size_t x = 0;
  for (; x + hn::Lanes(df) <= n; x += hn::Lanes(df)) {
    const auto at = [&](size_t k) { return hn::LoadU(df, taps[k] + x); };
    V sum = hn::Zero(df);
    if (count == 3) {
      sum = add_product(sum, kMotionFloatTap3Outer, at(0));
      sum = add_product(sum, kMotionFloatTap3Centre, at(1));
      sum = add_product(sum, kMotionFloatTap3Outer, at(2));
    } else {
      sum = add_product(sum, kMotionFloatTap5Outer, at(0));
      sum = add_product(sum, kMotionFloatTap5Inner, at(1));
      sum = add_product(sum, kMotionFloatTap5Centre, at(2));
      sum = add_product(sum, kMotionFloatTap5Inner, at(3));
      sum = add_product(sum, kMotionFloatTap5Outer, at(4));
    }
    hn::StoreU(sum, df, out + x);
  }
  for (; x < n; ++x) {
    out[x] = count == 3 ? float_motion_blur3(taps[0][x], taps[1][x], taps[2][x])
                        : float_motion_blur5(taps[0][x], taps[1][x], taps[2][x], taps[3][x], taps[4][x]);
  }
}

void blur_plane(const io::Plane<const float>& in, int count, const io::Plane<float>& out) {
  const int reach = count / 2;
  const auto width = static_cast<size_t>(in.width);
  std::vector<float> padded(width + 2 * static_cast<size_t>(reach));
  float* vertical = padded.data() + reach;
  std::array<const float*, 5> taps{};
  for (int y = 0; y < in.height; ++y) {
    for (int k = 0; k < count; ++k) taps[static_cast<size_t>(k)] = in.row(mirror_index(y - reach + k, in.height));
    blur_row(taps, count, width, vertical);
    for (int i = 1; i <= reach; ++i) {
      vertical[-i] = vertical[mirror_index(-i, in.width)];
      vertical[in.width - 1 + i] = vertical[mirror_index(in.width - 1 + i, in.width)];
    }
    for (int k = 0; k < count; ++k) taps[static_cast<size_t>(k)] = vertical - reach + k;
    blur_row(taps, count, width, out.row(y));
  }
}

// Half size of even rows: every weight is 1/4 exactly, n outputs.
void half_row(const float* top, const float* bottom, size_t n, float* out) {
  const V quarter = hn::Set(df, 0.25f);
  size_t x = 0;
  for (; x + hn::Lanes(df) <= n; x += hn::Lanes(df)) {
    V top_left, top_right, bottom_left, bottom_right;
    hn::LoadInterleaved2(df, top + 2 * x, top_left, top_right);
    hn::LoadInterleaved2(df, bottom + 2 * x, bottom_left, bottom_right);
    const V upper = hn::Add(hn::Mul(quarter, top_left), hn::Mul(quarter, top_right));
    const V sum = hn::Add(hn::Add(upper, hn::Mul(quarter, bottom_left)), hn::Mul(quarter, bottom_right));
    hn::StoreU(sum, df, out + x);
  }
  for (; x < n; ++x) out[x] = float_motion_bilinear(top[2 * x], top[2 * x + 1], bottom[2 * x], bottom[2 * x + 1], 0.5f, 0.5f);
}

void half_plane(const io::Plane<const float>& in, const io::Plane<float>& out) {
  for (int y = 0; y < out.height; ++y) half_row(in.row(2 * y), in.row(2 * y + 1), static_cast<size_t>(out.width), out.row(y));
}

// sums[r] = the row sum of |a - b| in row y + r, from left to right. Needs vectors of four floats.
constexpr int kRowsPerGroup = 4;
#if HWY_TARGET != HWY_SCALAR
const hn::CappedTag<float, kRowsPerGroup> df4;
using V4 = hn::Vec<decltype(df4)>;

// Adds columns x .. x+3 of four rows: a 4x4 transposition gives each row a lane.
V4 add_columns(const io::Plane<const float>& a, const io::Plane<const float>& b, int y, int x, V4 sums) {
  const hn::Repartition<double, decltype(df4)> pairs;
  const auto difference = [&](int r) { return hn::Abs(hn::Sub(hn::LoadU(df4, a.row(y + r) + x), hn::LoadU(df4, b.row(y + r) + x))); };
  const V4 r0 = difference(0), r1 = difference(1), r2 = difference(2), r3 = difference(3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(df4, r0, r1)), high01 = hn::BitCast(pairs, hn::InterleaveUpper(df4, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(df4, r2, r3)), high23 = hn::BitCast(pairs, hn::InterleaveUpper(df4, r2, r3));
  sums = hn::Add(sums, hn::BitCast(df4, hn::InterleaveLower(pairs, low01, low23)));
  sums = hn::Add(sums, hn::BitCast(df4, hn::InterleaveUpper(pairs, low01, low23)));
  sums = hn::Add(sums, hn::BitCast(df4, hn::InterleaveLower(pairs, high01, high23)));
  return hn::Add(sums, hn::BitCast(df4, hn::InterleaveUpper(pairs, high01, high23)));
}

// kGroups independent chains hide the latency of the additions.
template <int kGroups>
void sum_rows(const io::Plane<const float>& a, const io::Plane<const float>& b, int y, float* sums) {
  V4 lanes[kGroups];
  for (V4& group : lanes) group = hn::Zero(df4);
  int x = 0;
  for (; x + kRowsPerGroup <= a.width; x += kRowsPerGroup) {
    for (int g = 0; g < kGroups; ++g) lanes[g] = add_columns(a, b, y + g * kRowsPerGroup, x, lanes[g]);
  }
  for (int g = 0; g < kGroups; ++g) hn::StoreU(lanes[g], df4, sums + g * kRowsPerGroup);
  for (; x < a.width; ++x) {
    for (int r = 0; r < kGroups * kRowsPerGroup; ++r) sums[r] += float_motion_difference(a.row(y + r)[x], b.row(y + r)[x]);
  }
}
#else
template <int kGroups>
void sum_rows(const io::Plane<const float>& a, const io::Plane<const float>& b, int y, float* sums) {
  for (int r = 0; r < kGroups * kRowsPerGroup; ++r) {
    sums[r] = 0.0f;
    for (int x = 0; x < a.width; ++x) sums[r] += float_motion_difference(a.row(y + r)[x], b.row(y + r)[x]);
  }
}
#endif

// sums: one for each row.
void sum_all_rows(const io::Plane<const float>& a, const io::Plane<const float>& b, float* sums) {
  constexpr int kGroups = 2;  // measured at 1920x1080: more rows at once are more streams than the caches follow
  constexpr int kBlock = kGroups * kRowsPerGroup;
  int y = 0;
  for (; y + kBlock <= a.height; y += kBlock) sum_rows<kGroups>(a, b, y, sums + y);
  for (; y + kRowsPerGroup <= a.height; y += kRowsPerGroup) sum_rows<1>(a, b, y, sums + y);
  for (; y < a.height; ++y) {
    sums[y] = 0.0f;
    for (int x = 0; x < a.width; ++x) sums[y] += float_motion_difference(a.row(y)[x], b.row(y)[x]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(blur_plane);
HWY_EXPORT(half_plane);
HWY_EXPORT(sum_all_rows);

FloatPlane float_motion_blur(const io::Plane<const float>& plane, int taps) {
  if (simd_mode() == SimdMode::kScalar) return slow_float_motion_blur(plane, taps);
  FloatPlane result(plane.width, plane.height);
  HWY_DYNAMIC_DISPATCH(blur_plane)(plane, taps, result.view());
  return result;
}

FloatPlane float_motion_half(const io::Plane<const float>& plane) {
  const bool odd = plane.width % 2 != 0 || plane.height % 2 != 0;  // weights then differ from sample to sample
  if (odd || simd_mode() == SimdMode::kScalar) return slow_float_motion_half(plane);
  FloatPlane result(plane.width / 2, plane.height / 2);
  HWY_DYNAMIC_DISPATCH(half_plane)(plane, result.view());
  return result;
}

float mean_absolute_difference(const io::Plane<const float>& a, const io::Plane<const float>& b) {
  if (simd_mode() == SimdMode::kScalar) return slow_mean_absolute_difference(a, b);
  std::vector<float> sums(static_cast<size_t>(a.height));
  HWY_DYNAMIC_DISPATCH(sum_all_rows)(a, b, sums.data());
  return mean_of_row_sums(sums, a.width);
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
