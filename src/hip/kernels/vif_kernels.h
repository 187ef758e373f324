// One scale of vif: the exact sums of its statistic and the samples of the next scale.
#pragma once

#include <cstdint>
#include <type_traits>

#include "extractors/vif_math.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "hip/platform/tile_axis.h"
#include "io/plane.h"

namespace vmafbatch::hip {

struct VifSamples {
  std::uint32_t reference, distorted;
};

// A plane of scales 1 to 3: the reference's sample in the low half of a word, the distorted picture's in the high half.
using VifWords = io::Plane<std::uint32_t>;

VB_HOST_DEVICE constexpr std::uint32_t vif_word(std::uint32_t reference, std::uint32_t distorted) { return reference | (distorted << 16); }
VB_HOST_DEVICE constexpr VifSamples vif_samples(std::uint32_t word) { return {word & 0xFFFFu, word >> 16}; }

// What the kernel of a scale reads. Scale 0: the luma of both pictures.
template <class Sample>
struct VifLuma {
  static constexpr const char* kName = sizeof(Sample) == 1 ? "vif_scale0_8" : "vif_scale0_16";
  static constexpr int kScale = 0;
  // Of the vertical pass over products: at 8 bits they fit 32.
  using ProductSum = std::conditional_t<sizeof(Sample) == 1, std::uint32_t, std::uint64_t>;

  io::Plane<const Sample> reference, distorted;
  int bit_depth;

  VB_HOST_DEVICE int width() const { return reference.width; }
  VB_HOST_DEVICE int height() const { return reference.height; }
  VB_HOST_DEVICE int depth() const { return sizeof(Sample) == 1 ? 8 : bit_depth; }
  VB_HOST_DEVICE VifSamples at(int y, int x) const { return {reference.row(y)[x], distorted.row(y)[x]}; }
};

template <int scale>
struct VifCoarse {
  static constexpr const char* kName = scale == 1 ? "vif_scale1" : scale == 2 ? "vif_scale2" : "vif_scale3";
  static constexpr int kScale = scale;
  using ProductSum = std::uint64_t;

  io::Plane<const std::uint32_t> words;

  VB_HOST_DEVICE int width() const { return words.width; }
  VB_HOST_DEVICE int height() const { return words.height; }
  VB_HOST_DEVICE int depth() const { return 16; }
  VB_HOST_DEVICE VifSamples at(int y, int x) const { return vif_samples(words.row(y)[x]); }
};

// Adds the four sums of VifSums, in their order, to totals[0 .. 3], and writes the next scale. A block serves a tile. Each thread filters
// one column of it for half of its rows and leaves the results in shared memory; then each thread filters a few neighbours of one row.
template <class Source>
struct VifScaleKernel {
  static constexpr const char* kName = Source::kName;
  static constexpr int kWidth = 128, kHeight = 2;
  static constexpr int kScale = Source::kScale;
  static constexpr int kRadius = extractors::vif_radius(kScale);
  using Columns = MirroredAxis<112, kRadius>;  // 112: what the widest window leaves of 128 columns
  using Rows = MirroredAxis<16, kRadius>;
  static constexpr int kTileWidth = Columns::kOutputs, kTileHeight = Rows::kOutputs;
  static constexpr int kRows = kTileHeight / kHeight;  // of a thread in the vertical pass
  // Of a thread in the horizontal pass. Odd: eight threads then read from different banks of shared memory.
  static constexpr int kPixels = 7;
  static constexpr int kThreadsPerRow = kTileWidth / kPixels;
  static constexpr int kThreads = kWidth * kHeight;
  static_assert(Columns::kLoaded <= kWidth && kThreadsPerRow * kPixels == kTileWidth);
  static_assert(kThreadsPerRow * kTileHeight == kThreads, "every thread has its pixels");

  static constexpr bool kHasNext = kScale + 1 < extractors::kVifScales;
  static constexpr int kNextRadius = extractors::vif_radius(kScale + 1);
  static constexpr int kNextWidth = kTileWidth / 2, kNextHeight = kTileHeight / 2;
  static constexpr int kNextRows = kNextHeight / kHeight;

