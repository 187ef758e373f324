// Integer ADM: the wavelet transform of a scale, the split, masking and row sums of one or more scales, and the rounding of the rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extractors/adm_math.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "hip/platform/tile_index.h"
#include "io/plane.h"

namespace vmafbatch::hip {

namespace adm = extractors::adm;

// One axis of a transform (platform/tile_axis.h): a block gives kGiven samples of each band.
template <int kGiven>
struct AdmTransformAxis {
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
struct AdmMaskAxis {
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
struct AdmBands {
  io::Plane<Coefficient> low;  // band a, whole; data is null where nobody reads it (scale 3)
  io::Plane<Coefficient> detail[adm::kBands];
};

// What differs between the transforms: the width of the sums and the rounding.
template <class Input>
struct AdmFilter;
// Scale 0, of samples.
template <>
struct AdmFilter<std::uint8_t> {
  using Coefficient = std::int16_t;
  static constexpr const char* kName = "adm_transform_8";
};
template <>
struct AdmFilter<std::uint16_t> {
  using Coefficient = std::int16_t;
  static constexpr const char* kName = "adm_transform_16";
};
// Scale 1.
template <>
struct AdmFilter<std::int16_t> {
  using Coefficient = std::int32_t;
  static constexpr const char* kName = "adm_transform_scale1";
};
// Scales 2 and 3.
template <>
struct AdmFilter<std::int32_t> {
  using Coefficient = std::int32_t;
  static constexpr const char* kName = "adm_transform_coarse";
};

// One level of the transform, of one picture or of two (block_z: which). A block makes kColumns x kRows samples of each band: first the
// vertical pass over the columns that these need, then the horizontal pass.
template <class Input>
struct AdmTransformKernel {
  using Coefficient = typename AdmFilter<Input>::Coefficient;
  static constexpr const char* kName = AdmFilter<Input>::kName;
  static constexpr int kWidth = 128, kHeight = 2;
  using Columns = AdmTransformAxis<kWidth / 2 - 1>;  // one loaded column for each thread
  using Rows = AdmTransformAxis<sizeof(Input) == 4 ? 8 : 16>;
  static constexpr int kColumns = Columns::kOutputs;
  static constexpr int kRows = Rows::kOutputs;
  // Samples of even and of odd columns apart: the horizontal pass reads every second one.
  static constexpr int kOdd = kWidth / 2 + 16;
  struct Shared {
    Coefficient low[kRows][kOdd + kWidth / 2];
    Coefficient high[kRows][kOdd + kWidth / 2];
  };

  io::Plane<const Input> input[2];
  AdmBands<Coefficient> output[2];
  int width, height;  // of the bands
  adm::Region reach;
  int scale;
  int bit_depth;  // of samples

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
    const AdmBands<Coefficient>& out = first ? output[0] : output[1];
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
    const auto sample = [&](int i) { return value(column[Rows::index(t.block_y(), 2 * begin + i, in.height) * in.stride]); };
    const int place = (t.x() / 2) + (t.x() % 2) * kOdd;
    auto s0 = sample(0);
    auto s1 = sample(1);
    VB_UNROLL for (int i = 0; i < kEach; ++i) {
      const auto s2 = sample(2 * i + 2);
      const auto s3 = sample(2 * i + 3);
      shared.low[begin + i][place] = vertical(adm::low_taps(), s0, s1, s2, s3);
      if (reached) shared.high[begin + i][place] = vertical(adm::high_taps(), s0, s1, s2, s3);
      s0 = s2;
      s1 = s3;
    }
  }

  template <class Thread>
  VB_HOST_DEVICE void horizontal_pass(Thread& t, const Shared& shared, const AdmBands<Coefficient>& out, int left, int top,
                                      bool reached) const {
    constexpr int kLanes = kWidth / 2;  // the last one idles
    const int x = t.x() % kLanes;
    const int column = left + x;
    if (x >= kColumns || column >= width) return;
    for (int i = t.y() * 2 + t.x() / kLanes; i < kRows && top + i < height; i += 2 * kHeight) {
      const int row = top + i;
      const Coefficient* const low = shared.low[i] + x;
      if (out.low.data != nullptr) out.low.row(row)[column] = horizontal(adm::low_taps(), low);
      if (!reached || !reach.contains(column, row)) continue;
      const Coefficient* const high = shared.high[i] + x;
      out.detail[0].row(row - reach.top)[column - reach.left] = horizontal(adm::low_taps(), high);
      out.detail[1].row(row - reach.top)[column - reach.left] = horizontal(adm::high_taps(), low);
      out.detail[2].row(row - reach.top)[column - reach.left] = horizontal(adm::high_taps(), high);
    }
  }

