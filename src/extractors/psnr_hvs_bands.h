// The weighted coefficient errors of psnr_hvs, one row of blocks at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "extractors/psnr_hvs_math.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// Room for the terms of one row of blocks.
struct HvsBandTerms {
  explicit HvsBandTerms(int blocks)
      : values(std::make_unique_for_overwrite<float[]>(static_cast<size_t>(blocks) * static_cast<size_t>(kHvsSamples))) {}

  void append(float term) { values[count++] = term; }
  std::span<const float> terms() const { return {values.get(), count}; }

  std::unique_ptr<float[]> values;
  size_t count = 0;
};

// Fills `out` with the terms of block row `band` of a plane that are not 0, in the order in which they are added: blocks from left to
// right, the coefficients of each in raster order. REQUIRES: both pictures have one format, the band exists, `out` has room for
// hvs_blocks(plane width) blocks. simd_mode() chooses the path.
void hvs_band_terms(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out);
// The plain twin.
void slow_hvs_band_terms(const io::Frame& reference, const io::Frame& distorted, int plane, int band, HvsBandTerms& out);

// The sum of all terms of a plane: one float through all blocks in raster order. Rows of blocks are computed in parallel.
float hvs_error_sum(const io::FramePair& pair, int plane);

// The memory that hvs_error_sum takes for a plane of this width, in bytes.
size_t hvs_error_sum_bytes(int plane_width);

}  // namespace vmafbatch::extractors
