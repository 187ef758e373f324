// What cambi computes per sample, for the CPU loops and the kernels alike. All of it is exact but for the one float product of
// cambi_contrast. P. Tandon, M. Afonso, J. Sole, L. Krasula, "CAMBI: Contrast-aware multiscale banding index", Picture Coding
// Symposium 2021; steps and constants of libvmaf.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

inline constexpr int kCambiScales = 5;
// The last sample value that a threshold can name; a threshold of this value lets every sample pass.
inline constexpr int kCambiTopSample = 1023;
// 16-bit samples round up to this, one above ten bits.
inline constexpr int kCambiLargestSample = 1024;
inline constexpr int kCambiMostSteps = 32;

// How much a contrast of d steps counts; a table of libvmaf.
VB_HOST_DEVICE inline int cambi_weight(int d) {
  constexpr std::uint8_t kWeights[kCambiMostSteps + 1] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8,
                                                          8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
  return kWeights[d];
}

// A sample of `bit_depth` bits as one of ten.
VB_HOST_DEVICE inline int cambi_ten_bits(int sample, int bit_depth) {
  if (bit_depth <= 10) return sample << (10 - bit_depth);
  return (sample + (1 << (bit_depth - 11))) >> (bit_depth - 10);
}

// The filter that takes dithering away: the mean of a sample with its right, lower and diagonal neighbour; of two at a border.
VB_HOST_DEVICE inline int cambi_mean4(int a, int b, int c, int d) { return (a + b + c + d) >> 2; }
VB_HOST_DEVICE inline int cambi_mean2(int a, int b) { return (a + b) >> 1; }

// The value that occurs most often among three; the smallest where all differ.
VB_HOST_DEVICE inline int cambi_mode(int a, int b, int c) {
  if (a == b || a == c) return a;
  if (b == c) return b;
  const int smaller = a < b ? a : b;
  return smaller < c ? smaller : c;
}

// Whether a step of `d` at a sample `value` can be seen: not too bright for it, and not too dark. `steps` is the largest d; that the
// reference adds it here as well is kept.
VB_HOST_DEVICE inline bool cambi_step_counts(int value, int d, int steps, int threshold, int dark_limit) {
  return value <= threshold && value + steps + d > dark_limit;
}

// The contrast of a step of weight `weight`: `own` samples of the window have the value, `other` the one a step away;
// reciprocal: of own + other (cambi_tables.h).
VB_HOST_DEVICE inline float cambi_contrast(int weight, int own, int other, float reciprocal) {
  return static_cast<float>(weight * own * other) * reciprocal;  // below 2^31 for windows up to 65x65
}

}  // namespace vmafbatch::extractors