  // One column behind the vertical pass.
  struct alignas(16) Column {
    std::uint32_t means;  // a VifWord
    std::uint32_t square1, square2, product;
  };
  struct Sums {
    std::int64_t value[4];
    VB_HOST_DEVICE Sums& operator+=(const Sums& other) {
      for (int i = 0; i < 4; ++i) value[i] += other.value[i];
      return *this;
    }
  };
  struct Shared {
    Column columns[kTileHeight][kWidth];
    std::uint32_t next[kNextHeight][kWidth];  // VifWords of the next scale behind the vertical pass
    Sums partial[kThreads];
  };

  Source source;
  bool measured;  // false: only the next scale is wanted
  VifWords next;  // written unless this is the last scale
  const std::uint16_t* logarithms;
  double gain_limit;
  std::int64_t* totals;

  static Grid grid(int width, int height) { return {blocks_for(width, kTileWidth), blocks_for(height, kTileHeight), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const int thread = t.y() * kWidth + t.x();
    if (measured) filter_column(t, shared);
    if constexpr (kHasNext) filter_next_column(t, shared);
    t.sync();
    if constexpr (kHasNext) write_next(t, thread, shared);
    if (!measured) return;
    const Sums own = sums_of(t, thread % kThreadsPerRow * kPixels, thread / kThreadsPerRow, shared);
    block_sum(t, shared.partial, thread, own);
    if (thread < 4) t.atomic_add(totals + thread, shared.partial[0].value[thread]);
  }

 private:
  using ProductSum = typename Source::ProductSum;
  VB_HOST_DEVICE static constexpr std::uint32_t tap(int scale, int distance) {
    return extractors::vif_tap(scale, distance < 0 ? -distance : distance);
  }

  // The vertical pass over column t.x() of the tile, for kRows of its rows. Each sample goes into all windows that it is part of.
  template <class Thread>
  VB_HOST_DEVICE void filter_column(Thread& t, Shared& shared) const {
    if (t.x() >= Columns::kLoaded) return;
    const int x = Columns::index(t.block_x(), t.x(), source.width());
    const int first = t.y() * kRows;
    std::uint32_t mean1[kRows] = {}, mean2[kRows] = {};
    ProductSum square1[kRows] = {}, square2[kRows] = {}, product[kRows] = {};
    VB_UNROLL
    for (int i = 0; i < kRows + 2 * kRadius; ++i) {
      const VifSamples s = source.at(Rows::index(t.block_y(), first + i, source.height()), x);
      const std::uint32_t pp = s.reference * s.reference;
      const std::uint32_t qq = s.distorted * s.distorted;
      const std::uint32_t pq = s.reference * s.distorted;
      VB_UNROLL
      for (int j = 0; j < kRows; ++j) {
        const int distance = i - j - kRadius;
        if (distance < -kRadius || distance > kRadius) continue;
        const std::uint32_t weight = tap(kScale, distance);
        mean1[j] += weight * s.reference;
        mean2[j] += weight * s.distorted;
        square1[j] += ProductSum{weight} * pp;
        square2[j] += ProductSum{weight} * qq;
        product[j] += ProductSum{weight} * pq;
      }
    }
    const int sample_shift = extractors::vif_sample_shift(kScale, source.depth());
    const int product_shift = extractors::vif_product_shift(kScale, source.depth());
    VB_UNROLL
    for (int j = 0; j < kRows; ++j) {
      shared.columns[first + j][t.x()] = {
          vif_word(extractors::vif_round(mean1[j], sample_shift), extractors::vif_round(mean2[j], sample_shift)),
          static_cast<std::uint32_t>(extractors::vif_round(square1[j], product_shift)),
          static_cast<std::uint32_t>(extractors::vif_round(square2[j], product_shift)),
          static_cast<std::uint32_t>(extractors::vif_round(product[j], product_shift))};
    }
  }

  // The same for the next scale: every second row, with the window of that scale, which is narrower.
  template <class Thread>
  VB_HOST_DEVICE void filter_next_column(Thread& t, Shared& shared) const {
    constexpr int kUnused = kRadius - kNextRadius;  // at either end of the tile
    if (t.x() < kUnused || t.x() >= Columns::kLoaded - kUnused) return;
    const int x = Columns::index(t.block_x(), t.x(), source.width());
    const int first = t.y() * kNextRows;
    std::uint32_t sum1[kNextRows] = {}, sum2[kNextRows] = {};
    VB_UNROLL
    for (int i = 0; i < 2 * (kNextRows - 1) + 2 * kNextRadius + 1; ++i) {
      const VifSamples s = source.at(Rows::index(t.block_y(), kUnused + 2 * first + i, source.height()), x);
      VB_UNROLL
      for (int j = 0; j < kNextRows; ++j) {
        const int distance = i - 2 * j - kNextRadius;
        if (distance < -kNextRadius || distance > kNextRadius) continue;
        sum1[j] += tap(kScale + 1, distance) * s.reference;
        sum2[j] += tap(kScale + 1, distance) * s.distorted;
      }
    }
    const int shift = extractors::vif_sample_shift(kScale, source.depth());
    VB_UNROLL
    for (int j = 0; j < kNextRows; ++j) {
      shared.next[first + j][t.x()] = vif_word(extractors::vif_round(sum1[j], shift), extractors::vif_round(sum2[j], shift));
    }
  }

  // The horizontal pass of the next scale.
  template <class Thread>
  VB_HOST_DEVICE void write_next(const Thread& t, int thread, const Shared& shared) const {
    for (int n = thread; n < kNextWidth * kNextHeight; n += kThreads) {
      const int x = n % kNextWidth;
      const int y = n / kNextWidth;
      const int next_x = t.block_x() * kNextWidth + x;
      const int next_y = t.block_y() * kNextHeight + y;
      if (next_x >= next.width || next_y >= next.height) continue;
      std::uint32_t sum1 = 0, sum2 = 0;
      VB_UNROLL
      for (int distance = -kNextRadius; distance <= kNextRadius; ++distance) {
        const VifSamples s = vif_samples(shared.next[y][2 * x + kRadius + distance]);
        sum1 += tap(kScale + 1, distance) * s.reference;
        sum2 += tap(kScale + 1, distance) * s.distorted;
      }
      next.row(next_y)[next_x] = vif_word(extractors::vif_round(sum1, 16), extractors::vif_round(sum2, 16));
    }
  }

  // The horizontal pass at kPixels pixels of the tile from (x, y) on, and their statistic.
  template <class Thread>
  VB_HOST_DEVICE Sums sums_of(const Thread& t, int x, int y, const Shared& shared) const {
    std::uint32_t mean1[kPixels] = {}, mean2[kPixels] = {};
    std::uint64_t square1[kPixels] = {}, square2[kPixels] = {}, product[kPixels] = {};
    VB_UNROLL
    for (int i = 0; i < kPixels + 2 * kRadius; ++i) {
      const Column column = shared.columns[y][x + i];
      const VifSamples means = vif_samples(column.means);
      VB_UNROLL
      for (int j = 0; j < kPixels; ++j) {
        const int distance = i - j - kRadius;
        if (distance < -kRadius || distance > kRadius) continue;
        const std::uint32_t weight = tap(kScale, distance);
        mean1[j] += weight * means.reference;
        mean2[j] += weight * means.distorted;
        square1[j] += std::uint64_t{weight} * column.square1;
        square2[j] += std::uint64_t{weight} * column.square2;
        product[j] += std::uint64_t{weight} * column.product;
      }
    }
    const int inside = source.width() - t.block_x() * kTileWidth - x;  // pixels of the row from x on
    const bool row_inside = t.block_y() * kTileHeight + y < source.height();
    extractors::VifSums sums;
    VB_UNROLL
    for (int j = 0; j < kPixels; ++j) {
      if (j >= inside || !row_inside) continue;
      const extractors::VifMoments moments{mean1[j], mean2[j], static_cast<std::uint32_t>(extractors::vif_round(square1[j], 16)),
                                           static_cast<std::uint32_t>(extractors::vif_round(square2[j], 16)),
                                           static_cast<std::uint32_t>(extractors::vif_round(product[j], 16))};
      extractors::vif_add_pixel(extractors::vif_variances(moments), gain_limit, logarithms, sums);
    }
    return {{sums.log_numerator, sums.log_denominator, sums.flat_variance, sums.flat_pixels}};
  }
};

using VifKernels = KernelList<VifScaleKernel<VifLuma<std::uint8_t>>, VifScaleKernel<VifLuma<std::uint16_t>>, VifScaleKernel<VifCoarse<1>>,
                              VifScaleKernel<VifCoarse<2>>, VifScaleKernel<VifCoarse<3>>>;

}  // namespace vmafbatch::hip
