#include "extractors/ssim_simd.h"

#include <algorithm>
#include <array>
#include <vector>

#include "extractors/padded_row.h"
#include "extractors/ssim_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/ssim_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

#ifndef VMAFBATCH_SSIM_ROWS  // once for all targets
#define VMAFBATCH_SSIM_ROWS
namespace vmafbatch::extractors {
namespace {

// The moments of the columns around one row, and zeros on both sides: what the window leaves out at the border counts nothing. Integers
// below 2^41, which doubles hold exactly.
struct Ssim9Rows {
  explicit Ssim9Rows(int width) : sum1(width), sum2(width), square1(width), product(width), square2(width) {}
  PaddedRow<double> sum1, sum2, square1, product, square2;
};

}  // namespace
}  // namespace vmafbatch::extractors
#endif

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using Integers = hn::Rebind<std::int32_t, Doubles>;
// Up to 12 bits the moments of a column fit: 256 * 4095^2 < 2^32.
using Words = hn::Rebind<std::uint32_t, Doubles>;

template <class Sample>
HWY_INLINE hn::Vec<Words> load(Words d, const Sample* at) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Sample, Words>(), at));
}
template <class Sample>
HWY_INLINE hn::Vec<Doubles> load(Doubles d, const Sample* at) {
  return hn::PromoteTo(d, hn::PromoteTo(Integers(), hn::LoadU(hn::Rebind<Sample, Integers>(), at)));
}

// By way of signed integers, which every processor converts.
HWY_INLINE hn::Vec<Doubles> as_doubles(Words d, hn::Vec<Words> v) {
  const auto centred = hn::BitCast(Integers(), hn::Xor(v, hn::Set(d, 0x80000000u)));
  return hn::Add(hn::PromoteTo(Doubles(), centred), hn::Set(Doubles(), 0x1p31));
}
HWY_INLINE hn::Vec<Doubles> as_doubles(Doubles, hn::Vec<Doubles> v) { return v; }

template <class Sample>
using SampleRows = std::array<const Sample*, kSsim9Taps>;

// The moments of the columns; `Lanes` is what holds them exactly.
template <class Lanes, class Sample>
void sum_columns(const SampleRows<Sample>& reference, const SampleRows<Sample>& distorted, int width, Ssim9Rows& out) {
  const Lanes d;
  const Doubles dd;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    auto sum1 = hn::Zero(d);
    auto sum2 = hn::Zero(d);
    auto square1 = hn::Zero(d);
    auto product = hn::Zero(d);
    auto square2 = hn::Zero(d);
    for (int k = 0; k < kSsim9Taps; ++k) {
      const auto weight = hn::Set(d, static_cast<hn::TFromD<Lanes>>(ssim9_weight(k)));
      const auto r = load(d, reference[static_cast<size_t>(k)] + x);
      const auto e = load(d, distorted[static_cast<size_t>(k)] + x);
      const auto weighted1 = hn::Mul(r, weight);
      const auto weighted2 = hn::Mul(e, weight);
      sum1 = hn::Add(sum1, weighted1);
      sum2 = hn::Add(sum2, weighted2);
      square1 = hn::Add(square1, hn::Mul(weighted1, r));
      product = hn::Add(product, hn::Mul(weighted1, e));
      square2 = hn::Add(square2, hn::Mul(weighted2, e));
    }
    hn::StoreU(as_doubles(d, sum1), dd, out.sum1.data() + x);
    hn::StoreU(as_doubles(d, sum2), dd, out.sum2.data() + x);
    hn::StoreU(as_doubles(d, square1), dd, out.square1.data() + x);
    hn::StoreU(as_doubles(d, product), dd, out.product.data() + x);
    hn::StoreU(as_doubles(d, square2), dd, out.square2.data() + x);
  }
  for (PaddedRow<double>* row : {&out.sum1, &out.sum2, &out.square1, &out.product, &out.square2}) {
    std::fill_n(row->data() + width, PaddedRow<double>::kVector + kSsim9Radius, 0.0);
  }
}

// The window along a row. The sums are exact, so mirrored samples may be added before they are weighed.
HWY_INLINE hn::Vec<Doubles> sum_row(const PaddedRow<double>& row, int x) {
  const Doubles d;
  const double* centre = row.data() + x;
  auto sum = hn::Mul(hn::LoadU(d, centre), hn::Set(d, static_cast<double>(ssim9_weight(kSsim9Radius))));
  for (int k = 1; k <= kSsim9Radius; ++k) {
    const auto both = hn::Add(hn::LoadU(d, centre - k), hn::LoadU(d, centre + k));
    sum = hn::Add(sum, hn::Mul(both, hn::Set(d, static_cast<double>(ssim9_weight(kSsim9Radius - k)))));
  }
  return sum;
}

