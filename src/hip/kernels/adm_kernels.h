// Integer ADM: the wavelet transform of a scale, the split, masking and row sums of one or more scales, and the rounding of the rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extractors/adm_math.h"
#include "hip/kernels/wavelet_kernel.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// The steps of adm's transform. Scale 0 reads samples, scale 1 band a of scale 0, scales 2 and 3 band a of the scale before.
template <class Sample>
struct AdmStep {
  using Input = Sample;
  using Coefficient = std::conditional_t<std::is_signed_v<Sample>, std::int32_t, std::int16_t>;
  static constexpr bool kOfSamples = !std::is_signed_v<Sample>;
  static constexpr const char* kName = kOfSamples ? (sizeof(Sample) == 1 ? "adm_transform_8" : "adm_transform_16")
                                                  : (sizeof(Sample) == 2 ? "adm_transform_scale1" : "adm_transform_coarse");
  static constexpr int kRows = sizeof(Sample) == 4 ? 8 : 16;

  int scale;
  int bit_depth;  // of samples

  VB_HOST_DEVICE auto value(Input x) const {
    if constexpr (kOfSamples) {
      return adm::centred(x, bit_depth);
    } else {
      return x;
    }
  }
  template <class Value>
  VB_HOST_DEVICE Coefficient vertical(bool high, Value s0, Value s1, Value s2, Value s3) const {
    return filtered<Value>(high, s0, s1, s2, s3, kOfSamples ? bit_depth : adm::vertical_shift(scale));
  }
  VB_HOST_DEVICE Coefficient horizontal(bool high, Coefficient s0, Coefficient s1, Coefficient s2, Coefficient s3) const {
    return filtered<Coefficient>(high, s0, s1, s2, s3, kOfSamples ? 16 : adm::horizontal_shift(scale));
  }

 private:
  template <class Value>
  VB_HOST_DEVICE static Coefficient filtered(bool high, Value s0, Value s1, Value s2, Value s3, int shift) {
    using Sum = std::conditional_t<sizeof(Value) == 2, std::int32_t, std::int64_t>;  // 16-bit values filtered fit 32 bits
    const Sum sum = adm::filter<Sum>(high ? adm::high_taps() : adm::low_taps(), s0, s1, s2, s3);
    return static_cast<Coefficient>(adm::round_shift(sum, shift));
  }
};
template <class Sample>
using AdmTransformKernel = WaveletKernel<AdmStep<Sample>>;

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
  using Columns = MaskAxis<kColumns - 2>;
  using Rows = MaskAxis<kHeight - 2>;
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
