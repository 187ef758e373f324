#include "extractors/float_ssim_simd.h"

#include <algorithm>
#include <array>
#include <utility>

#include "extractors/padded_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_ssim_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

#ifndef VMAFBATCH_FLOAT_SSIM_ROWS  // once for all targets
#define VMAFBATCH_FLOAT_SSIM_ROWS
namespace vmafbatch::extractors {
namespace {

// The five quantities of one row, and room for whole vectors behind it.
struct SsimRows {
  explicit SsimRows(int width) : mean1(width), mean2(width), square1(width), square2(width), product(width) {}
  PaddedRow<float> mean1, mean2, square1, square2, product;
};

// The terms of one row of windows.
struct SsimTermRows {
  explicit SsimTermRows(int width) : score(width), luminance(width), contrast(width), structure(width) {}
  PaddedRow<double> score, luminance, contrast, structure;
};

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
using Vector = hn::Vec<Floats>;
using DoubleVector = hn::Vec<Doubles>;

struct Moments {
  Vector mean1, mean2, square1, square2, product;
};
struct Sums {
  DoubleVector mean1, mean2, square1, square2, product;
};

HWY_INLINE Moments load_moments(const SsimRows& rows, int x) {
  const Floats d;
  return {hn::LoadU(d, rows.mean1.data() + x), hn::LoadU(d, rows.mean2.data() + x), hn::LoadU(d, rows.square1.data() + x),
          hn::LoadU(d, rows.square2.data() + x), hn::LoadU(d, rows.product.data() + x)};
}

HWY_INLINE void store_moments(const Moments& m, int x, SsimRows& out) {
  const Floats d;
  hn::StoreU(m.mean1, d, out.mean1.data() + x);
  hn::StoreU(m.mean2, d, out.mean2.data() + x);
  hn::StoreU(m.square1, d, out.square1.data() + x);
  hn::StoreU(m.square2, d, out.square2.data() + x);
  hn::StoreU(m.product, d, out.product.data() + x);
}

// ssim_window, lane by lane.
template <class Load>
HWY_INLINE Moments window_of(const Load& load) {
  const Floats d;
  const Doubles dd;
  const auto zero = hn::Zero(dd);
  Sums sum{zero, zero, zero, zero, zero};
  for (int k = 0; k < kSsimTaps; ++k) {
    const Moments m = load(k);
    const Vector tap = hn::Set(d, ssim_tap(k));
    sum.mean1 = hn::Add(sum.mean1, hn::PromoteTo(dd, hn::Mul(m.mean1, tap)));
    sum.mean2 = hn::Add(sum.mean2, hn::PromoteTo(dd, hn::Mul(m.mean2, tap)));
    sum.square1 = hn::Add(sum.square1, hn::PromoteTo(dd, hn::Mul(m.square1, tap)));
    sum.square2 = hn::Add(sum.square2, hn::PromoteTo(dd, hn::Mul(m.square2, tap)));
    sum.product = hn::Add(sum.product, hn::PromoteTo(dd, hn::Mul(m.product, tap)));
  }
  return {hn::DemoteTo(d, sum.mean1), hn::DemoteTo(d, sum.mean2), hn::DemoteTo(d, sum.square1), hn::DemoteTo(d, sum.square2),
          hn::DemoteTo(d, sum.product)};
}

// ssim_terms, lane by lane.
HWY_INLINE void store_terms(const Moments& m, int x, SsimTermRows& out) {
  const Floats d;
  const Doubles dd;
  const Vector zero = hn::Zero(d);
  const Vector c1 = hn::Set(d, kSsimC1);
  const Vector c2 = hn::Set(d, kSsimC2);
  const Vector c3 = hn::Set(d, kSsimC3);
  const Vector mean_square1 = hn::Mul(m.mean1, m.mean1);
  const Vector mean_square2 = hn::Mul(m.mean2, m.mean2);
  Vector variance1 = hn::Sub(m.square1, mean_square1);
  Vector variance2 = hn::Sub(m.square2, mean_square2);
  variance1 = hn::IfThenZeroElse(hn::Lt(variance1, zero), variance1);
  variance2 = hn::IfThenZeroElse(hn::Lt(variance2, zero), variance2);
  const Vector deviations = hn::Sqrt(hn::Mul(variance1, variance2));
  Vector covariance = hn::Sub(m.product, hn::Mul(m.mean1, m.mean2));
  covariance = hn::IfThenZeroElse(hn::And(hn::Lt(covariance, zero), hn::Le(deviations, zero)), covariance);

  const auto two = hn::Set(dd, 2.0);
  const auto means = hn::PromoteTo(dd, hn::Add(hn::Add(mean_square1, mean_square2), c1));
  const auto variances = hn::PromoteTo(dd, hn::Add(hn::Add(variance1, variance2), c2));
  const auto both_means = hn::Mul(hn::Mul(two, hn::PromoteTo(dd, m.mean1)), hn::PromoteTo(dd, m.mean2));
  const auto luminance = hn::Div(hn::Add(both_means, hn::PromoteTo(dd, c1)), means);
  const auto contrast = hn::Div(hn::Add(hn::Mul(two, hn::PromoteTo(dd, deviations)), hn::PromoteTo(dd, c2)), variances);
  const auto structure = hn::PromoteTo(dd, hn::Div(hn::Add(covariance, c3), hn::Add(deviations, c3)));
  hn::StoreU(luminance, dd, out.luminance.data() + x);
  hn::StoreU(contrast, dd, out.contrast.data() + x);
  hn::StoreU(structure, dd, out.structure.data() + x);
  hn::StoreU(hn::Mul(hn::Mul(luminance, contrast), structure), dd, out.score.data() + x);
}

void multiply_row(const float* a, const float* b, int width, SsimRows& out) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += lanes) {
    const Vector p = hn::LoadU(d, a + x);
    const Vector q = hn::LoadU(d, b + x);
    store_moments({p, q, hn::Mul(p, p), hn::Mul(q, q), hn::Mul(p, q)}, x, out);
  }
}

