// The planes that float_motion compares, and their differences.
#pragma once

#include <cstdint>

#include "extractors/float_motion_math.h"
#include "extractors/float_plane_math.h"
#include "hip/kernels/row_sum_kernels.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "hip/platform/tile_axis.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// The samples on the 8-bit scale, centred, filtered vertically, then horizontally. Each thread filters one column of the tile down its
// rows, then, behind the one barrier, writes the rows of one column of outputs.
template <class Sample>
struct FloatMotionBlurKernel {
  static constexpr const char* kName = sizeof(Sample) == 1 ? "float_motion_blur_8" : "float_motion_blur_16";
  static constexpr int kWidth = 256, kHeight = 1;
  using Columns = MirroredAxis<252, 2>;  // for 5 taps; fewer leave its ends out
  using Rows = MirroredAxis<16, 2>;
  static_assert(Columns::kLoaded == kWidth, "a thread for each column of the tile");
  struct Shared {
    float vertical[Rows::kOutputs][kWidth];
  };

  io::Plane<const Sample> samples;
  float factor;  // float_sample_factor
  int taps;      // 5, 3, or 1: none
  io::Plane<float> blurred;

  static Grid grid(int width, int height) { return {blocks_for(width, Columns::kOutputs), blocks_for(height, Rows::kOutputs), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    blur_column(t, shared);
    t.sync();
    const int x = t.block_x() * Columns::kOutputs + t.x();
    if (t.x() >= Columns::kOutputs || x >= samples.width) return;
    for (int i = 0; i < Rows::kOutputs && t.block_y() * Rows::kOutputs + i < samples.height; ++i) {
      blurred.row(t.block_y() * Rows::kOutputs + i)[x] = filter(shared.vertical[i] + t.x());
    }
  }

 private:
  VB_HOST_DEVICE float filter(const float* v) const { return extractors::float_motion_filter(taps, v[0], v[1], v[2], v[3], v[4]); }

  template <class Thread>
  VB_HOST_DEVICE void blur_column(Thread& t, Shared& shared) const {
    const int x = Columns::index(t.block_x(), t.x(), samples.width);
    float column[Rows::kLoaded];
    VB_UNROLL
    for (int i = 0; i < Rows::kLoaded; ++i) {
      const Sample sample = samples.row(Rows::index(t.block_y(), i, samples.height))[x];
      column[i] = extractors::float_sample(sample, factor, extractors::kCentredOffset);
    }
    VB_UNROLL
    for (int i = 0; i < Rows::kOutputs; ++i) shared.vertical[i][t.x()] = filter(column + i);
  }
};

// The plane at half size, bilinear. A thread for each output.
struct FloatMotionHalfKernel {
  static constexpr const char* kName = "float_motion_half";
  static constexpr int kWidth = 64, kHeight = 4;
  using Shared = NoShared;

  io::Plane<const float> plane;
  io::Plane<float> half;

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared&) const {
    const int x = t.global_x();
    const int y = t.global_y();
    if (x >= half.width || y >= half.height) return;
    const extractors::HalfPosition column = extractors::half_position(x, plane.width);
    const extractors::HalfPosition row = extractors::half_position(y, plane.height);
    const float* const top = plane.row(row.low);
    const float* const bottom = plane.row(row.high);
    half.row(y)[x] = extractors::float_motion_bilinear(top[column.low], top[column.high], bottom[column.low], bottom[column.high],
                                                       column.weight, row.weight);
  }
};

// |earlier - current| of every sample, as the terms of RowSumKernel. A block turns a tile of 32 columns of one group of rows: both its
// loads and its stores are of neighbours.
struct FloatMotionDifferenceKernel {
  static constexpr const char* kName = "float_motion_difference";
  static constexpr int kWidth = 32, kHeight = 8;
  struct Shared {
    float difference[kWidth][kTermRows + 1];  // one more: columns start in different banks
  };

  io::Plane<const float> earlier, current;
  float* terms;  // row_term_count(width, height)

  static Grid grid(int width, int height) { return {blocks_for(width, kWidth), blocks_for(height, kTermRows), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    const int first_x = t.block_x() * kWidth;
    const int first_y = t.block_y() * kTermRows;
    for (int i = t.y(); i < kTermRows && first_y + i < current.height && first_x + t.x() < current.width; i += kHeight) {
      shared.difference[t.x()][i] =
          extractors::float_motion_difference(earlier.row(first_y + i)[first_x + t.x()], current.row(first_y + i)[first_x + t.x()]);
    }
    t.sync();
    const int thread = t.y() * kWidth + t.x();
    const int row = thread % kTermRows;
    if (first_y + row >= current.height) return;
    for (int i = thread / kTermRows; i < kWidth && first_x + i < current.width; i += kWidth * kHeight / kTermRows) {
      terms[row_term_index(first_x + i, first_y + row, current.width)] = shared.difference[i][row];
    }
  }
};

using FloatMotionKernels = KernelList<FloatMotionBlurKernel<std::uint8_t>, FloatMotionBlurKernel<std::uint16_t>, FloatMotionHalfKernel,
                                      FloatMotionDifferenceKernel>;

}  // namespace vmafbatch::hip
