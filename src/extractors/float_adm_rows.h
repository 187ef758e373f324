// The row loops of float_adm. Each has a fast form, which --simd scalar turns off, and its plain twin (slow_...): same bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "extractors/float_adm_math.h"
#include "extractors/float_plane.h"

namespace vmafbatch::extractors::float_adm {

// Whole vectors may be loaded and stored this many floats behind the end of a row.
constexpr int kRowSlack = 16;

// `width` luma samples around zero, on the 8-bit scale. unit: 2^(8 - depth). Rows of a Frame and of a FloatPlane.
void centred_row(const std::uint8_t* samples, int width, float unit, float* out);
void centred_row(const std::uint16_t* samples, int width, float unit, float* out);
void slow_centred_row(const std::uint8_t* samples, int width, float unit, float* out);
void slow_centred_row(const std::uint16_t* samples, int width, float unit, float* out);

// A line of samples between the vertical and the horizontal filter, split into even and odd samples, with the mirrored samples
// that the horizontal filter needs at both ends: it then needs no index checks.
class SplitLine {
 public:
  // REQUIRES: length >= 2
  explicit SplitLine(int length) : length_(length), planes_((length + 1) / 2 + 1 + 2 * kRowSlack, 2) {}

  int length() const { return length_; }
  // even()[i] is sample 2i, odd()[i] sample 2i+1; valid from -1 to half the length.
  float* even() { return planes_.view().row(0) + kRowSlack; }
  float* odd() { return planes_.view().row(1) + kRowSlack; }
  const float* even() const { return planes_.view().row(0) + kRowSlack; }
  const float* odd() const { return planes_.view().row(1) + kRowSlack; }

  // Sets the samples beyond both ends from those inside.
  void mirror_ends();

 private:
  int length_;
  FloatPlane planes_;
};

// Four rows of line.length() samples, filtered sample by sample, into `line` with its ends.
void vertical_filter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line);
void slow_vertical_filter(const std::array<const float*, 4>& rows, Taps taps, SplitLine& line);

// Output samples first .. first + count - 1 of the line filtered and halved, to out[0 .. count-1]; up to kRowSlack - 1 floats
// behind them may be overwritten, where a FloatPlane has room.
void horizontal_filter(const SplitLine& line, Taps taps, int first, int count, float* out);
void slow_horizontal_filter(const SplitLine& line, Taps taps, int first, int count, float* out);

// The coefficients of one row of a picture.
struct BandRows {
  const float* h;
  const float* v;
  const float* d;
};

// One row of weighted magnitudes of every signal and band, and of the masks of the two parts of the distorted picture.
class WeightedRow {
 public:
  static constexpr int kRows = 3 * 3 + 2 * 3;

  // Rows first .. first + kRows - 1 of `storage`; each row has kRowSlack floats behind the samples in use.
  WeightedRow(FloatPlane& storage, int first) : base_(storage.view().row(first)), pitch_(storage.pitch()) {}

  float* magnitude(size_t signal, size_t band) const { return row(signal * kBands + band); }
  // REQUIRES: signal is kRestored or kAdditive
  float* mask(size_t signal, size_t band) const { return row((kSignals + signal - 1) * kBands + band); }

 private:
  float* row(size_t index) const { return base_ + static_cast<ptrdiff_t>(index) * pitch_; }

  float* base_;
  ptrdiff_t pitch_;
};

// Decouples `count` coefficients of both pictures and weights the parts, into `out` from column `first` on.
void weight_row(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
                const WeightedRow& out, int first);
void slow_weight_row(const BandRows& reference, const BandRows& distorted, int count, BandWeights weights, double gain_limit,
                     const WeightedRow& out, int first);

// The masking threshold that `signal` makes at columns 1 .. count of `here`, to out[0 .. count-1].
void threshold_row(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out);
void slow_threshold_row(const WeightedRow& above, const WeightedRow& here, const WeightedRow& below, Signal signal, int count, float* out);

// The terms of the nine sums at one row, signal by signal and band by band, before or after the cube.
using TermRows = std::array<float*, kSignals * kBands>;

// The terms of columns 1 .. count of `row`: the restored part above the threshold of the additive part and the reverse, the
// reference as it is; cubed where `cubed` says so.
void term_row(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
              const TermRows& out);
void slow_term_row(const WeightedRow& row, const float* restored_threshold, const float* additive_threshold, bool cubed, int count,
                   const TermRows& out);

}  // namespace vmafbatch::extractors::float_adm
