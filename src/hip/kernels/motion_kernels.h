// The sum of absolute differences of two pictures after a blur, in fixed point: the device work of motion and motion_v2.
#pragma once

#include <cstdint>

#include "extractors/motion_math.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "hip/platform/tile_axis.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// Adds the sum over a plane of |blur(earlier - current)| to *total. Each thread filters one column of the tile down its rows, then, behind
// the one barrier, the rows of one column of outputs.
template <class Sample>
struct MotionSadKernel {
  static constexpr const char* kName = sizeof(Sample) == 1 ? "motion_sad_8" : "motion_sad_16";
  static constexpr int kWidth = 256, kHeight = 1;
  using Columns = MirroredAxis<252, 2>;
  using Rows = MirroredAxis<16, 2>;
  static_assert(Columns::kLoaded == kWidth, "a thread for each column of the tile");
  struct Shared {
    std::int32_t vertical[Rows::kOutputs][kWidth];
    std::uint32_t partial[kWidth];  // 252 x 16 outputs of at most 65535: the block's sum fits
  };

  io::Plane<const Sample> earlier, current;
  int depth;
  std::uint64_t* total;

  static Grid grid(int width, int height) { return {blocks_for(width, Columns::kOutputs), blocks_for(height, Rows::kOutputs), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    blur_column(t, shared);
    t.sync();
    block_sum(t, shared.partial, t.x(), sum_of_rows(t, shared));
    if (t.x() == 0) t.atomic_add(total, static_cast<std::uint64_t>(shared.partial[0]));
  }

 private:
  template <class Thread>
  VB_HOST_DEVICE void blur_column(Thread& t, Shared& shared) const {
    const int x = Columns::index(t.block_x(), t.x(), current.width);
    std::int32_t difference[Rows::kLoaded];
    VB_UNROLL
    for (int i = 0; i < Rows::kLoaded; ++i) {
      const int y = Rows::index(t.block_y(), i, current.height);
      difference[i] = static_cast<std::int32_t>(earlier.row(y)[x]) - static_cast<std::int32_t>(current.row(y)[x]);
    }
    VB_UNROLL
    for (int i = 0; i < Rows::kOutputs; ++i) {
      const std::int32_t* const d = difference + i;
      shared.vertical[i][t.x()] = extractors::motion_blur(d[0], d[1], d[2], d[3], d[4], depth);
    }
  }

  template <class Thread>
  VB_HOST_DEVICE std::uint32_t sum_of_rows(Thread& t, const Shared& shared) const {
    std::uint32_t sum = 0;
    if (t.x() >= Columns::kOutputs || t.block_x() * Columns::kOutputs + t.x() >= current.width) return sum;
    for (int i = 0; i < Rows::kOutputs && t.block_y() * Rows::kOutputs + i < current.height; ++i) {
      const std::int32_t* const v = shared.vertical[i] + t.x();
      const std::int32_t blurred = extractors::motion_blur(v[0], v[1], v[2], v[3], v[4], extractors::kMotionHorizontalShift);
      sum += static_cast<std::uint32_t>(blurred < 0 ? -blurred : blurred);
    }
    return sum;
  }
};

using MotionKernels = KernelList<MotionSadKernel<std::uint8_t>, MotionSadKernel<std::uint16_t>>;

}  // namespace vmafbatch::hip
