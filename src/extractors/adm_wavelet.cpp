#include "extractors/adm_wavelet.h"

#include <vector>

#include "extractors/adm_contrast_rows.h"
#include "extractors/adm_wavelet_rows.h"

namespace vmafbatch::extractors::adm {
namespace {

// A line between the vertical and the horizontal pass, with the samples that mirroring adds.
template <class T>
class Line {
 public:
  explicit Line(int n) : n_(n), samples_(static_cast<size_t>(n + 2 * kLineMargin)) {}

  T* data() { return samples_.data() + kLineMargin; }
  // Repeats the edges as fold_tap() says. Call after each write.
  void fold() {
    T* line = data();
    line[-1] = line[fold_tap(-1, n_)];
    line[n_] = line[fold_tap(n_, n_)];
    line[n_ + 1] = line[fold_tap(n_ + 1, n_)];
  }

 private:
  int n_;
  std::vector<T> samples_;
};

template <class Coefficient>
Bands<Coefficient> make_bands(const Region& reach) {
  Bands<Coefficient> bands;
  for (Rows<Coefficient>& band : bands.band) band = Rows<Coefficient>(reach.width(), reach.height());
  return bands;
}

void filter_line(const std::int16_t* line, int begin, int end, const Taps& taps, int /*scale*/, std::int16_t* out) {
  horizontal_pass(line, begin, end, taps, out);
}
void filter_line(const std::int32_t* line, int begin, int end, const Taps& taps, int scale, std::int32_t* out) {
  horizontal_pass(line, begin, end, taps, horizontal_shift(scale), out);
}

// One level. vertical(y, low, high) fills the lines of output row y; high is null where only band a is wanted.
// `next` takes band a, the input of the next level; null at the last one.
template <class Coefficient, class Vertical>
Bands<Coefficient> transform(const ScaleGeometry& g, int input_width, Rows<Coefficient>* next, Vertical&& vertical) {
  Bands<Coefficient> bands = make_bands<Coefficient>(g.reach);
  Line<Coefficient> low(input_width);
  Line<Coefficient> high(input_width);
  for (int y = 0; y < g.height; ++y) {
    const bool reached = y >= g.reach.top && y < g.reach.bottom;
    if (!reached && next == nullptr) continue;
    vertical(y, low.data(), reached ? high.data() : nullptr);
    low.fold();
    if (next != nullptr) filter_line(low.data(), 0, g.width, low_taps(), g.scale, next->row(y));
    if (!reached) continue;
    high.fold();
    const int row = y - g.reach.top;
    filter_line(high.data(), g.reach.left, g.reach.right, low_taps(), g.scale, bands.band[0].row(row));
    filter_line(low.data(), g.reach.left, g.reach.right, high_taps(), g.scale, bands.band[1].row(row));
    filter_line(high.data(), g.reach.left, g.reach.right, high_taps(), g.scale, bands.band[2].row(row));
  }
  return bands;
}

// The four rows that output row y reads, of `height` input rows.
template <class T, class RowAt>
FourRows<T> tap_rows(int y, int height, RowAt&& row_at) {
  FourRows<T> rows;
  for (int k = 0; k < 4; ++k) rows[static_cast<size_t>(k)] = row_at(fold_tap(2 * y - 1 + k, height));
  return rows;
}

template <class Sample>
Bands<std::int16_t> transform_picture(const io::Plane<const Sample>& luma, int bit_depth, const ScaleGeometry& g,
                                      Rows<std::int16_t>& next) {
  return transform<std::int16_t>(g, luma.width, &next, [&](int y, std::int16_t* low, std::int16_t* high) {
    vertical_pass(tap_rows<Sample>(y, luma.height, [&](int row) { return luma.row(row); }), luma.width, bit_depth, low, high);
  });
}

template <class Input>
Bands<std::int32_t> transform_band(const Rows<Input>& band, const ScaleGeometry& from, const ScaleGeometry& g, Rows<std::int32_t>* next) {
  return transform<std::int32_t>(g, from.width, next, [&](int y, std::int32_t* low, std::int32_t* high) {
    vertical_pass(tap_rows<Input>(y, from.height, [&](int row) { return band.row(row); }), from.width, low, high);
  });
}

Pyramid make_pyramid(const io::Frame& frame, const Geometry& g) {
  Pyramid pyramid;
  Rows<std::int16_t> a0(g[0].width, g[0].height);
  with_sample_type(frame.format(), [&](auto sample) {
    pyramid.finest = transform_picture(frame.plane<decltype(sample)>(0), frame.format().bit_depth, g[0], a0);
  });
  Rows<std::int32_t> a1(g[1].width, g[1].height);
  pyramid.coarser[0] = transform_band(a0, g[0], g[1], &a1);
  Rows<std::int32_t> a2(g[2].width, g[2].height);
  pyramid.coarser[1] = transform_band(a1, g[1], g[2], &a2);
  pyramid.coarser[2] = transform_band<std::int32_t>(a2, g[2], g[3], nullptr);
  return pyramid;
}

// RowSum: the sum of the terms of the inner region's part of one row.
template <class Coefficient, class RowSum>
std::array<std::uint64_t, kBands> totals(const Bands<Coefficient>& bands, const ScaleGeometry& g, RowSum&& row_sum) {
  std::array<std::uint64_t, kBands> sums{};
  for (int y = g.inner.top; y < g.inner.bottom; ++y) {
    for (size_t b = 0; b < kBands; ++b) {
      const Coefficient* row = bands.band[b].row(y - g.reach.top) + (g.inner.left - g.reach.left);
      sums[b] += rounded_row(row_sum(row, g.inner.width()), g.reference_row_shift);
    }
  }
  return sums;
}

ReferenceTotals make_reference_totals(const Pyramid& pyramid, const Geometry& geometry) {
  ReferenceTotals result;
  result[0] = totals(pyramid.finest, geometry[0], [](const std::int16_t* row, int n) { return reference_row_sum(row, n); });
  for (size_t s = 1; s < kScales; ++s) {
    const ScaleGeometry& g = geometry[s];
    result[s] = totals(pyramid.coarser[s - 1], g,
                       [&](const std::int32_t* row, int n) { return reference_row_sum(row, n, g.scale, g.reference_term_shift); });
  }
  return result;
}

}  // namespace

const Pyramid& pyramid_of(const io::Frame& frame, const Geometry& geometry) {
  return frame.derived().get<Pyramid>("", [&] { return make_pyramid(frame, geometry); });
}

const ReferenceTotals& reference_totals_of(const io::Frame& frame, const Geometry& geometry) {
  const Pyramid& pyramid = pyramid_of(frame, geometry);
  return frame.derived().get<ReferenceTotals>("", [&] { return make_reference_totals(pyramid, geometry); });
}

size_t pyramid_bytes(const Geometry& geometry) {
  size_t bytes = 0;
  for (const ScaleGeometry& g : geometry) {
    const size_t sample = g.scale == 0 ? sizeof(std::int16_t) : sizeof(std::int32_t);
    const size_t row = static_cast<size_t>(g.width) * sample + Rows<std::int32_t>::kAlignment + Rows<std::int32_t>::kMargin;
    bytes += (kBands + 1) * row * static_cast<size_t>(g.height);  // band a, whole, besides the three that are kept
  }
  return bytes;
}

}  // namespace vmafbatch::extractors::adm
