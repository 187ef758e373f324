#include "extractors/float_adm_sums.h"

#include <algorithm>
#include <cmath>

namespace vmafbatch::extractors::float_adm {
namespace {

constexpr int kKeptRows = 3;       // of weighted coefficients: above, here, below
constexpr int kThresholdRows = 2;  // of the restored and of the additive part
constexpr int kTermRows = static_cast<int>(kSignals * kBands);
constexpr int kScratchRows = kKeptRows * WeightedRow::kRows + kThresholdRows + kTermRows;

// Columns of a weighted row: the score region's and one on each side.
int scratch_width(BandSize band) { return score_region(band).width() + 2 + kRowSlack; }

BandRows rows_of(const DetailBands& bands, int y) { return {bands.h.view().row(y), bands.v.view().row(y), bands.d.view().row(y)}; }

// Walks down the score region of one scale and keeps three rows of weighted coefficients.
class ScaleWalk {
 public:
  ScaleWalk(const DetailBands& reference, const DetailBands& distorted, BandWeights weights, const SumSettings& settings)
      : reference_(reference),
        distorted_(distorted),
        weights_(weights),
        settings_(settings),
        score_(score_region(reference.band)),
        stored_(stored_region(reference.band)),
        scratch_(scratch_width(reference.band), kScratchRows) {
    for (int i = 0; i < kTermRows; ++i) terms_[static_cast<size_t>(i)] = scratch_row(kThresholdRows + i);
    std::fill_n(scratch_row(0), scratch_.width(), 0.0f);
    std::fill_n(scratch_row(1), scratch_.width(), 0.0f);
  }

  ScaleSums run() {
    ScaleSums totals{};
    int next = stored_.top;
    for (int y = score_.top; y < score_.bottom; ++y) {
      while (next < stored_.bottom && next <= y + 1) weight(next++);
      make_terms(y);
      add_terms(totals);
    }
    return totals;
  }

 private:
  float* scratch_row(int index) { return scratch_.view().row(kKeptRows * WeightedRow::kRows + index); }
  WeightedRow kept(int y) { return {scratch_, (y % kKeptRows) * WeightedRow::kRows}; }

  void weight(int y) {
    const WeightedRow row = kept(y);
    const int first = stored_.left - (score_.left - 1);
    weight_row(rows_of(reference_, y - stored_.top), rows_of(distorted_, y - stored_.top), stored_.width(), weights_, settings_.gain_limit,
               row, first);
    // Where the score region reaches the band's border: the low side mirrors around the first sample, the high side repeats the last.
    const int last = score_.width() + 1;
    for (const Signal signal : {kRestored, kAdditive}) {
      for (size_t band = 0; band < kBands; ++band) {
        float* const mask = row.mask(signal, band);
        if (score_.left == 0) mask[0] = mask[2];
        if (score_.right == reference_.band.width) mask[last] = mask[last - 1];
      }
    }
  }

  void make_terms(int y) {
    const WeightedRow above = kept(y == 0 ? 1 : y - 1);
    const WeightedRow here = kept(y);
    const WeightedRow below = kept(std::min(y + 1, reference_.band.height - 1));
    const int count = score_.width();
    if (settings_.masking) {
      threshold_row(above, here, below, kRestored, count, scratch_row(0));
      threshold_row(above, here, below, kAdditive, count, scratch_row(1));
    }
    const bool cubed = settings_.exponent == 3.0;
    term_row(here, scratch_row(0), scratch_row(1), cubed, count, terms_);
    if (!cubed && settings_.exponent != 1.0) raise_terms();
  }

  void raise_terms() {
    const auto exponent = static_cast<float>(settings_.exponent);
    for (float* const terms : terms_) {
      for (int x = 0; x < score_.width(); ++x) terms[x] = std::pow(terms[x], exponent);
    }
  }

  // Nine independent chains of additions, each strictly from left to right; unrolled, so that they stay in registers.
  void add_terms(ScaleSums& totals) const {
    ScaleSums row{};
    for (int x = 0; x < score_.width(); ++x) {
#pragma GCC unroll 9
      for (size_t i = 0; i < row.size(); ++i) row[i] = row[i] + terms_[i][x];
    }
    for (size_t i = 0; i < row.size(); ++i) totals[i] = totals[i] + row[i];
  }

  const DetailBands& reference_;
  const DetailBands& distorted_;
  BandWeights weights_;
  SumSettings settings_;
  Region score_;
  Region stored_;
  FloatPlane scratch_;
  TermRows terms_{};
};

}  // namespace

ScaleSums sum_scale(const DetailBands& reference, const DetailBands& distorted, BandWeights weights, const SumSettings& settings) {
  return ScaleWalk(reference, distorted, weights, settings).run();
}

size_t sum_scale_bytes(BandSize band) { return FloatPlane::bytes_of(scratch_width(band), kScratchRows); }

}  // namespace vmafbatch::extractors::float_adm
