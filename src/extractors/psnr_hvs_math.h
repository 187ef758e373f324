// The arithmetic of psnr_hvs for one 8x8 block. Float operations round in the order written; nothing may be fused or reordered.
// Sources: Egiazarian et al., "New full-reference quality metrics based on HVS" (VPQM 2006); Ponomarenko et al. (VPQM 2007); the
// integer lifting transform is the one of the Daala codec.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "extractors/psnr_hvs_tables.h"

namespace vmafbatch::extractors {

inline constexpr int kHvsBlock = 8;     // samples of a block's side
inline constexpr int kHvsStep = 7;      // from one block to the next: neighbours share a row or a column of samples
inline constexpr int kHvsSamples = 64;  // of a block

// 64/63 and 16/15 as products of floats: from the sum of squares to an unbiased variance times the number of samples.
inline constexpr float kHvsBlockUnbias = 1.0f / 63.0f * 64.0f;
inline constexpr float kHvsQuadrantUnbias = 1.0f / 15.0f * 16.0f;

// Blocks along a side of `size` samples; up to six samples at the end belong to none.
VB_HOST_DEVICE constexpr int hvs_blocks(int size) { return size < kHvsBlock ? 0 : (size - kHvsBlock) / kHvsStep + 1; }

// a * b modulo 2^32. Samples within their bit depth (at most 12) never wrap; those of a damaged file may.
VB_HOST_DEVICE inline std::int32_t hvs_product(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

// a * factor / 2^kShift, rounded to nearest, halves up.
template <int kShift>
VB_HOST_DEVICE inline std::int32_t hvs_scaled(std::int32_t a, std::int32_t factor) {
  const std::uint32_t product = static_cast<std::uint32_t>(hvs_product(a, factor)) + (1u << (kShift - 1));
  return static_cast<std::int32_t>(product) >> kShift;
}

// The one-dimensional integer DCT of eight values that lie `stride` apart, in place. Rotations are lifting steps, so the order counts.
VB_HOST_DEVICE inline void hvs_dct8(std::int32_t* a, int stride) {
  const std::int32_t d0 = a[0] - a[7 * stride];
  const std::int32_t h0 = d0 / 2;
  const std::int32_t s0 = a[0] - h0;
  const std::int32_t s1 = a[stride] + a[6 * stride];
  const std::int32_t h1 = s1 / 2;
  const std::int32_t d1 = a[6 * stride] - h1;
  const std::int32_t d2 = a[2 * stride] - a[5 * stride];
  const std::int32_t s2 = a[2 * stride] - d2 / 2;
  const std::int32_t s3 = a[3 * stride] + a[4 * stride];
  const std::int32_t h3 = s3 / 2;
  const std::int32_t d3 = h3 - a[4 * stride];

  std::int32_t e0 = s0 + h3;
  std::int32_t e6 = e0 - s3;
  std::int32_t e2 = h1 - s2;
  std::int32_t e4 = e2 - s1;
  e0 -= hvs_scaled<15>(e4, 13573);
  e4 += hvs_scaled<14>(e0, 11585);
  e0 -= hvs_scaled<15>(e4, 13573);
  e6 -= hvs_scaled<15>(e2, 21895);
  e2 += hvs_scaled<14>(e6, 15137);
  e6 -= hvs_scaled<15>(e2, 21895);

  std::int32_t o3 = d2 + hvs_scaled<15>(d1, 19195);
  std::int32_t o5 = d1 + hvs_scaled<14>(o3, 11585);
  o3 -= hvs_scaled<13>(o5, 7489);
  std::int32_t o7 = o5 / 2 - d3;
  o5 -= o7;
  o3 = h0 - o3;
  std::int32_t o1 = d0 - o3;
  o7 += hvs_scaled<15>(o1, 3227);
  o1 -= hvs_scaled<15>(o7, 6393);
  o7 += hvs_scaled<15>(o1, 3227);
  o5 += hvs_scaled<13>(o3, 2485);
  o3 -= hvs_scaled<15>(o5, 18205);
  o5 += hvs_scaled<13>(o3, 2485);

  a[0] = e0;
  a[stride] = o1;
  a[2 * stride] = e2;
  a[3 * stride] = o3;
  a[4 * stride] = e4;
  a[5 * stride] = o5;
  a[6 * stride] = e6;
  a[7 * stride] = o7;
}

// The two-dimensional DCT in place; samples in raster order. Down the columns first: the order decides the rounding.
VB_HOST_DEVICE inline void hvs_transform(std::int32_t (&block)[kHvsSamples]) {
  for (int column = 0; column < kHvsBlock; ++column) hvs_dct8(block + column, kHvsBlock);
  for (int row = 0; row < kHvsBlock; ++row) hvs_dct8(block + row * kHvsBlock, 1);
}

// How much of the block's variance is left within its quadrants: about 1 for texture, small for an edge, 0 for a flat block.
VB_HOST_DEVICE inline float hvs_activity_ratio(const std::int32_t (&block)[kHvsSamples]) {
  std::int32_t sums[4] = {};
  for (int k = 0; k < kHvsSamples; ++k) sums[(k >= 32 ? 1 : 0) + (k % 8 >= 4 ? 2 : 0)] += block[k];
  const float mean = static_cast<float>(sums[0] + sums[1] + sums[2] + sums[3]) / 64.0f;
  float quadrant_mean[4];
  for (int q = 0; q < 4; ++q) quadrant_mean[q] = static_cast<float>(sums[q]) / 16.0f;

  float variance = 0.0f;
  float quadrant_variance[4] = {};
  for (int k = 0; k < kHvsSamples; ++k) {
    const int q = (k >= 32 ? 1 : 0) + (k % 8 >= 4 ? 2 : 0);
    const float v = static_cast<float>(block[k]);
    const float t = v - mean;
    const float u = v - quadrant_mean[q];
    variance = variance + t * t;
    quadrant_variance[q] = quadrant_variance[q] + u * u;
  }
  variance = variance * kHvsBlockUnbias;
  for (float& value : quadrant_variance) value = value * kHvsQuadrantUnbias;
  if (!(variance > 0.0f)) return variance;
  return (((quadrant_variance[0] + quadrant_variance[1]) + quadrant_variance[2]) + quadrant_variance[3]) / variance;
}

// How much error the block's own coefficients hide, before the masking weight of each coefficient.
VB_HOST_DEVICE inline float hvs_threshold(const std::int32_t (&coefficients)[kHvsSamples], float ratio, const HvsTables& tables) {
  float energy = 0.0f;
  for (int k = 1; k < kHvsSamples; ++k) {
    const auto i = static_cast<unsigned>(k);
    energy = energy + static_cast<float>(hvs_product(coefficients[i], coefficients[i])) * tables.masking[i];
  }
  return std::sqrt(energy * ratio) / 32.0f;
}

// The weighted squared error of coefficient k. DC is not masked.
VB_HOST_DEVICE inline float hvs_term(int k, std::int32_t reference, std::int32_t distorted, float threshold, const HvsTables& tables) {
  const auto i = static_cast<unsigned>(k);
  const std::int32_t difference = reference - distorted;
  float error = static_cast<float>(difference < 0 ? -difference : difference);
  if (k > 0) {
    const float hidden = threshold / tables.masking[i];
    error = error < hidden ? 0.0f : error - hidden;
  }
  const float weighted = error * tables.sensitivity[i];
  return weighted * weighted;
}

// The 64 terms of a block in the order in which they are added. The samples of both pictures become their coefficients.
VB_HOST_DEVICE inline void hvs_block_terms(std::int32_t (&reference)[kHvsSamples], std::int32_t (&distorted)[kHvsSamples],
                                           const HvsTables& tables, float (&terms)[kHvsSamples]) {
  const float reference_ratio = hvs_activity_ratio(reference);
  const float distorted_ratio = hvs_activity_ratio(distorted);
  hvs_transform(reference);
  hvs_transform(distorted);
  const float of_reference = hvs_threshold(reference, reference_ratio, tables);
  const float of_distorted = hvs_threshold(distorted, distorted_ratio, tables);
  const float threshold = of_distorted > of_reference ? of_distorted : of_reference;
  for (int k = 0; k < kHvsSamples; ++k) terms[k] = hvs_term(k, reference[k], distorted[k], threshold, tables);
}

}  // namespace vmafbatch::extractors
