// The sums behind float_psnr and float_moment, in the units of moment_math.h.
#pragma once

#include <cstdint>

#include "io/frame.h"

namespace vmafbatch::extractors {

struct MomentSums {
  std::uint64_t samples = 0;  // exact sum of the luma samples
  std::uint64_t squares = 0;  // running double sum of their rounded squares, as the whole number that it is

  bool operator==(const MomentSums&) const = default;
};

// Both sums over the luma plane of a frame.
MomentSums moment_sums(const io::Frame& frame);

// The running double sum of the rounded squares of (reference - distorted) over the luma plane, as the whole number that it is.
// REQUIRES: both frames have one format.
std::uint64_t running_squared_error(const io::FramePair& pair);

// The plain twins: one double, added to in raster order.
MomentSums slow_moment_sums(const io::Frame& frame);
std::uint64_t slow_running_squared_error(const io::Frame& reference, const io::Frame& distorted);

}  // namespace vmafbatch::extractors
