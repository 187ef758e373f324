// The step from samples to the floats of the floating-point extractors.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::extractors {

// What brings samples of this depth to the 8-bit scale: 1 / 2^(depth-8). A power of two: the product is exact. REQUIRES: depth >= 8
VB_HOST_DEVICE inline float float_sample_factor(int depth) { return 1.0f / static_cast<float>(1 << (depth - 8)); }

template <class Sample>
VB_HOST_DEVICE float float_sample(Sample sample, float factor, float offset) {
  return static_cast<float>(sample) * factor + offset;
}

// The offset that float_adm, float_vif and float_motion subtract to centre the samples around zero.
inline constexpr float kCentredOffset = -128.0f;

}  // namespace vmafbatch::extractors
