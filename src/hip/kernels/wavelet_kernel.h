// The wavelet transform of one level, for adm and float_adm, and the tile axes of their kernels.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extractors/adm_math.h"
#include "hip/platform/kernel.h"
#include "hip/platform/tile_index.h"
#include "io/plane.h"

namespace vmafbatch::hip {

namespace adm = extractors::adm;

// One axis of a transform (platform/tile_axis.h): a block gives kGiven samples of each band.
template <int kGiven>
struct WaveletAxis {
  static constexpr int kOutputs = kGiven;
  static constexpr int kLoaded = 2 * kGiven + 2;

  VB_HOST_DEVICE static constexpr int outputs(int size) { return (size + 1) / 2; }
  VB_HOST_DEVICE static constexpr int first_used(int output) { return 2 * output; }
  VB_HOST_DEVICE static constexpr int last_used(int output) { return 2 * output + 3; }

  VB_HOST_DEVICE static constexpr int reflected(int block, int i, int size) { return adm::fold_tap(2 * block * kOutputs - 1 + i, size); }
  VB_HOST_DEVICE static constexpr int index(int block, int i, int size) { return tile_index(reflected(block, i, size), size); }
};

// One axis of the masking: a block gives kGiven samples of the inner region, which begins at `inner`, and loads one more on either side
// from the stored part of the band, its reach.
template <int kGiven>
struct MaskAxis {
  static constexpr int kOutputs = kGiven;
  static constexpr int kLoaded = kGiven + 2;

  VB_HOST_DEVICE static constexpr int first_used(int output) { return output; }
  VB_HOST_DEVICE static constexpr int last_used(int output) { return output + 2; }

  // Both count from the begin of the reach. `size`: of the band.
  VB_HOST_DEVICE static constexpr int reflected(int block, int i, int size, int inner, int reach) {
    return adm::fold_tap(inner + block * kOutputs - 1 + i, size) - reach;
  }
  VB_HOST_DEVICE static constexpr int index(int block, int i, int size, int inner, int reach, int reach_size) {
    return tile_index(reflected(block, i, size, inner, reach), reach_size);
  }
};

// The bands of one scale of one picture. h, v, d hold the scale's reach only: their row 0, column 0 is its upper left sample.
template <class Coefficient>
struct WaveletBands {
  io::Plane<Coefficient> low;  // band a, whole; data is null where nobody reads it (scale 3)
  io::Plane<Coefficient> detail[adm::kBands];
};

// One level of the transform, of one picture or of two (block_z: which). A block makes kColumns x kRows samples of each band: first the
// vertical pass over the columns that these need, then the horizontal pass.
//
// A Step is the arithmetic:
//   Input, Coefficient   types of what is read and of the bands
//   kName                of the kernel
//   kRows                rows of a block
//   value(input)         what the vertical pass filters
//   vertical(high, s0, s1, s2, s3), horizontal(high, s0, s1, s2, s3)   one filtered value; high: by the high-pass
template <class Step>
struct WaveletKernel {
  using Input = typename Step::Input;
  using Coefficient = typename Step::Coefficient;
  static constexpr const char* kName = Step::kName;
  static constexpr int kWidth = 128, kHeight = 2;
  using Columns = WaveletAxis<kWidth / 2 - 1>;  // one loaded column for each thread
  using Rows = WaveletAxis<Step::kRows>;
  static constexpr int kColumns = Columns::kOutputs;
  static constexpr int kRows = Rows::kOutputs;
  // Samples of even and of odd columns apart: the horizontal pass reads every second one.
  static constexpr int kOdd = kWidth / 2 + 16;
  struct Shared {
    Coefficient low[kRows][kOdd + kWidth / 2];
    Coefficient high[kRows][kOdd + kWidth / 2];
  };

  io::Plane<const Input> input[2];
  WaveletBands<Coefficient> output[2];
  int width, height;  // of the bands
  adm::Region reach;
  Step step;

  // Of an input of this size.
  static Grid grid(int input_width, int input_height, unsigned pictures = 1) {
    return {blocks_for(Columns::outputs(input_width), kColumns), blocks_for(Rows::outputs(input_height), kRows), pictures};
  }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const int left = t.block_x() * kColumns;
    const int top = t.block_y() * kRows;
    const bool reached = left < reach.right && left + kColumns > reach.left && top < reach.bottom && top + kRows > reach.top;
    // Not input[block_z]: a device would keep a copy of the members to index it.
    const bool first = t.block_z() == 0;
    const WaveletBands<Coefficient>& out = first ? output[0] : output[1];
    if (!reached && out.low.data == nullptr) return;  // the whole block
    vertical_pass(t, shared, first ? input[0] : input[1], reached);
    t.sync();
    horizontal_pass(t, shared, out, left, top, reached);
  }

 private:
  template <class Thread>
  VB_HOST_DEVICE void vertical_pass(Thread& t, Shared& shared, const io::Plane<const Input>& in, bool reached) const {
    constexpr int kEach = kRows / kHeight;
    const int begin = t.y() * kEach;
    const Input* const column = in.data + Columns::index(t.block_x(), t.x(), in.width);
    const auto sample = [&](int i) { return step.value(column[Rows::index(t.block_y(), 2 * begin + i, in.height) * in.stride]); };
    const int place = (t.x() / 2) + (t.x() % 2) * kOdd;
    auto s0 = sample(0);
    auto s1 = sample(1);
    VB_UNROLL for (int i = 0; i < kEach; ++i) {
      const auto s2 = sample(2 * i + 2);
      const auto s3 = sample(2 * i + 3);
      shared.low[begin + i][place] = step.vertical(false, s0, s1, s2, s3);
      if (reached) shared.high[begin + i][place] = step.vertical(true, s0, s1, s2, s3);
      s0 = s2;
      s1 = s3;
    }
  }

  template <class Thread>
  VB_HOST_DEVICE void horizontal_pass(Thread& t, const Shared& shared, const WaveletBands<Coefficient>& out, int left, int top,
                                      bool reached) const {
    constexpr int kLanes = kWidth / 2;  // the last one idles
    const int x = t.x() % kLanes;
    const int column = left + x;
    if (x >= kColumns || column >= width) return;
    for (int i = t.y() * 2 + t.x() / kLanes; i < kRows && top + i < height; i += 2 * kHeight) {
      const int row = top + i;
      const Coefficient* const low = shared.low[i] + x;
      if (out.low.data != nullptr) out.low.row(row)[column] = horizontal(false, low);
      if (!reached || !reach.contains(column, row)) continue;
      const Coefficient* const high = shared.high[i] + x;
      out.detail[0].row(row - reach.top)[column - reach.left] = horizontal(false, high);
      out.detail[1].row(row - reach.top)[column - reach.left] = horizontal(true, low);
      out.detail[2].row(row - reach.top)[column - reach.left] = horizontal(true, high);
    }
  }

  VB_HOST_DEVICE Coefficient horizontal(bool high, const Coefficient* s) const {
    return step.horizontal(high, s[0], s[kOdd], s[1], s[kOdd + 1]);
  }
};

}  // namespace vmafbatch::hip
