// The vector form of motion_sad: lanes are neighbouring columns, whole rows at a time.
#include <array>
#include <cstdlib>
#include <vector>

#include "base/simd.h"
#include "extractors/mirror.h"
#include "extractors/motion_math.h"
#include "extractors/motion_sad.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/motion_sad_fast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<std::int32_t> d32;
using V32 = hn::Vec<decltype(d32)>;

template <class Sample>
V32 load(const Sample* p) {
  return hn::PromoteTo(d32, hn::LoadU(hn::Rebind<Sample, decltype(d32)>(), p));
}

// earlier - current over one row of n samples.
template <class Sample>
void subtract_rows(const Sample* earlier, const Sample* current, size_t n, std::int32_t* out) {
  size_t x = 0;
  for (; x + hn::Lanes(d32) <= n; x += hn::Lanes(d32)) hn::StoreU(hn::Sub(load(earlier + x), load(current + x)), d32, out + x);
  for (; x < n; ++x) out[x] = std::int32_t{earlier[x]} - std::int32_t{current[x]};
}

// motion_blur with 2^shift as divisor.
template <int kShift>
V32 blur(V32 v0, V32 v1, V32 v2, V32 v3, V32 v4) {
  const V32 outer = hn::Mul(hn::Set(d32, kMotionTapOuter), hn::Add(v0, v4));
  const V32 inner = hn::Mul(hn::Set(d32, kMotionTapInner), hn::Add(v1, v3));
  const V32 centre = hn::Mul(hn::Set(d32, kMotionTapCentre), v2);
  const V32 half = hn::Set(d32, 1 << (kShift - 1));
  if constexpr (kShift == 8) {  // |v| <= 255: the whole sum fits
    return hn::ShiftRight<kShift>(hn::Add(hn::Add(outer, inner), hn::Add(centre, half)));
  }
  const V32 mask = hn::Set(d32, (1 << kShift) - 1);
  const V32 low = hn::Add(hn::Add(hn::And(outer, mask), hn::And(inner, mask)), hn::Add(hn::And(centre, mask), half));
  const V32 high = hn::Add(hn::Add(hn::ShiftRight<kShift>(outer), hn::ShiftRight<kShift>(inner)), hn::ShiftRight<kShift>(centre));
  return hn::Add(high, hn::ShiftRight<kShift>(low));
}

// The vertical pass over five rows of differences. Whether any output is not 0.
template <int kShift>
bool blur_columns(const std::array<const std::int32_t*, 5>& rows, size_t n, std::int32_t* out) {
  V32 seen = hn::Zero(d32);
  size_t x = 0;
  for (; x + hn::Lanes(d32) <= n; x += hn::Lanes(d32)) {
    const auto at = [&](size_t k) { return hn::LoadU(d32, rows[k] + x); };
    const V32 v = blur<kShift>(at(0), at(1), at(2), at(3), at(4));
    seen = hn::Or(seen, v);
    hn::StoreU(v, d32, out + x);
  }
  bool any = !hn::AllTrue(d32, hn::Eq(seen, hn::Zero(d32)));
  for (; x < n; ++x) {
    out[x] = motion_blur(rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x], kShift);
    any = any || out[x] != 0;
  }
  return any;
}

// The sum of magnitudes of the horizontal pass over row[0 .. n-1]; row[-2 .. n+1] can be read.
std::uint64_t sum_blurred_row(const std::int32_t* row, size_t n) {
  V32 magnitudes = hn::Zero(d32);  // of at most 65535 each: unsigned 32-bit lanes hold 65537 of them
  size_t x = 0;
  for (; x + hn::Lanes(d32) <= n; x += hn::Lanes(d32)) {
    const auto at = [&](size_t k) { return hn::LoadU(d32, row + x + k - 2); };
    magnitudes = hn::Add(magnitudes, hn::Abs(blur<kMotionHorizontalShift>(at(0), at(1), at(2), at(3), at(4))));
  }
  HWY_ALIGN std::uint32_t lanes[HWY_MAX_BYTES / sizeof(std::uint32_t)];
  hn::Store(hn::BitCast(hn::RebindToUnsigned<decltype(d32)>(), magnitudes), hn::RebindToUnsigned<decltype(d32)>(), lanes);
  std::uint64_t sum = 0;
  for (size_t i = 0; i < hn::Lanes(d32); ++i) sum += lanes[i];
  for (; x < n; ++x) {
    const std::int32_t* v = row + x;
    sum += static_cast<std::uint64_t>(std::abs(motion_blur(v[-2], v[-1], v[0], v[1], v[2], kMotionHorizontalShift)));
  }
  return sum;
}

void mirror_ends(std::int32_t* row, std::ptrdiff_t n) {
  row[-1] = row[1];
  row[-2] = row[2];
  row[n] = row[n - 2];
  row[n + 1] = row[n - 3];
}

// Rows y-2 .. y+2 of differences live in a ring of five; their mirror images at the borders are rows of the same ring.
template <class Sample, int kShift>
std::uint64_t sad(const io::Plane<const Sample>& earlier, const io::Plane<const Sample>& current) {
  const auto width = static_cast<size_t>(current.width);
  std::vector<std::int32_t> ring(5 * width);
  std::vector<std::int32_t> padded(width + 4);
  std::int32_t* vertical = padded.data() + 2;
  const auto slot = [&](int y) { return ring.data() + static_cast<size_t>(y % 5) * width; };
  std::uint64_t sum = 0;
  int ready = 0;  // rows of differences so far
  for (int y = 0; y < current.height; ++y) {
    for (; ready < current.height && ready <= y + 2; ++ready) subtract_rows(earlier.row(ready), current.row(ready), width, slot(ready));
    std::array<const std::int32_t*, 5> rows;
    for (int k = 0; k < 5; ++k) rows[static_cast<size_t>(k)] = slot(mirror_index(y - 2 + k, current.height));
    if (!blur_columns<kShift>(rows, width, vertical)) continue;  // still parts cost half
    mirror_ends(vertical, current.width);
    sum += sum_blurred_row(vertical, width);
  }
  return sum;
}

std::uint64_t fast_motion_sad(const io::Frame& earlier, const io::Frame& current) {
  using U16 = std::uint16_t;
  switch (current.format().bit_depth) {
    case 8: return sad<std::uint8_t, 8>(earlier.plane<std::uint8_t>(0), current.plane<std::uint8_t>(0));
    case 10: return sad<U16, 10>(earlier.plane<U16>(0), current.plane<U16>(0));
    case 12: return sad<U16, 12>(earlier.plane<U16>(0), current.plane<U16>(0));
    default: return sad<U16, 16>(earlier.plane<U16>(0), current.plane<U16>(0));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(fast_motion_sad);

std::uint64_t motion_sad(const io::Frame& earlier, const io::Frame& current) {
  if (simd_mode() == SimdMode::kScalar) return slow_motion_sad(earlier, current);
  return HWY_DYNAMIC_DISPATCH(fast_motion_sad)(earlier, current);
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
