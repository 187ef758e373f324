// One axis of a tiled kernel: which samples a block loads and which it gives. Rows and columns are separate, so a kernel names two types:
//
//   using Columns = MirroredAxis<252, 2>;             // a block gives 252 columns and loads 256
//   using Rows = MirroredAxis<16, 2>;
//   static Grid grid(int width, int height);          // of a plane of this size
//   ... plane.row(Rows::index(t.block_y(), i, height))[Columns::index(t.block_x(), j, width)]
//
// tests/hip/tile_replay.h replays these very functions. A kernel whose tile is another one writes its own axis type:
//
//   kOutputs                  outputs that a block gives along the axis
//   kLoaded                   samples that it loads: tile positions 0 .. kLoaded-1
//   outputs(size)             outputs of a plane with `size` samples
//   first_used(o) last_used(o)   the tile positions that the block's output o reads, 0 <= o < kOutputs
//   reflected(block, i, size) the sample that tile position i wants, before the guard
//   index(block, i, size)     the sample that it loads: tile_index(reflected(...), size)
#pragma once

#include "extractors/mirror.h"
#include "hip/platform/tile_index.h"

namespace vmafbatch::hip {

// A block gives kGiven outputs, one for each sample, and loads kReach more on either side, mirrored at the border of the plane.
template <int kGiven, int kReach>
struct MirroredAxis {
  static constexpr int kOutputs = kGiven;
  static constexpr int kLoaded = kGiven + 2 * kReach;

  VB_HOST_DEVICE static constexpr int outputs(int size) { return size; }
  VB_HOST_DEVICE static constexpr int first_used(int output) { return output; }
  VB_HOST_DEVICE static constexpr int last_used(int output) { return output + 2 * kReach; }

  VB_HOST_DEVICE static constexpr int reflected(int block, int i, int size) {
    return extractors::mirror_index(block * kOutputs - kReach + i, size);
  }
  VB_HOST_DEVICE static constexpr int index(int block, int i, int size) { return tile_index(reflected(block, i, size), size); }
};

}  // namespace vmafbatch::hip
