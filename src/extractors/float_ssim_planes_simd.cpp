// The fast paths of the two filters that make smaller planes: the box of float_ssim and the low-pass of float_ms_ssim.
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "extractors/float_ms_ssim_pyramid.h"
#include "extractors/float_ssim_decimation.h"
#include "extractors/float_ssim_simd.h"
#include "extractors/mirror.h"
#include "extractors/padded_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_ssim_planes_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

#ifndef VMAFBATCH_FLOAT_SSIM_PLANES  // once for all targets
#define VMAFBATCH_FLOAT_SSIM_PLANES
namespace vmafbatch::extractors {
namespace {

// Tap 9i + j of the low-pass.
constexpr std::array<float, kLowPassTaps * kLowPassTaps> low_pass_taps() {
  std::array<float, kLowPassTaps * kLowPassTaps> taps{};
  for (int i = 0; i < kLowPassTaps; ++i) {
    for (int j = 0; j < kLowPassTaps; ++j) taps[static_cast<size_t>(kLowPassTaps * i + j)] = low_pass_tap(i, j);
  }
  return taps;
}
constexpr std::array kTaps = low_pass_taps();

// The samples of one row that stand under even and under odd taps: under tap j of output x lies even[x + j/2] or odd[x + (j-1)/2].
struct SplitRow {
  explicit SplitRow(int outputs) : even(outputs), odd(outputs) {}
  PaddedRow<float> even, odd;
};
// Rows of a low-pass output with the reflected ones, rounded up to a power of two.
constexpr size_t kRing = 16;

template <size_t... kIndex>
std::array<SplitRow, kRing> make_ring(int outputs, std::index_sequence<kIndex...>) {
  return {((void)kIndex, SplitRow(outputs))...};
}

}  // namespace
}  // namespace vmafbatch::extractors
#endif

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// As many floats as doubles: products are rounded in the one and added in the other.
using Doubles = hn::CappedTag<double, 8>;
using Floats = hn::Rebind<float, Doubles>;

// The columns of a row of boxes, added up: columns[x] is that of sample x. `scale`: from a sample to the 8-bit scale, a power of two, so
// that the product equals the quotient of the plain twin.
template <class Sample>
void add_box_rows(io::Plane<const Sample> in, float scale, int factor, int y, double* columns) {
  const Floats d;
  const Doubles dd;
  const hn::Rebind<std::int32_t, Doubles> integers;
  const hn::Rebind<Sample, Doubles> narrow;
  const auto unit = hn::Set(d, scale);
  const auto weight = hn::Set(d, 1.0f / static_cast<float>(factor * factor));
  std::array<const Sample*, kLargestFastFactor> rows{};
  const int first = y * factor - factor / 2;
  for (int v = 0; v < factor; ++v) rows[static_cast<size_t>(v)] = in.row(symmetric_index(first + v, in.height));
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < in.width; x += lanes) {
    auto sum = hn::Zero(dd);
    for (int v = 0; v < factor; ++v) {
      const auto sample = hn::ConvertTo(d, hn::PromoteTo(integers, hn::LoadU(narrow, rows[static_cast<size_t>(v)] + x)));
      sum = hn::Add(sum, hn::PromoteTo(dd, hn::Mul(hn::Mul(sample, unit), weight)));
    }
    hn::StoreU(sum, dd, columns + x);
  }
}

template <class Sample>
void decimate_samples(io::Plane<const Sample> in, float scale, int factor, io::Plane<float> out) {
  const int left = factor / 2;
  const int padded = std::max(out.width * factor, left + in.width);
  std::vector<double> columns(static_cast<size_t>(padded) + hn::Lanes(Doubles()));
  double* inside = columns.data() + left;
  for (int y = 0; y < out.height; ++y) {
    add_box_rows(in, scale, factor, y, inside);
    for (int x = -left; x < 0; ++x) inside[x] = inside[symmetric_index(x, in.width)];
    for (int x = in.width; x < padded - left; ++x) inside[x] = inside[symmetric_index(x, in.width)];
    const double* box = columns.data();
    for (int x = 0; x < out.width; ++x, box += factor) {
      double sum = box[0];
      for (int u = 1; u < factor; ++u) sum += box[u];
      out.row(y)[x] = static_cast<float>(sum);
    }
  }
}

void decimate_plane(const io::Frame& frame, int plane, int factor, io::Plane<float> out) {
  const float scale = 1.0f / static_cast<float>(1 << (frame.format().bit_depth - 8));
  io::with_sample_type(frame.format(), [&](auto sample) { decimate_samples(frame.plane<decltype(sample)>(plane), scale, factor, out); });
}

