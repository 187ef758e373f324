// Float sums of rows in the order of a CPU loop. A kernel stores the terms of a plane transposed in groups of 64 rows; then one thread adds
// one row from left to right, and at each step the threads of a block read neighbouring terms.
#pragma once

#include <cstddef>

#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"

namespace vmafbatch::hip {

inline constexpr int kTermRows = 64;

// Where the term of column x, row y stands among those of a plane with `width` columns.
VB_HOST_DEVICE constexpr std::ptrdiff_t row_term_index(int x, int y, int width) {
  return (static_cast<std::ptrdiff_t>(y / kTermRows) * width + x) * kTermRows + y % kTermRows;
}

// Terms that a plane takes: its last group is whole, and what lies below the plane is never read.
VB_HOST_DEVICE constexpr std::size_t row_term_count(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>((height + kTermRows - 1) / kTermRows * kTermRows);
}

// sums[y] = 0 + term(0, y) + term(1, y) + ..., each addition rounded. Several planes of one size lie behind each other, and so do their
// sums.
struct RowSumKernel {
  static constexpr const char* kName = "row_sum";
  static constexpr int kWidth = kTermRows, kHeight = 1;
  static constexpr int kAtOnce = 32;  // terms that a thread asks for before it adds the first
  using Shared = NoShared;

  const float* terms;
  int width;
  int height;
  float* sums;

  static Grid grid(int height, unsigned planes = 1) { return {blocks_for(height, kTermRows), planes, 1}; }

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared&) const {
    const int y = t.global_x();
    if (y >= height) return;
    const float* const plane = terms + static_cast<std::size_t>(t.block_y()) * row_term_count(width, height);
    float sum = 0.0f;
    int x = 0;
    for (; x + kAtOnce <= width; x += kAtOnce) {
      float next[kAtOnce];
      VB_UNROLL
      for (int k = 0; k < kAtOnce; ++k) next[k] = plane[row_term_index(x + k, y, width)];
      VB_UNROLL
      for (int k = 0; k < kAtOnce; ++k) sum = sum + next[k];
    }
    for (; x < width; ++x) sum = sum + plane[row_term_index(x, y, width)];
    sums[t.block_y() * height + y] = sum;
  }
};

using RowSumKernels = KernelList<RowSumKernel>;

}  // namespace vmafbatch::hip
