// The small clips that the case tables of the feature specifications are computed from: one formula per sample, any size and depth.
#pragma once

#include <memory>
#include <vector>

#include "io/frame.h"

namespace vmafbatch::testing {

// M is the largest sample value, n the frame, p the plane, x and y the position in the plane, k = depth - 8.
enum class Formula {
  kRamp,       // R: (3x + 5y + 7n + 11p) mod (M+1); distorted: up to 6 brighter
  kSameRamp,   // S: the ramp, both sides
  kDeepRamp,   // D: an 8-bit ramp with busy low bits; distorted: up to 6 brighter
  kLevel,      // L: 100 << k; distorted: one brighter at odd frames
  kFlash,      // F: 0 and M in turn; distorted: 0
  kHash,       // H: noise, another one on each side
  kBright,     // B: 16 bits only: sums of squares pass 2^53 in large pictures
  kTranslate,  // T: a texture that jumps sideways by another distance each frame; distorted: up to 3 brighter
};

std::vector<std::shared_ptr<const io::FramePair>> formula_pairs(Formula formula, const io::PictureFormat& format, int frames);

}  // namespace vmafbatch::testing
