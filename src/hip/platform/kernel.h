// What kernels are written against. A kernel is a struct: its inputs as named members, the threads of a block as constants, its shared
// memory as a type, one call. The same source is compiled for AMD and NVIDIA devices and for the HOST (platform/launcher.h):
//
//   struct SumKernel {
//     static constexpr const char* kName = "sum";      // unique
//     static constexpr int kWidth = 16, kHeight = 16;  // threads of a block
//     struct Shared { std::uint64_t partial[256]; };   // NoShared: the kernel has no barrier
//     io::Plane<const std::uint8_t> plane;
//     std::uint64_t* total;
//     template <class Thread>
//     VB_HOST_DEVICE void operator()(Thread& t, Shared& shared) const;
//   };
//
// Members are trivially copyable. A Thread has:
//   x() y()                     its place in the block, 0 .. kWidth-1, 0 .. kHeight-1; x runs fastest
//   block_x() block_y() block_z()   the block's place in the grid
//   grid_x() grid_y()           blocks of the grid
//   global_x() global_y()       block_x() * kWidth + x(), likewise y
//   sync()                      barrier of the block; every thread of the block must reach it
//   atomic_add(address, value)  32- and 64-bit integers
// Nothing may assume how many threads run in step.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::hip {

// Of a kernel whose threads share nothing. Such a kernel must not call sync().
struct NoShared {};

// Blocks of a launch.
struct Grid {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

// Blocks that cover `items` when each covers `block`. REQUIRES: items >= 0, block >= 1
constexpr unsigned blocks_for(int items, int block) { return static_cast<unsigned>((items + block - 1) / block); }

// The grid of kernel K with one thread for each of width x height samples.
template <class K>
constexpr Grid grid_over(int width, int height, unsigned z = 1) {
  return {blocks_for(width, K::kWidth), blocks_for(height, K::kHeight), z};
}

}  // namespace vmafbatch::hip
