// The floating-point arithmetic of float_motion, per sample. Every operation rounds to float in the order written; nothing may be
// fused or reordered.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::extractors {

// The taps of the two Gaussians, symmetric around the centre.
inline constexpr float kMotionFloatTap5Outer = 0.054488685f;
inline constexpr float kMotionFloatTap5Inner = 0.244201342f;
inline constexpr float kMotionFloatTap5Centre = 0.402619947f;
inline constexpr float kMotionFloatTap3Outer = 0.166378498f;
inline constexpr float kMotionFloatTap3Centre = 0.667243004f;

// One output of the 5-tap filter; v0 is the topmost or leftmost sample.
VB_HOST_DEVICE inline float float_motion_blur5(float v0, float v1, float v2, float v3, float v4) {
  float sum = 0.0f + kMotionFloatTap5Outer * v0;
  sum = sum + kMotionFloatTap5Inner * v1;
  sum = sum + kMotionFloatTap5Centre * v2;
  sum = sum + kMotionFloatTap5Inner * v3;
  return sum + kMotionFloatTap5Outer * v4;
}

VB_HOST_DEVICE inline float float_motion_blur3(float v0, float v1, float v2) {
  float sum = 0.0f + kMotionFloatTap3Outer * v0;
  sum = sum + kMotionFloatTap3Centre * v1;
  return sum + kMotionFloatTap3Outer * v2;
}

// The filter of `taps` taps (5, 3, or 1: none) around v2.
VB_HOST_DEVICE inline float float_motion_filter(int taps, float v0, float v1, float v2, float v3, float v4) {
  if (taps == 1) return v2;
  return taps == 3 ? float_motion_blur3(v1, v2, v3) : float_motion_blur5(v0, v1, v2, v3, v4);
}

// |a - b|
VB_HOST_DEVICE inline float float_motion_difference(float a, float b) {
  const float difference = a - b;
  return difference > 0.0f ? difference : 0.0f - difference;
}

// Where a sample of the half-size plane lies between samples of the full one, along one axis.
struct HalfPosition {
  int low;
  int high;      // low, or low + 1
  float weight;  // of high
};

// i: 0 .. (size+1)/2 - 1; size: the full plane's samples along this axis. The coordinate is a double that is rounded once; it lies in
// 0 .. size-1, so the conversion to int is its floor.
VB_HOST_DEVICE inline HalfPosition half_position(int i, int size) {
  const int half = (size + 1) / 2;
  const float ratio = static_cast<float>(size) / static_cast<float>(half);
  const float at = static_cast<float>((i + 0.5) * static_cast<double>(ratio) - 0.5);
  const int low = static_cast<int>(at);
  const float weight = at - static_cast<float>(low);
  return {low, weight > 0.0f ? low + 1 : low, weight};
}

// The bilinear value between four samples; wx, wy: the weights of the right and of the lower samples.
VB_HOST_DEVICE inline float float_motion_bilinear(float top_left, float top_right, float bottom_left, float bottom_right, float wx,
                                                  float wy) {
  const float left = 1.0f - wx;
  const float top = 1.0f - wy;
  const float upper = (top * left) * top_left + (top * wx) * top_right;
  return (upper + (wy * left) * bottom_left) + (wy * wx) * bottom_right;
}

}  // namespace vmafbatch::extractors
