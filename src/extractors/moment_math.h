// The arithmetic of float_psnr and float_moment. Both add squares of samples on the 8-bit scale, each square rounded to a float, in
// one running double over the plane in raster order. Here a sum is counted in units of 1 / k^2, k = 2^(depth-8): every square and
// every running sum is then a whole number.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

// A double holds every whole number up to here; beyond, a running sum rounds at each addition and its order matters.
inline constexpr std::uint64_t kExactSumLimit = std::uint64_t{1} << 53;

// v^2 rounded to the 24 significant bits of a float, ties to even: v^2 itself for v <= 4095. REQUIRES: v <= 65535
VB_HOST_DEVICE inline std::uint32_t rounded_square(std::uint32_t v) {
  const float value = static_cast<float>(v);
  return static_cast<std::uint32_t>(value * value);
}

VB_HOST_DEVICE inline std::uint32_t absolute_difference(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }

}  // namespace vmafbatch::extractors
