// The integer arithmetic of motion and motion_v2, per sample: a 5-tap Gaussian in 16-bit fixed point over the difference of two
// pictures, vertically, then horizontally, rounded after each pass.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

// The taps of the filter, centre last; all five sum to 65536.
inline constexpr std::int32_t kMotionTapOuter = 3571;
inline constexpr std::int32_t kMotionTapInner = 16004;
inline constexpr std::int32_t kMotionTapCentre = 26386;

// The horizontal pass divides by the taps' sum; the vertical pass by 2^depth, which brings every depth to one scale.
inline constexpr int kMotionHorizontalShift = 16;

// floor((filtered value + half) / 2^shift). Each of the three products fits 32 bits but not their sum, so high and low parts are
// added apart: exact for every input. `>>` of a negative number is arithmetic.
// REQUIRES: |v| <= 65535 for every v; 8 <= shift <= 16. The result's magnitude is at most 65535.
VB_HOST_DEVICE constexpr std::int32_t motion_blur(std::int32_t v0, std::int32_t v1, std::int32_t v2, std::int32_t v3, std::int32_t v4,
                                                  int shift) {
  const std::int32_t outer = kMotionTapOuter * (v0 + v4);
  const std::int32_t inner = kMotionTapInner * (v1 + v3);
  const std::int32_t centre = kMotionTapCentre * v2;
  const std::int32_t mask = (std::int32_t{1} << shift) - 1;
  const std::int32_t low = (outer & mask) + (inner & mask) + (centre & mask) + (std::int32_t{1} << (shift - 1));
  return (outer >> shift) + (inner >> shift) + (centre >> shift) + (low >> shift);
}

}  // namespace vmafbatch::extractors
