// The sum of ssim over the pixels of one pair of pictures.
#pragma once

#include <cstddef>

#include "io/frame.h"

namespace vmafbatch::extractors {

// Adds the weighted terms of all luma pixels in raster order. REQUIRES: pictures of one format
double ssim9_sum(const io::Frame& reference, const io::Frame& distorted);
// The plain twin.
double slow_ssim9_sum(const io::Frame& reference, const io::Frame& distorted);

// The weights of all windows of a plane together: what the sum is divided by.
double ssim9_total_weight(int width, int height);

// Memory of one call of ssim9_sum, whichever path it takes.
size_t ssim9_scratch_bytes(int width);

}  // namespace vmafbatch::extractors
