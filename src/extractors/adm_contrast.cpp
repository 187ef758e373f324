#include "extractors/adm_contrast.h"

namespace vmafbatch::extractors::adm {
namespace {

constexpr int kRing = 3;     // rows that masking looks at
constexpr int kPad = 16;     // samples before and behind a row of the masking signal, one cache line
constexpr int kSignals = 2;  // detail and additive

// The last three rows of one part.
template <class Coefficient>
class PartRing {
 public:
  explicit PartRing(int width)
      : width_(width), signal_(width, kRing * kBands), neighbour_(width + 2 * kPad, kRing), difference_(width, kRing) {}

  // Row y, to be written.
  PartRows<Coefficient> rows(int y) {
    const int slot = y % kRing;
    return {{signal_.row(slot * kBands), signal_.row(slot * kBands + 1), signal_.row(slot * kBands + 2)},
            neighbour_.row(slot) + kPad,
            difference_.row(slot)};
  }
  // Gives row y's masking signal the columns that its mirrored neighbours read; call after it was written.
  void fold(int y) {
    std::int32_t* row = neighbour_.row(y % kRing) + kPad;
    row[-1] = row[1];
    row[width_] = row[width_ - 1];
  }

 private:
  int width_;
  Rows<Coefficient> signal_;
  Rows<std::int32_t> neighbour_;
  Rows<std::int32_t> difference_;
};

std::int64_t signal_row_sum(const std::int16_t* signal, const std::int32_t* threshold, const ScaleGeometry& g,
                            const ContrastConstants& constants, size_t band) {
  return masked_row_sum(signal, threshold, g.inner.width(), constants.weight[band], static_cast<int>(band), g.term_shift[band]);
}
std::int64_t signal_row_sum(const std::int32_t* signal, const std::int32_t* threshold, const ScaleGeometry& g,
                            const ContrastConstants& /*constants*/, size_t band) {
  return masked_row_sum(signal, threshold, g.inner.width(), g.term_shift[band]);
}

// Rows are numbered from the top of the reach, as in Bands.
template <class Coefficient>
class ScaleWalk {
 public:
  ScaleWalk(const ScaleGeometry& g, const ContrastConstants& constants)
      : g_(g), constants_(constants), detail_(g.reach.width()), additive_(g.reach.width()), threshold_(g.inner.width(), 1) {}

  ContrastTotals run(const Bands<Coefficient>& reference, const Bands<Coefficient>& distorted, bool with_additive) {
    const int rows = g_.reach.height();
    const int first = g_.inner.top - g_.reach.top;
    const int last = g_.inner.bottom - 1 - g_.reach.top;
    ContrastTotals totals;
    for (int y = 0; y <= rows; ++y) {
      if (y < rows) add_row(reference.row(y), distorted.row(y), y);
      const int centre = y - 1;  // complete now: its lower neighbour is there, or is the row itself at the band's end
      if (centre < first || centre > last) continue;
      pool_row(detail_, additive_, centre, totals.detail);
      if (with_additive) pool_row(additive_, detail_, centre, totals.additive);
    }
    return totals;
  }

 private:
  void add_row(const BandRows<const Coefficient>& reference, const BandRows<const Coefficient>& distorted, int y) {
    contrast_row(reference, distorted, g_.reach.width(), constants_, detail_.rows(y), additive_.rows(y));
    detail_.fold(y);
    additive_.fold(y);
  }

  // Adds the row sums of `part`, masked by `masker`.
  void pool_row(PartRing<Coefficient>& part, PartRing<Coefficient>& masker, int y, std::array<std::int64_t, kBands>& totals) {
    // Only a band without a margin has no row above or below in reach: there the row above is row 1 and the row below the row itself.
    const int above = y == 0 ? 1 : y - 1;
    const int below = y == g_.reach.height() - 1 ? y : y + 1;
    const int x = g_.inner.left - g_.reach.left;
    const MaskRows mask{masker.rows(above).neighbour + x, masker.rows(y).neighbour + x, masker.rows(below).neighbour + x,
                        masker.rows(y).difference + x};
    threshold_row(mask, g_.inner.width(), threshold_.row(0));
    for (size_t b = 0; b < kBands; ++b) {
      const std::int64_t sum = signal_row_sum(part.rows(y).signal[b] + x, threshold_.row(0), g_, constants_, b);
      totals[b] =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(totals[b]) + static_cast<std::uint64_t>(rounded_row(sum, g_.row_shift)));
    }
  }

  const ScaleGeometry& g_;
  const ContrastConstants& constants_;
  PartRing<Coefficient> detail_;
  PartRing<Coefficient> additive_;
  Rows<std::int32_t> threshold_;
};

}  // namespace

ContrastTotals contrast_totals(const Bands<std::int16_t>& reference, const Bands<std::int16_t>& distorted, const ScaleGeometry& geometry,
                               const ContrastConstants& constants, bool with_additive) {
  return ScaleWalk<std::int16_t>(geometry, constants).run(reference, distorted, with_additive);
}
ContrastTotals contrast_totals(const Bands<std::int32_t>& reference, const Bands<std::int32_t>& distorted, const ScaleGeometry& geometry,
                               const ContrastConstants& constants, bool with_additive) {
  return ScaleWalk<std::int32_t>(geometry, constants).run(reference, distorted, with_additive);
}

size_t contrast_bytes(const ScaleGeometry& geometry) {
  const size_t row = static_cast<size_t>(geometry.reach.width() + 2 * kPad) * sizeof(std::int32_t) + Rows<std::int32_t>::kAlignment +
                     Rows<std::int32_t>::kMargin;
  return row * (kSignals * kRing * (kBands + 2) + 1);
}

}  // namespace vmafbatch::extractors::adm