void filter_row(const SsimRows& row, int windows, SsimRows& out) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int x = 0; x < windows; x += lanes) store_moments(window_of([&](int k) HWY_ATTR { return load_moments(row, x + k); }), x, out);
}

void row_terms(const std::array<const SsimRows*, kSsimTaps>& rows, int windows, SsimTermRows& out) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int x = 0; x < windows; x += lanes) {
    store_terms(window_of([&](int k) HWY_ATTR { return load_moments(*rows[static_cast<size_t>(k)], x); }), x, out);
  }
}

void add_terms(const SsimTermRows& terms, int windows, FloatSsimSums& sums) {
  FloatSsimSums sum = sums;  // in registers
  for (int x = 0; x < windows; ++x) {
    sum.score += terms.score.data()[x];
    sum.luminance += terms.luminance.data()[x];
    sum.contrast += terms.contrast.data()[x];
    sum.structure += terms.structure.data()[x];
  }
  sums = sum;
}

template <size_t... kIndex>
std::array<SsimRows, kSsimTaps> make_ring(int width, std::index_sequence<kIndex...>) {
  return {((void)kIndex, SsimRows(width))...};
}

FloatSsimSums sum_planes(io::Plane<const float> reference, io::Plane<const float> distorted) {
  const int windows = reference.width - kSsimTaps + 1;
  SsimRows products(reference.width);
  // The last eleven rows behind the horizontal pass, row y at y mod 11.
  std::array<SsimRows, kSsimTaps> ring = make_ring(windows, std::make_index_sequence<kSsimTaps>());
  SsimTermRows terms(windows);
  FloatSsimSums sums;
  for (int y = 0; y < reference.height; ++y) {
    multiply_row(reference.row(y), distorted.row(y), reference.width, products);
    filter_row(products, windows, ring[static_cast<size_t>(y % kSsimTaps)]);
    if (y < kSsimTaps - 1) continue;
    std::array<const SsimRows*, kSsimTaps> rows{};
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = &ring[(static_cast<size_t>(y) + 1 + k) % kSsimTaps];
    row_terms(rows, windows, terms);
    add_terms(terms, windows, sums);
  }
  return sums;
}

}  // namespace
}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(sum_planes);

FloatSsimSums fast_float_ssim_sums(io::Plane<const float> reference, io::Plane<const float> distorted) {
  return HWY_DYNAMIC_DISPATCH(sum_planes)(reference, distorted);
}

size_t fast_float_ssim_scratch_bytes(int width) {
  return 5 * (kSsimTaps + 1) * PaddedRow<float>::bytes_of(width) + 4 * PaddedRow<double>::bytes_of(width);
}
}  // namespace vmafbatch::extractors
#endif