// Splits one row: even[i] is sample 2i - 4, odd[i] sample 2i - 3, reflected at the border.
void split_row(const float* in, int width, int outputs, SplitRow& out) {
  const hn::ScalableTag<float> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int count = outputs + kLowPassRadius;
  const auto sample = [&](int i) { return in[symmetric_index(i, width)]; };
  int i = 0;
  for (; i < kLowPassRadius / 2; ++i) {
    out.even.data()[i] = sample(2 * i - kLowPassRadius);
    out.odd.data()[i] = sample(2 * i + 1 - kLowPassRadius);
  }
  for (; 2 * (i + lanes) - kLowPassRadius <= width && i + lanes <= count; i += lanes) {
    hn::Vec<decltype(d)> even;
    hn::Vec<decltype(d)> odd;
    hn::LoadInterleaved2(d, in + 2 * i - kLowPassRadius, even, odd);
    hn::StoreU(even, d, out.even.data() + i);
    hn::StoreU(odd, d, out.odd.data() + i);
  }
  for (; i < count; ++i) {
    out.even.data()[i] = sample(2 * i - kLowPassRadius);
    if (i + 1 < count) out.odd.data()[i] = sample(2 * i + 1 - kLowPassRadius);  // tap 9 does not exist
  }
}

// Four vectors of outputs at once: one chain of additions waits for itself.
void low_pass_row(const std::array<const SplitRow*, kLowPassTaps>& rows, int width, float* out) {
  const Floats d;
  const Doubles dd;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += 4 * lanes) {
    auto a = hn::Zero(dd);
    auto b = hn::Zero(dd);
    auto c = hn::Zero(dd);
    auto e = hn::Zero(dd);
    const float* tap_at = kTaps.data();
    for (const SplitRow* row : rows) {
      for (int j = 0; j < kLowPassTaps; ++j, ++tap_at) {
        const auto tap = hn::Set(d, *tap_at);
        const float* in = (j % 2 == 0 ? row->even.data() : row->odd.data()) + j / 2 + x;
        a = hn::Add(a, hn::PromoteTo(dd, hn::Mul(hn::LoadU(d, in), tap)));
        b = hn::Add(b, hn::PromoteTo(dd, hn::Mul(hn::LoadU(d, in + lanes), tap)));
        c = hn::Add(c, hn::PromoteTo(dd, hn::Mul(hn::LoadU(d, in + 2 * lanes), tap)));
        e = hn::Add(e, hn::PromoteTo(dd, hn::Mul(hn::LoadU(d, in + 3 * lanes), tap)));
      }
    }
    hn::StoreU(hn::DemoteTo(d, a), d, out + x);
    if (x + lanes < width) hn::StoreU(hn::DemoteTo(d, b), d, out + x + lanes);
    if (x + 2 * lanes < width) hn::StoreU(hn::DemoteTo(d, c), d, out + x + 2 * lanes);
    if (x + 3 * lanes < width) hn::StoreU(hn::DemoteTo(d, e), d, out + x + 3 * lanes);
  }
}

void low_pass_plane(io::Plane<const float> in, io::Plane<float> out) {
  // Row y of the input at y mod 16; four vectors of outputs read up to 31 samples beyond the last.
  std::array<SplitRow, kRing> ring = make_ring(out.width + kLowPassRadius, std::make_index_sequence<kRing>());
  int split = 0;
  for (int y = 0; y < out.height; ++y) {
    for (; split < std::min(in.height, 2 * y + kLowPassRadius + 1); ++split) {
      split_row(in.row(split), in.width, out.width, ring[static_cast<size_t>(split) % kRing]);
    }
    std::array<const SplitRow*, kLowPassTaps> rows{};
    for (int i = 0; i < kLowPassTaps; ++i) {
      const int row = symmetric_index(2 * y + i - kLowPassRadius, in.height);
      rows[static_cast<size_t>(i)] = &ring[static_cast<size_t>(row) % kRing];
    }
    low_pass_row(rows, out.width, out.row(y));
  }
}

}  // namespace
}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(decimate_plane);
HWY_EXPORT(low_pass_plane);

FloatPlane fast_decimated(const io::Frame& frame, int plane, int factor) {
  FloatPlane out(decimated_side(frame.format().plane_width(plane), factor), decimated_side(frame.format().plane_height(plane), factor));
  HWY_DYNAMIC_DISPATCH(decimate_plane)(frame, plane, factor, out.view());
  return out;
}

FloatPlane fast_low_passed(io::Plane<const float> in) {
  FloatPlane out(half_side(in.width), half_side(in.height));
  HWY_DYNAMIC_DISPATCH(low_pass_plane)(in, out.view());
  return out;
}
}  // namespace vmafbatch::extractors
#endif
