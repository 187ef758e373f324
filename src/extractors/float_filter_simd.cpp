#include "extractors/float_filter_simd.h"

#include <array>

#include "extractors/mirror.h"
#include "extractors/padded_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_filter_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;

void filter_column_row(io::Plane<const float> in, std::span<const float> window, int y, PaddedRow<float>& out) {
  const Floats d;
  const int radius = static_cast<int>(window.size()) / 2;
  std::array<const float*, 2 * PaddedRow<float>::kPadding + 1> rows{};
  for (size_t k = 0; k < window.size(); ++k) rows[k] = in.row(mirror_index(y - radius + static_cast<int>(k), in.height));
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < in.width; x += lanes) {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < window.size(); ++k) sum = hn::Add(sum, hn::Mul(hn::Set(d, window[k]), hn::LoadU(d, rows[k] + x)));
    hn::StoreU(sum, d, out.data() + x);
  }
}

void filter_along_row(const PaddedRow<float>& row, std::span<const float> window, int width, float* out) {
  const Floats d;
  const float* first = row.data() - window.size() / 2;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < window.size(); ++k) {
      sum = hn::Add(sum, hn::Mul(hn::Set(d, window[k]), hn::LoadU(d, first + x + k)));
    }
    hn::StoreU(sum, d, out + x);
  }
  for (; x < width; ++x) {
    float sum = 0.0f;
    for (size_t k = 0; k < window.size(); ++k) sum = sum + window[k] * first[static_cast<size_t>(x) + k];
    out[x] = sum;
  }
}

// Every second output. The row is first split into its even and odd samples, counted from the leftmost that any output reads, so that
// neighbouring outputs read neighbouring samples.
void filter_along_row_by_two(const PaddedRow<float>& row, std::span<const float> window, int width, PaddedRow<float>& even,
                             PaddedRow<float>& odd, float* out) {
  const float* first = row.data() - window.size() / 2;
  const int pairs = width + static_cast<int>(window.size()) / 2 + 1;
  for (int i = 0; i < pairs; ++i) {
    even.data()[i] = first[2 * i];
    odd.data()[i] = first[2 * i + 1];
  }
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto half = [&](size_t k) { return (k % 2 == 0 ? even.data() : odd.data()) + k / 2; };
  int x = 0;
  for (; x + lanes <= width; x += lanes) {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < window.size(); ++k) sum = hn::Add(sum, hn::Mul(hn::Set(d, window[k]), hn::LoadU(d, half(k) + x)));
    hn::StoreU(sum, d, out + x);
  }
  for (; x < width; ++x) {
    float sum = 0.0f;
    for (size_t k = 0; k < window.size(); ++k) sum = sum + window[k] * half(k)[x];
    out[x] = sum;
  }
}

void filter_plane(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out) {
  PaddedRow<float> row(in.width);
  PaddedRow<float> even(in.width);
  PaddedRow<float> odd(in.width);
  const int radius = static_cast<int>(window.size()) / 2;
  for (int y = 0; y < out.height; ++y) {
    filter_column_row(in, window, step * y, row);
    row.mirror(radius);
    if (step == 1) {
      filter_along_row(row, window, out.width, out.row(y));
    } else if (step == 2) {
      filter_along_row_by_two(row, window, out.width, even, odd, out.row(y));
    } else {
      for (int x = 0; x < out.width; ++x) {
        float sum = 0.0f;
        for (size_t k = 0; k < window.size(); ++k) sum = sum + window[k] * (row.data() + step * x - radius)[k];
        out.row(y)[x] = sum;
      }
    }
  }
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(filter_plane);

void fast_float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out) {
  HWY_DYNAMIC_DISPATCH(filter_plane)(in, window, step, out);
}
}  // namespace vmafbatch::extractors
#endif
