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

}  // namespace vmafbatch::extractors