  VB_HOST_DEVICE auto value(Input x) const {
    if constexpr (sizeof(Coefficient) == 2) {
      return adm::centred(x, bit_depth);
    } else {
      return x;
    }
  }
  template <class Value>
  VB_HOST_DEVICE Coefficient vertical(const adm::Taps& taps, Value s0, Value s1, Value s2, Value s3) const {
    // Only the sums of 32-bit coefficients pass 32 bits.
    using Sum = std::conditional_t<sizeof(Value) == 2, std::int32_t, std::int64_t>;
    const Sum sum = adm::filter<Sum>(taps, s0, s1, s2, s3);
    return static_cast<Coefficient>(adm::round_shift(sum, sizeof(Coefficient) == 2 ? bit_depth : adm::vertical_shift(scale)));
  }
  VB_HOST_DEVICE Coefficient horizontal(const adm::Taps& taps, const Coefficient* s) const {
    using Sum = std::conditional_t<sizeof(Coefficient) == 2, std::int32_t, std::int64_t>;
    const Sum sum = adm::filter<Sum>(taps, s[0], s[kOdd], s[1], s[kOdd + 1]);
    return static_cast<Coefficient>(adm::round_shift(sum, sizeof(Coefficient) == 2 ? 16 : adm::horizontal_shift(scale)));
  }
};

// The sums that each row of a scale's inner region has: of the reference, of the detail and of the additive impairment, each for h, v, d.
constexpr int kAdmSums = 3 * adm::kBands;

// One scale for AdmContrastKernel.
template <class Coefficient>
struct AdmContrastScale {
  io::Plane<const Coefficient> reference[adm::kBands];  // the reach
  io::Plane<const Coefficient> distorted[adm::kBands];
  adm::Region inner, reach;
  int width, height;  // of the band
  int scale;
  std::uint32_t weight[adm::kBands];
  int term_shift[adm::kBands];
  int reference_term_shift;
  std::uint64_t* rows;  // kAdmSums lines with one sum for each row of the inner region; zero before
  unsigned first_block;
  unsigned columns;  // blocks in a row
};

// Splits, weighs, masks and cubes the samples of kScales scales, and adds their rows' sums to `rows`, modulo 2^64. The grid is one
// line: the blocks() of each scale, row after row, from first_block on.
// A block takes kInnerColumns x kInnerRows samples and one around them, whose masking signal the inner ones read.
template <class Coefficient>
struct AdmContrastKernel {
  static constexpr const char* kName = sizeof(Coefficient) == 2 ? "adm_contrast_fine" : "adm_contrast_coarse";
  static constexpr int kScales = sizeof(Coefficient) == 2 ? 1 : adm::kScales - 1;
  static constexpr int kWidth = 32, kHeight = 12;
  static constexpr int kEach = 2;  // columns of a thread, kWidth apart
  static constexpr int kColumns = kWidth * kEach;
  using Columns = AdmMaskAxis<kColumns - 2>;
  using Rows = AdmMaskAxis<kHeight - 2>;
  static constexpr int kInnerColumns = Columns::kOutputs;
  static constexpr int kInnerRows = Rows::kOutputs;
  struct Masks {
    std::int32_t detail[kHeight][kColumns];
    std::int32_t additive[kHeight][kColumns];
  };
  static constexpr int kShare = 4;  // threads that add one row's sum
  struct Partials {
    std::uint64_t sum[kAdmSums * kInnerRows][kWidth + kShare];  // wider, so that these threads meet on fewer banks
  };
  union Shared {
    Masks masks;
    Partials partials;
  };

  AdmContrastScale<Coefficient> scales[kScales];
  double gain_limit;
  bool with_additive;

