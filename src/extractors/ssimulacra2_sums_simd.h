// Where the fast form of channel_sums keeps its data.
#pragma once

#include <algorithm>

#include "extractors/float_plane.h"
#include "extractors/ssimulacra2_math.h"

namespace vmafbatch::extractors::ssimulacra2 {

// The five planes that are blurred, in the order of MapInput.
inline constexpr int kBlurred = 5;

// One channel walks through these in bands of rows: a band is blurred along its rows with lanes = rows, then down the columns, a few
// rows at a time, with lanes = columns.
class BlurWorkspace {
 public:
  static constexpr int kMostLanes = 16;
  static constexpr int kStep = 4;  // rows, or columns, that a pass takes at a time; divides the lanes

  explicit BlurWorkspace(int width)
      : turned_((width + kPositionsAround) * kMostLanes, 2),
        along_rows_(width, kBlurred * kKeptRows),
        states_(width, kBlurred * kStateRows),
        blurred_(width, kBlurred * kStep),
        zeros_(width, 1) {
    for (FloatPlane* plane : {&turned_, &along_rows_, &states_, &blurred_, &zeros_}) {
      std::fill_n(plane->view().data, plane->bytes() / sizeof(float), 0.0f);
    }
  }

  static size_t bytes_of(int width) {
    return FloatPlane::bytes_of((width + kPositionsAround) * kMostLanes, 2) +
           FloatPlane::bytes_of(width, kBlurred * (kKeptRows + kStateRows + kStep) + 1);
  }

  // Samples of a band with lanes = rows: position n of picture 0 or 1 begins at n * kMostLanes. Readable from -kBlurLead - kBlurBehind.
  float* turned(int picture) { return turned_.view().row(picture) + (kBlurLead + kBlurBehind) * kMostLanes; }
  // Row y behind the first pass; holds kKeptRows rows.
  float* along_row(int plane, int y) { return along_rows_.view().row(plane * kKeptRows + y % kKeptRows); }
  // The column states of a plane: for each recursion the last outputs, then those before.
  float* state(int plane, int index) { return states_.view().row(plane * kStateRows + index); }
  // Row i of the step behind both passes.
  float* blurred(int plane, int i) { return blurred_.view().row(plane * kStep + i); }
  const float* zeros() { return zeros_.view().row(0); }

  static constexpr int kStateRows = 2 * static_cast<int>(kRecursions);

 private:
  static constexpr int kPositionsAround = kBlurLead + kBlurBehind + kBlurAhead + 2 * kStep;
  // A band is written while the rows that its first outputs reach back to are still needed.
  static constexpr int kKeptRows = kMostLanes + kBlurBehind + kBlurAhead + 2;

  FloatPlane turned_;
  FloatPlane along_rows_;
  FloatPlane states_;
  FloatPlane blurred_;
  FloatPlane zeros_;
};

}  // namespace vmafbatch::extractors::ssimulacra2
