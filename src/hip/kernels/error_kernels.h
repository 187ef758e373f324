// Sums of squared errors of two planes.
#pragma once

#include <cstdint>

#include "extractors/moment_math.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// Adds the sum over a plane of (reference - distorted)^2 to *total, modulo 2^64. One block for kRows rows. kRounded: each square is
// rounded to a float first (float_psnr), which changes it at 16 bits only.
template <class Sample, bool kRounded = false>
struct SquaredErrorKernel {
  static constexpr const char* kName =
      sizeof(Sample) == 1 ? "squared_error_8" : (kRounded ? "rounded_squared_error_16" : "squared_error_16");
  static constexpr int kWidth = 256, kHeight = 1;
  static constexpr int kRows = 16;
  struct Shared {
    std::uint64_t partial[kWidth];
  };

  io::Plane<const Sample> reference, distorted;
  std::uint64_t* total;

  static Grid grid(int height) { return {1, blocks_for(height, kRows), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    std::uint64_t sum = 0;
    const int first = t.block_y() * kRows;
    for (int y = first; y < first + kRows && y < reference.height; ++y) {
      const Sample* const a = reference.row(y);
      const Sample* const b = distorted.row(y);
      for (int x = t.x(); x < reference.width; x += kWidth) {
        // Its square needs 32 unsigned bits at 16-bit depth.
        const std::uint32_t size = extractors::absolute_difference(a[x], b[x]);
        sum += kRounded ? extractors::rounded_square(size) : size * size;
      }
    }
    block_sum(t, shared.partial, t.x(), sum);
    if (t.x() == 0) t.atomic_add(total, shared.partial[0]);
  }
};

using RoundedSquaredErrorKernel = SquaredErrorKernel<std::uint16_t, true>;

using ErrorKernels = KernelList<SquaredErrorKernel<std::uint8_t>, SquaredErrorKernel<std::uint16_t>, RoundedSquaredErrorKernel>;

}  // namespace vmafbatch::hip
