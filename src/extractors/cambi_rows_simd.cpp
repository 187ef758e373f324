// The vector forms of cambi's row loops: lanes are neighbouring columns, the last ones of a row go the plain way.
#include "extractors/cambi_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/cambi_rows_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U16 = hn::ScalableTag<std::uint16_t>;
using U8 = hn::ScalableTag<std::uint8_t>;
using HalfU8 = hn::Rebind<std::uint8_t, U16>;  // as many bytes as U16 has lanes
using Words = hn::Vec<U16>;

int word_lanes() { return static_cast<int>(hn::Lanes(U16())); }
int byte_lanes() { return static_cast<int>(hn::Lanes(U8())); }

Words load(const std::uint16_t* p) { return hn::LoadU(U16(), p); }
Words load(const std::uint8_t* p) { return hn::PromoteTo(U16(), hn::LoadU(HalfU8(), p)); }

// REQUIRES: v < 256
void store_bytes(Words v, std::uint8_t* p) { hn::StoreU(hn::DemoteTo(HalfU8(), hn::BitCast(hn::RebindToSigned<U16>(), v)), HalfU8(), p); }

template <class Sample>
int ten_bits(const Sample* in, int n, int bit_depth, std::uint16_t* out) {
  int x = 0;
  if (bit_depth <= 10) {
    for (; x + word_lanes() <= n; x += word_lanes()) hn::StoreU(hn::ShiftLeftSame(load(in + x), 10 - bit_depth), U16(), out + x);
    return x;
  }
  // The rounding can carry beyond 16 bits: the bit below the cut is added behind the shift.
  const int shift = bit_depth - 10;
  for (; x + word_lanes() <= n; x += word_lanes()) {
    const Words v = load(in + x);
    const Words half = hn::And(hn::ShiftRightSame(v, shift - 1), hn::Set(U16(), 1));
    hn::StoreU(hn::Add(hn::ShiftRightSame(v, shift), half), U16(), out + x);
  }
  return x;
}
int ten_bits_of_bytes(const std::uint8_t* in, int n, int bit_depth, std::uint16_t* out) { return ten_bits(in, n, bit_depth, out); }
int ten_bits_of_words(const std::uint16_t* in, int n, int bit_depth, std::uint16_t* out) { return ten_bits(in, n, bit_depth, out); }

int mean_in_place(std::uint16_t* row, const std::uint16_t* below, int n) {
  int x = 0;
  for (; x + word_lanes() <= n; x += word_lanes()) {
    const Words sum = hn::Add(hn::Add(load(row + x), load(row + x + 1)), hn::Add(load(below + x), load(below + x + 1)));
    hn::StoreU(hn::ShiftRight<2>(sum), U16(), row + x);
  }
  return x;
}

int flat(const std::uint16_t* row, const std::uint16_t* below, int n, std::uint8_t* out) {
  int x = 0;
  for (; x + word_lanes() <= n; x += word_lanes()) {
    const Words v = load(row + x);
    const auto equal = hn::And(hn::Eq(v, load(row + x + 1)), hn::Eq(v, load(below + x)));
    store_bytes(hn::IfThenElseZero(equal, hn::Set(U16(), 1)), out + x);
  }
  return x;
}

int move_counts(const std::uint8_t* entering, const std::uint8_t* leaving, int n, std::uint8_t* counts) {
  const U8 d;
  int x = 0;
  for (; x + byte_lanes() <= n; x += byte_lanes()) {
    const auto more = hn::Add(hn::LoadU(d, counts + x), hn::LoadU(d, entering + x));
    hn::StoreU(hn::Sub(more, hn::LoadU(d, leaving + x)), d, counts + x);
  }
  return x;
}

int mask(const std::uint8_t* counts, int n, int threshold, std::uint8_t* out) {
  const U8 d;
  // At most 49: as signed bytes too.
  const hn::RebindToSigned<U8> s;
  const auto limit = hn::Set(s, static_cast<std::int8_t>(threshold));
  int x = 0;
  for (; x + byte_lanes() <= n; x += byte_lanes()) {
    auto count = hn::LoadU(d, counts + x - 3);
    for (int u = -2; u <= 3; ++u) count = hn::Add(count, hn::LoadU(d, counts + x + u));
    const auto more = hn::VecFromMask(s, hn::Gt(hn::BitCast(s, count), limit));
    hn::StoreU(hn::And(hn::BitCast(d, more), hn::Set(d, 1)), d, out + x);
  }
  return x;
}

int mode(const std::uint16_t* a, const std::uint16_t* b, const std::uint16_t* c, int n, std::uint16_t* out) {
  int x = 0;
  for (; x + word_lanes() <= n; x += word_lanes()) {
    const Words va = load(a + x);
    const Words vb = load(b + x);
    const Words vc = load(c + x);
    const Words without_a = hn::IfThenElse(hn::Eq(vb, vc), vb, hn::Min(hn::Min(va, vb), vc));
    hn::StoreU(hn::IfThenElse(hn::Or(hn::Eq(va, vb), hn::Eq(va, vc)), va, without_a), U16(), out + x);
  }
  return x;
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {

HWY_EXPORT(ten_bits_of_bytes);
HWY_EXPORT(ten_bits_of_words);
HWY_EXPORT(mean_in_place);
HWY_EXPORT(flat);
HWY_EXPORT(move_counts);
HWY_EXPORT(mask);
HWY_EXPORT(mode);

const CambiRows& fast_cambi_rows() {
  // Each vector loop says how far it came.
  static constexpr CambiRows kRows = {
      [](const std::uint8_t* in, int n, int bit_depth, std::uint16_t* out) {
        const int x = HWY_DYNAMIC_DISPATCH(ten_bits_of_bytes)(in, n, bit_depth, out);
        slow_cambi_rows().ten_bits_of_bytes(in + x, n - x, bit_depth, out + x);
      },
      [](const std::uint16_t* in, int n, int bit_depth, std::uint16_t* out) {
        const int x = HWY_DYNAMIC_DISPATCH(ten_bits_of_words)(in, n, bit_depth, out);
        slow_cambi_rows().ten_bits_of_words(in + x, n - x, bit_depth, out + x);
      },
      [](std::uint16_t* row, const std::uint16_t* below, int n) {
        const int x = HWY_DYNAMIC_DISPATCH(mean_in_place)(row, below, n);
        slow_cambi_rows().mean_in_place(row + x, below + x, n - x);
      },
      [](const std::uint16_t* row, const std::uint16_t* below, int n, std::uint8_t* out) {
        const int x = HWY_DYNAMIC_DISPATCH(flat)(row, below, n, out);
        slow_cambi_rows().flat(row + x, below + x, n - x, out + x);
      },
      [](const std::uint8_t* entering, const std::uint8_t* leaving, int n, std::uint8_t* counts) {
        const int x = HWY_DYNAMIC_DISPATCH(move_counts)(entering, leaving, n, counts);
        slow_cambi_rows().move_counts(entering + x, leaving + x, n - x, counts + x);
      },
      [](const std::uint8_t* counts, int n, int threshold, std::uint8_t* out) {
        const int x = HWY_DYNAMIC_DISPATCH(mask)(counts, n, threshold, out);
        slow_cambi_rows().mask(counts + x, n - x, threshold, out + x);
      },
      [](const std::uint16_t* a, const std::uint16_t* b, const std::uint16_t* c, int n, std::uint16_t* out) {
        const int x = HWY_DYNAMIC_DISPATCH(mode)(a, b, c, n, out);
        slow_cambi_rows().mode(a + x, b + x, c + x, n - x, out + x);
      },
  };
  return kRows;
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
