// Sums of the samples of a plane and of their squares.
#pragma once

#include <cstdint>

#include "extractors/moment_math.h"
#include "hip/platform/block_sum.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// Both sums at once, for block_sum.
struct MomentPair {
  std::uint64_t samples;
  std::uint64_t squares;

  VB_HOST_DEVICE MomentPair& operator+=(const MomentPair& other) {
    samples += other.samples;
    squares += other.squares;
    return *this;
  }
};

// Adds the sum of a plane's samples to *samples and that of their squares, each rounded to a float, to *squares. One block for kRows
// rows.
template <class Sample>
struct MomentKernel {
  static constexpr const char* kName = sizeof(Sample) == 1 ? "moment_8" : "moment_16";
  static constexpr int kWidth = 256, kHeight = 1;
  static constexpr int kRows = 16;
  struct Shared {
    MomentPair partial[kWidth];
  };

  io::Plane<const Sample> plane;
  std::uint64_t* samples;
  std::uint64_t* squares;

  static Grid grid(int height) { return {1, blocks_for(height, kRows), 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const {
    MomentPair sum = {0, 0};
    const int first = t.block_y() * kRows;
    for (int y = first; y < first + kRows && y < plane.height; ++y) {
      const Sample* const row = plane.row(y);
      for (int x = t.x(); x < plane.width; x += kWidth) {
        sum.samples += row[x];
        sum.squares += extractors::rounded_square(row[x]);
      }
    }
    block_sum(t, shared.partial, t.x(), sum);
    if (t.x() != 0) return;
    t.atomic_add(samples, shared.partial[0].samples);
    t.atomic_add(squares, shared.partial[0].squares);
  }
};

using MomentKernels = KernelList<MomentKernel<std::uint8_t>, MomentKernel<std::uint16_t>>;

}  // namespace vmafbatch::hip
