// One scale of float_vif: the terms of its statistic and the samples of the next scale.
#pragma once

#include <cstdint>

#include "extractors/float_plane_math.h"
#include "extractors/float_vif_math.h"
#include "hip/kernels/row_sum_kernels.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "hip/platform/tile_axis.h"
#include "io/plane.h"

namespace vmafbatch::hip {

struct FloatVifSamples {
  float reference, distorted;
};

// What the kernel of a scale reads: the luma of both pictures, which is scale 0 ...
template <class Sample>
struct FloatVifLuma {
  static constexpr int kBits = 8 * sizeof(Sample);
  io::Plane<const Sample> reference, distorted;
  float factor;  // float_sample_factor

  VB_HOST_DEVICE int width() const { return reference.width; }
  VB_HOST_DEVICE int height() const { return reference.height; }
  VB_HOST_DEVICE FloatVifSamples at(int y, int x) const {
    return {extractors::float_sample(reference.row(y)[x], factor, extractors::kCentredOffset),
            extractors::float_sample(distorted.row(y)[x], factor, extractors::kCentredOffset)};
  }
};

// ... or planes of floats: scales 1 to 3, and scale 0 behind a prescale.
struct FloatVifPlanes {
  static constexpr int kBits = 32;
  io::Plane<const float> reference, distorted;

  VB_HOST_DEVICE int width() const { return reference.width; }
  VB_HOST_DEVICE int height() const { return reference.height; }
  VB_HOST_DEVICE FloatVifSamples at(int y, int x) const { return {reference.row(y)[x], distorted.row(y)[x]}; }
};

// The windows of a scale and of the one after it, as compile-time radii where they are those of kernel scale 1.
template <int window, int next>
struct FloatVifFixedRadii {
  static constexpr int kReach = window;
  static constexpr int kTile = 112;  // outputs of a block along a row: what the widest window leaves of 128 columns
  static constexpr int kTaps = 2 * window + 1, kNextTaps = 2 * next + 1;
  VB_HOST_DEVICE static constexpr int radius() { return window; }
  VB_HOST_DEVICE static constexpr int next_radius() { return next; }
  VB_HOST_DEVICE static constexpr bool has_next() { return next > 0; }
};

// Any windows that float_vif has: at most 65 taps.
struct FloatVifAnyRadii {
  static constexpr int kReach = 32;
  static constexpr int kTile = 64;
  static constexpr int kTaps = 65, kNextTaps = 65;
  int window, next;  // next: 0 for the last scale
  VB_HOST_DEVICE int radius() const { return window; }
  VB_HOST_DEVICE int next_radius() const { return next; }
  VB_HOST_DEVICE bool has_next() const { return next > 0; }
};

// `reach`: of the tile, which tells the radii apart.
constexpr const char* float_vif_kernel_name(int bits, int reach) {
  switch (reach) {
    case 8: return bits == 8 ? "float_vif_scale0_8" : "float_vif_scale0_16";
    case 4: return "float_vif_scale1";
    case 2: return "float_vif_scale2";
    case 1: return "float_vif_scale3";
    default: return bits == 8 ? "float_vif_any_8" : bits == 16 ? "float_vif_any_16" : "float_vif_any";
  }
}

// The terms of every pixel in the layout of RowSumKernel, and the planes of the next scale. A block serves a tile; it filters down the
// columns into shared memory, then along the rows. Every sum adds its taps in ascending order.
template <class Source, class Radii>
struct FloatVifScaleKernel {
  static constexpr const char* kName = float_vif_kernel_name(Source::kBits, Radii::kReach);
  static constexpr int kWidth = 128, kHeight = 2;
  using Columns = MirroredAxis<Radii::kTile, Radii::kReach>;
  using Rows = MirroredAxis<16, Radii::kReach>;
  static constexpr int kThreads = kWidth * kHeight;
  static constexpr int kRows = Rows::kOutputs / kHeight;  // of a thread in the vertical pass
  // Of a thread in the horizontal pass. Neighbouring threads have neighbouring rows, as the layout of the terms wants it.
  static constexpr int kPixels = Columns::kOutputs * Rows::kOutputs / kThreads;
  static_assert(Columns::kLoaded <= kWidth && kPixels * kThreads == Columns::kOutputs * Rows::kOutputs);
  static constexpr int kNextWidth = Columns::kOutputs / 2, kNextHeight = Rows::kOutputs / 2;
  static constexpr int kNextRows = kNextHeight / kHeight;
  static constexpr int kPitch = kWidth + 2;  // the 16 rows and two columns of 32 threads lie in different banks of shared memory

