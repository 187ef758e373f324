// The fast path of ssim9_sum; ssim_sums.h chooses.
#pragma once

#include <cstddef>

#include "io/frame.h"

namespace vmafbatch::extractors {

double fast_ssim9_sum(const io::Frame& reference, const io::Frame& distorted);
// Memory of one call.
size_t fast_ssim9_scratch_bytes(int width);

}  // namespace vmafbatch::extractors
