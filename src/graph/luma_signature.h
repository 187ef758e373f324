// What alignment knows of a picture: 64 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "io/frame.h"

namespace vmafbatch::graph {

// The means of the luma in a grid of 8 x 4 blocks, row by row from the top left, on a scale of 16 bits whatever the picture's depth:
// 256 units are one step of 8 bits.
struct LumaSignature {
  static constexpr size_t kColumns = 8;
  static constexpr size_t kRows = 4;
  static constexpr size_t kBlocks = kColumns * kRows;

  std::array<std::uint16_t, kBlocks> means{};

  bool operator==(const LumaSignature&) const = default;
};
static_assert(sizeof(LumaSignature) == 64);

// Of each block at most 8 rows are read, spread evenly: 61 000 samples of a picture of 1920x1080. Any thread.
LumaSignature luma_signature(const io::Frame& frame);

}  // namespace vmafbatch::graph
