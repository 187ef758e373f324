// The exact sums of vif over one pair of pictures.
#pragma once

#include <array>

#include "extractors/vif_math.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// The sums of one scale of a pair. REQUIRES: both sides of the pictures are at least 8; gain_limit >= 1
VifSums vif_scale_sums(const io::FramePair& pair, int scale, double gain_limit);
// The plain twin.
VifSums slow_vif_scale_sums(const io::FramePair& pair, int scale, double gain_limit);

// The two sums of a scale whose quotient is its score. Not inline: where their values go side by side into doubles, GCC 12 drops the
// rounding to float (its vectoriser takes double -> float -> double of a pair for no change).
float vif_numerator(const VifSums& sums);
float vif_denominator(const VifSums& sums);

}  // namespace vmafbatch::extractors
