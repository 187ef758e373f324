// The sums of the error maps of ssimulacra2 over one channel of one scale.
#pragma once

#include <array>

#include "extractors/float_plane.h"
#include "extractors/ssimulacra2_math.h"

namespace vmafbatch::extractors::ssimulacra2 {

// In the order of MapTerms. Each is a double that starts at 0 and takes the terms of all positions in raster order.
using ChannelSums = std::array<double, kSums>;

// REQUIRES: both planes of one size, rows that may be read in whole vectors of 64 bytes, as those of a FloatPlane
ChannelSums channel_sums(io::Plane<const float> reference, io::Plane<const float> distorted);
// The plain twin.
ChannelSums slow_channel_sums(io::Plane<const float> reference, io::Plane<const float> distorted);

// The Gaussian of sigma 1.5 along the rows, then down the columns. REQUIRES: both planes of one size
void slow_blur(io::Plane<const float> in, io::Plane<float> out);

// Memory of one call of each.
size_t channel_sums_bytes(int width, int height);
size_t slow_channel_sums_bytes(int width, int height);

}  // namespace vmafbatch::extractors::ssimulacra2