  struct Shared {
    float mean1[Rows::kOutputs][kPitch], mean2[Rows::kOutputs][kPitch];  // also the two pictures of the next scale
    float square1[Rows::kOutputs][kPitch], square2[Rows::kOutputs][kPitch], product[Rows::kOutputs][kPitch];
  };

  Source source;
  Radii radii;
  float window[Radii::kTaps];
  float next_window[Radii::kNextTaps];
  extractors::FloatVifChannel channel;
  float* numerators;  // null: only the next scale is wanted
  float* denominators;
  io::Plane<float> next_reference, next_distorted;  // written unless this is the last scale

  static Grid grid(int width, int height) { return {blocks_for(width, Columns::kOutputs), blocks_for(height, Rows::kOutputs), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    if (numerators != nullptr) {
      filter_column(t, shared);
      t.sync();
      write_terms(t, shared);
      if (!radii.has_next()) return;
      t.sync();
    }
    filter_next_column(t, shared);
    t.sync();
    write_next(t, shared);
  }

 private:
  // The vertical pass over column t.x() of the tile, for kRows of its rows. Each sample goes into all windows that it is part of.
  template <class Thread>
  VB_HOST_DEVICE void filter_column(Thread& t, Shared& shared) const {
    if (t.x() >= Columns::kLoaded) return;
    const int x = Columns::index(t.block_x(), t.x(), source.width());
    const int first = t.y() * kRows;
    const int radius = radii.radius();
    extractors::FloatVifMoments sum[kRows] = {};
    VB_UNROLL
    for (int i = 0; i < kRows + 2 * radius; ++i) {
      const FloatVifSamples s = source.at(Rows::index(t.block_y(), first + Radii::kReach - radius + i, source.height()), x);
      VB_UNROLL
      for (int j = 0; j < kRows; ++j) {
        if (i - j >= 0 && i - j <= 2 * radius) extractors::float_vif_add_samples(window[i - j], s.reference, s.distorted, sum[j]);
      }
    }
    VB_UNROLL
    for (int j = 0; j < kRows; ++j) {
      shared.mean1[first + j][t.x()] = sum[j].mean1;
      shared.mean2[first + j][t.x()] = sum[j].mean2;
      shared.square1[first + j][t.x()] = sum[j].square1;
      shared.square2[first + j][t.x()] = sum[j].square2;
      shared.product[first + j][t.x()] = sum[j].product;
    }
  }

  // The horizontal pass at kPixels pixels of one row, and their terms.
  template <class Thread>
  VB_HOST_DEVICE void write_terms(Thread& t, const Shared& shared) const {
    const int thread = t.y() * kWidth + t.x();
    const int row = thread % Rows::kOutputs;
    const int first = thread / Rows::kOutputs * kPixels;
    const int radius = radii.radius();
    extractors::FloatVifMoments sum[kPixels] = {};
    VB_UNROLL
    for (int i = 0; i < kPixels + 2 * radius; ++i) {
      const int x = first + Radii::kReach - radius + i;
      const extractors::FloatVifMoments column{shared.mean1[row][x], shared.mean2[row][x], shared.square1[row][x], shared.square2[row][x],
                                               shared.product[row][x]};
      VB_UNROLL
      for (int j = 0; j < kPixels; ++j) {
        if (i - j >= 0 && i - j <= 2 * radius) extractors::float_vif_add_column(window[i - j], column, sum[j]);
      }
    }
    const int y = t.block_y() * Rows::kOutputs + row;
    if (y >= source.height()) return;
    VB_UNROLL
    for (int j = 0; j < kPixels; ++j) {
      const int x = t.block_x() * Columns::kOutputs + first + j;
      if (x >= source.width()) continue;
      const extractors::FloatVifSums terms = extractors::float_vif_terms(sum[j], channel);
      const std::ptrdiff_t index = row_term_index(x, y, source.width());
      numerators[index] = terms.numerator;
      denominators[index] = terms.denominator;
    }
  }

  // The vertical pass for the next scale: every second row, with the window of that scale, which is not wider.
  template <class Thread>
  VB_HOST_DEVICE void filter_next_column(Thread& t, Shared& shared) const {
    const int radius = radii.next_radius();
    const int unused = Radii::kReach - radius;  // at either end of the tile
    if (t.x() < unused || t.x() >= Columns::kLoaded - unused) return;
    const int x = Columns::index(t.block_x(), t.x(), source.width());
    const int first = t.y() * kNextRows;
    FloatVifSamples sum[kNextRows] = {};
    VB_UNROLL
    for (int i = 0; i < 2 * kNextRows - 1 + 2 * radius; ++i) {
      const FloatVifSamples s = source.at(Rows::index(t.block_y(), unused + 2 * first + i, source.height()), x);
      VB_UNROLL
      for (int j = 0; j < kNextRows; ++j) {
        const int tap = i - 2 * j;
        if (tap < 0 || tap > 2 * radius) continue;
        sum[j].reference = sum[j].reference + next_window[tap] * s.reference;
        sum[j].distorted = sum[j].distorted + next_window[tap] * s.distorted;
      }
    }
    VB_UNROLL
    for (int j = 0; j < kNextRows; ++j) {
      shared.mean1[first + j][t.x()] = sum[j].reference;
      shared.mean2[first + j][t.x()] = sum[j].distorted;
    }
  }

  // The horizontal pass for the next scale.
  template <class Thread>
  VB_HOST_DEVICE void write_next(Thread& t, const Shared& shared) const {
    const int radius = radii.next_radius();
    for (int n = t.y() * kWidth + t.x(); n < kNextWidth * kNextHeight; n += kThreads) {
      const int x = t.block_x() * kNextWidth + n % kNextWidth;
      const int y = t.block_y() * kNextHeight + n / kNextWidth;
      if (x >= next_reference.width || y >= next_reference.height) continue;
      const int first = 2 * (n % kNextWidth) + Radii::kReach - radius;
      FloatVifSamples sum{0.0f, 0.0f};
      VB_UNROLL
      for (int k = 0; k <= 2 * radius; ++k) {
        sum.reference = sum.reference + next_window[k] * shared.mean1[n / kNextWidth][first + k];
        sum.distorted = sum.distorted + next_window[k] * shared.mean2[n / kNextWidth][first + k];
      }
      next_reference.row(y)[x] = sum.reference;
      next_distorted.row(y)[x] = sum.distorted;
    }
  }
};

using FloatVifKernels =
    KernelList<FloatVifScaleKernel<FloatVifLuma<std::uint8_t>, FloatVifFixedRadii<8, 4>>,
               FloatVifScaleKernel<FloatVifLuma<std::uint16_t>, FloatVifFixedRadii<8, 4>>,
               FloatVifScaleKernel<FloatVifPlanes, FloatVifFixedRadii<4, 2>>, FloatVifScaleKernel<FloatVifPlanes, FloatVifFixedRadii<2, 1>>,
               FloatVifScaleKernel<FloatVifPlanes, FloatVifFixedRadii<1, 0>>,
               FloatVifScaleKernel<FloatVifLuma<std::uint8_t>, FloatVifAnyRadii>,
               FloatVifScaleKernel<FloatVifLuma<std::uint16_t>, FloatVifAnyRadii>, FloatVifScaleKernel<FloatVifPlanes, FloatVifAnyRadii>>;

}  // namespace vmafbatch::hip