// ssim9_term, lane by lane. `inside`: what is left of the window in the columns; `columns`: the same along the row.
void row_terms(const Ssim9Rows& rows, const PaddedRow<double>& columns, double inside, int width, const Ssim9Constants& constants,
               double* out) {
  const Doubles d;
  const auto two = hn::Set(d, 2.0);
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const auto weight = hn::Mul(hn::Set(d, inside), hn::LoadU(d, columns.data() + x));
    const auto c1 = hn::Mul(hn::Mul(hn::Set(d, constants.c1), weight), weight);
    const auto c2 = hn::Mul(hn::Mul(hn::Set(d, constants.c2), weight), weight);
    const auto mean1 = sum_row(rows.sum1, x);
    const auto mean2 = sum_row(rows.sum2, x);
    const auto xx = hn::Mul(mean1, mean1);
    const auto xy = hn::Mul(mean1, mean2);
    const auto yy = hn::Mul(mean2, mean2);
    const auto luminance = hn::Mul(weight, hn::Add(hn::Mul(two, xy), c1));
    const auto covariance = hn::Add(c2, hn::Mul(two, hn::Sub(hn::Mul(sum_row(rows.product, x), weight), xy)));
    const auto variance1 = hn::Sub(hn::Mul(sum_row(rows.square1, x), weight), xx);
    const auto variances = hn::Sub(hn::Add(variance1, hn::Mul(sum_row(rows.square2, x), weight)), yy);
    const auto denominator = hn::Mul(hn::Add(hn::Add(xx, yy), c1), hn::Add(variances, c2));
    hn::StoreU(hn::Div(hn::Mul(luminance, covariance), denominator), d, out + x);
  }
}

template <class Lanes, class Sample>
double sum_plane(io::Plane<const Sample> reference, io::Plane<const Sample> distorted, const Ssim9Constants& constants) {
  const int width = reference.width;
  const int height = reference.height;
  const std::vector<Sample> outside(static_cast<size_t>(width) + hn::Lanes(Doubles()));
  Ssim9Rows rows(width);
  PaddedRow<double> columns(width);
  PaddedRow<double> terms(width);
  for (int x = 0; x < width; ++x) columns.data()[x] = ssim9_weight_inside(x, width);
  double sum = 0.0;
  for (int y = 0; y < height; ++y) {
    SampleRows<Sample> a{};
    SampleRows<Sample> b{};
    for (int k = 0; k < kSsim9Taps; ++k) {
      const int row = y + k - kSsim9Radius;
      const bool inside = row >= 0 && row < height;
      a[static_cast<size_t>(k)] = inside ? reference.row(row) : outside.data();
      b[static_cast<size_t>(k)] = inside ? distorted.row(row) : outside.data();
    }
    sum_columns<Lanes>(a, b, width, rows);
    row_terms(rows, columns, ssim9_weight_inside(y, height), width, constants, terms.data());
    for (int x = 0; x < width; ++x) sum += terms.data()[x];
  }
  return sum;
}

double sum_frames(const io::Frame& reference, const io::Frame& distorted) {
  const int depth = reference.format().bit_depth;
  const Ssim9Constants constants = ssim9_constants(depth);
  if (depth == 8) return sum_plane<Words>(reference.plane<std::uint8_t>(0), distorted.plane<std::uint8_t>(0), constants);
  const io::Plane<const std::uint16_t> a = reference.plane<std::uint16_t>(0);
  const io::Plane<const std::uint16_t> b = distorted.plane<std::uint16_t>(0);
  return depth <= 12 ? sum_plane<Words>(a, b, constants) : sum_plane<Doubles>(a, b, constants);
}

}  // namespace
}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(sum_frames);

double fast_ssim9_sum(const io::Frame& reference, const io::Frame& distorted) {
  return HWY_DYNAMIC_DISPATCH(sum_frames)(reference, distorted);
}

size_t fast_ssim9_scratch_bytes(int width) {
  return 7 * PaddedRow<double>::bytes_of(width) + sizeof(std::uint16_t) * static_cast<size_t>(width);
}
}  // namespace vmafbatch::extractors
#endif
