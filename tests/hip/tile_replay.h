// Replays the launch grid of a tiled kernel on the host with the kernel's own index functions (hip/platform/tile_axis.h): every sample
// that a tile loads is inside the plane, and wherever a loaded sample is used the guard changed nothing.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hip/platform/kernel.h"

namespace vmafbatch::testing {

// By tile position, behind kLoaded as well: whether one of a block's first `outputs` outputs reads it. `unused`: samples at both ends of
// what an output could read that it leaves out (a filter of 3 taps in a tile for 5: 1).
template <class Axis>
std::vector<char> used_positions(int outputs, int unused) {
  std::vector<char> used(Axis::kLoaded);
  for (int o = 0; o < outputs; ++o) {
    for (int i = Axis::first_used(o) + unused; i <= Axis::last_used(o) - unused; ++i) {
      if (static_cast<size_t>(i) >= used.size()) used.resize(static_cast<size_t>(i) + 1);
      used[static_cast<size_t>(i)] = 1;
    }
  }
  return used;
}

// One axis at one size; "" or what is wrong. `blocks`: of the launch. `accepted`: the extractor takes planes of this size.
template <class Axis>
std::string replay_axis(int blocks, int size, int unused, bool accepted) {
  const auto fault = [&](int block, int i, const char* what) {
    return "size " + std::to_string(size) + ", block " + std::to_string(block) + ", tile position " + std::to_string(i) + " loads " +
           std::to_string(Axis::index(block, i, size)) + ": " + what;
  };
  if (blocks * Axis::kOutputs < Axis::outputs(size)) return "size " + std::to_string(size) + ": outputs without a block";
  int given = -1;  // outputs of the block before
  std::vector<char> used;
  for (int block = 0; block < blocks; ++block) {
    const int gives = accepted ? std::clamp(Axis::outputs(size) - block * Axis::kOutputs, 0, Axis::kOutputs) : 0;
    if (gives != std::exchange(given, gives)) used = used_positions<Axis>(gives, unused);
    if (used.size() > Axis::kLoaded) return fault(block, Axis::kLoaded, "used and not loaded");
    for (int i = 0; i < Axis::kLoaded; ++i) {
      const int index = Axis::index(block, i, size);
      if (index < 0 || index >= size) return fault(block, i, "outside the plane");
      if (used[static_cast<size_t>(i)] != 0 && index != Axis::reflected(block, i, size))
        return fault(block, i, "moved by the guard and used");
    }
  }
  return "";
}

// Kernel: has Columns, Rows and grid(width, height). Replays all widths from 1 to 1024, all heights from 1 to 8192, and looks at the grids
// of all sizes up to 64x64, where rows and columns must not depend on each other. `smallest`: the smallest side that the extractor takes.
template <class Kernel>
std::string replay_tiles(int smallest, int unused = 0) {
  for (int width = 1; width <= 1024; ++width) {
    const std::string fault =
        replay_axis<typename Kernel::Columns>(static_cast<int>(Kernel::grid(width, 1).x), width, unused, width >= smallest);
    if (!fault.empty()) return "columns, " + fault;
  }
  for (int height = 1; height <= 8192; ++height) {
    const std::string fault =
        replay_axis<typename Kernel::Rows>(static_cast<int>(Kernel::grid(1, height).y), height, unused, height >= smallest);
    if (!fault.empty()) return "rows, " + fault;
  }
  for (int height = 1; height <= 64; ++height) {
    for (int width = 1; width <= 64; ++width) {
      if (Kernel::grid(width, height).x != Kernel::grid(width, 1).x || Kernel::grid(width, height).y != Kernel::grid(1, height).y) {
        return std::to_string(width) + "x" + std::to_string(height) + ": a grid of its own";
      }
    }
  }
  return "";
}

}  // namespace vmafbatch::testing