  // Blocks of one scale; the launch has them all in one line.
  static Grid blocks(int inner_width, int inner_height) {
    return {blocks_for(inner_width, kInnerColumns), blocks_for(inner_height, kInnerRows), 1};
  }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const auto block = static_cast<unsigned>(t.block_x());
    if constexpr (kScales == 1) {
      run(t, shared, scales[0], block);
    } else {
      // One call, so that the code is there once.
      const int s = block >= scales[2].first_block ? 2 : (block >= scales[1].first_block ? 1 : 0);
      run(t, shared, scales[s], block - scales[s].first_block);
    }
  }

 private:
  // What a thread keeps of one of its samples.
  struct Kept {
    adm::Triple<Coefficient> detail, additive;
    std::int32_t detail_difference, additive_difference;
    bool inner;
  };
  struct Sums {
    std::uint64_t of[kAdmSums] = {};
  };

  template <class Thread>
  VB_HOST_DEVICE void run(Thread& t, Shared& shared, const AdmContrastScale<Coefficient>& g, unsigned block) const {
    const auto block_x = static_cast<int>(block % g.columns);
    const auto block_y = static_cast<int>(block / g.columns);
    Kept kept[kEach];
    Sums sums;
    VB_UNROLL for (int k = 0; k < kEach; ++k) kept[k] = split_sample(shared.masks, g, block_x, block_y, t.x() + k * kWidth, t.y(), sums);
    t.sync();
    VB_UNROLL for (int k = 0; k < kEach; ++k) {
      if (kept[k].inner) mask_sample(shared.masks, g, kept[k], t.x() + k * kWidth, t.y(), sums);
    }
    t.sync();
    if (t.y() >= 1 && t.y() <= kInnerRows) {
      VB_UNROLL for (int i = 0; i < kAdmSums; ++i) shared.partials.sum[i * kInnerRows + t.y() - 1][t.x()] = sums.of[i];
    }
    t.sync();
    add_rows(t, shared.partials, g, block_y * kInnerRows);
  }

  // Column x, row y of the block: writes its masking signals and adds its reference terms.
  VB_HOST_DEVICE Kept split_sample(Masks& masks, const AdmContrastScale<Coefficient>& g, int block_x, int block_y, int x, int y,
                                   Sums& sums) const {
    const int column = Columns::index(block_x, x, g.width, g.inner.left, g.reach.left, g.reach.width());
    const int row = Rows::index(block_y, y, g.height, g.inner.top, g.reach.top, g.reach.height());
    adm::Triple<Coefficient> reference, distorted;
    VB_UNROLL for (int b = 0; b < adm::kBands; ++b) {
      reference.band[b] = g.reference[b].row(row)[column];
      distorted.band[b] = g.distorted[b].row(row)[column];
    }
    const adm::Split<Coefficient> parts = adm::split(reference, distorted, gain_limit);
    const adm::Weighed<Coefficient> detail = adm::weigh(parts.detail, g.weight);
    const adm::Weighed<Coefficient> additive = adm::weigh(parts.additive, g.weight);
    masks.detail[y][x] = detail.neighbour;
    masks.additive[y][x] = additive.neighbour;
    const bool inner = x >= 1 && x <= kInnerColumns && y >= 1 && y <= kInnerRows && block_x * kInnerColumns + x <= g.inner.width() &&
                       block_y * kInnerRows + y <= g.inner.height();
    if (inner) {
      VB_UNROLL for (int b = 0; b < adm::kBands; ++b) sums.of[b] += reference_term(reference.band[b], g);
    }
    return {detail.signal, additive.signal, detail.difference, additive.difference, inner};
  }

  VB_HOST_DEVICE void mask_sample(const Masks& masks, const AdmContrastScale<Coefficient>& g, const Kept& kept, int x, int y,
                                  Sums& sums) const {
    const std::int32_t cut_detail = threshold(masks.additive, x, y, kept.additive_difference);
    VB_UNROLL for (int b = 0; b < adm::kBands; ++b) sums.of[adm::kBands + b] += masked_term(kept.detail.band[b], cut_detail, g, b);
    if (!with_additive) return;
    const std::int32_t cut_additive = threshold(masks.detail, x, y, kept.detail_difference);
    VB_UNROLL for (int b = 0; b < adm::kBands; ++b) sums.of[2 * adm::kBands + b] += masked_term(kept.additive.band[b], cut_additive, g, b);
  }

