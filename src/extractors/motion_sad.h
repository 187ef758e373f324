// The measurement of motion and motion_v2.
#pragma once

#include <cstdint>

#include "io/frame.h"

namespace vmafbatch::extractors {

// The smallest width and height: one reflection must bring every tap inside.
inline constexpr int kMotionSmallestSide = 3;

// Sum over the luma plane of |blur(earlier - current)|, the blur of motion_math.h: at most 65535 per sample. The order matters, in
// sign too: the rounding shifts round halves upwards.
// REQUIRES: both frames have one format, at least 3x3.
std::uint64_t motion_sad(const io::Frame& earlier, const io::Frame& current);

// The plain twin.
std::uint64_t slow_motion_sad(const io::Frame& earlier, const io::Frame& current);

}  // namespace vmafbatch::extractors