  VB_HOST_DEVICE static std::int32_t threshold(const std::int32_t (&mask)[kHeight][kColumns], int x, int y, std::int32_t difference) {
    auto sum = static_cast<std::uint32_t>(difference);
    VB_UNROLL for (int j = -1; j <= 1; ++j) {
      VB_UNROLL for (int i = -1; i <= 1; ++i) sum += static_cast<std::uint32_t>(mask[y + j][x + i]);
    }
    return static_cast<std::int32_t>(sum);
  }

  VB_HOST_DEVICE static std::uint64_t reference_term(Coefficient o, const AdmContrastScale<Coefficient>& g) {
    if constexpr (sizeof(Coefficient) == 2) {
      return adm::reference_term(o);
    } else {
      return adm::reference_term(o, g.scale, g.reference_term_shift);
    }
  }
  VB_HOST_DEVICE static std::uint64_t masked_term(Coefficient signal, std::int32_t cut, const AdmContrastScale<Coefficient>& g, int b) {
    if constexpr (sizeof(Coefficient) == 2) {
      return static_cast<std::uint64_t>(adm::masked_term(signal, g.weight[b], cut, b, g.term_shift[b]));
    } else {
      return static_cast<std::uint64_t>(adm::masked_term(signal, cut, g.term_shift[b]));
    }
  }

  // Adds the block's part of each row, from row `top` of the inner region on.
  template <class Thread>
  VB_HOST_DEVICE static void add_rows(Thread& t, const Partials& partials, const AdmContrastScale<Coefficient>& g, int top) {
    const int index = (t.y() * kWidth + t.x()) / kShare;
    const int part = t.x() % kShare;
    static_assert(kWidth * kHeight / kShare >= kAdmSums * kInnerRows, "all sums in one turn");
    const int row = top + index % kInnerRows;
    if (index >= kAdmSums * kInnerRows || row >= g.inner.height()) return;
    std::uint64_t sum = 0;
    VB_UNROLL for (int i = 0; i < kWidth / kShare; ++i) sum += partials.sum[index][i * kShare + part];
    if (sum != 0) t.atomic_add(g.rows + index / kInnerRows * g.inner.height() + row, sum);
  }
};

// One scale for AdmRowsKernel.
struct AdmRowsScale {
  const std::uint64_t* rows;  // as AdmContrastScale
  int height;                 // of the inner region
  int row_shift;
  int reference_row_shift;
};

// Rounds each row's sum and adds the rows: totals[(scale * 3 + part) * 3 + band]. One block for each total, a row of blocks for each scale.
struct AdmRowsKernel {
  static constexpr const char* kName = "adm_rows";
  static constexpr int kWidth = 128, kHeight = 1;
  struct Shared {
    std::uint64_t partial[kWidth];
  };

  AdmRowsScale scales[adm::kScales];
  std::uint64_t* totals;

  static Grid grid() { return {kAdmSums, adm::kScales, 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const AdmRowsScale& g = scales[t.block_y()];
    const int line = t.block_x();
    const bool reference = line < adm::kBands;
    const std::uint64_t* const rows = g.rows + line * g.height;
    std::uint64_t sum = 0;
    for (int y = t.x(); y < g.height; y += kWidth) {
      sum += reference ? adm::rounded_row(rows[y], g.reference_row_shift)
                       : static_cast<std::uint64_t>(adm::rounded_row(static_cast<std::int64_t>(rows[y]), g.row_shift));
    }
    block_sum(t, shared.partial, t.x(), sum);
    if (t.x() == 0) totals[t.block_y() * kAdmSums + line] = shared.partial[0];
  }
};

using AdmKernels =
    KernelList<AdmTransformKernel<std::uint8_t>, AdmTransformKernel<std::uint16_t>, AdmTransformKernel<std::int16_t>,
               AdmTransformKernel<std::int32_t>, AdmContrastKernel<std::int16_t>, AdmContrastKernel<std::int32_t>, AdmRowsKernel>;

}  // namespace vmafbatch::hip
