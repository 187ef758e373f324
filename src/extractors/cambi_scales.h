// The five scales of cambi: each halves the filtered picture of the scale before, filters it again, and takes contrasts of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "extractors/cambi_picture.h"
#include "extractors/cambi_setup.h"

namespace vmafbatch::extractors {

// What one picture gives: at each scale, the sum of its largest contrasts, as many as cambi_pooled_count() says, added in the
// order of cambi_pooling.h.
struct CambiSums {
  std::array<double, kCambiScales> sums{};
};

// The size of a scale: halved, rounding up, `scale` times, once more with the speed-up.
CambiView cambi_scale_view(const CambiView& view, bool half, int scale);

// Receives the contrasts of each scale.
using CambiContrastVisitor = std::function<void(int scale, io::Plane<const float> contrasts)>;

// The sums of a picture; `visit` (which may be empty) sees the contrasts on the way. REQUIRES: the picture has the view's size
CambiSums cambi_sums(const CambiPicture& picture, const CambiView& view, const CambiSetup& setup, const CambiContrastVisitor& visit);

// An upper estimate of the scratch memory of cambi_sums.
size_t cambi_sums_bytes(const CambiView& view, const CambiSetup& setup);

// Every second sample of every second row. REQUIRES: the sides of `out` are half of those of `in`, rounded up. Both may share memory
// where both have rows without gaps.
void cambi_halve(io::Plane<const std::uint16_t> in, io::Plane<std::uint16_t> out);
void cambi_halve(io::Plane<const std::uint8_t> in, io::Plane<std::uint8_t> out);

// The most frequent of three, along rows and then along columns. A first and a last column have no neighbour and stay in the first pass;
// the first and the last row of the result are those of the input, though the second pass sees them filtered.
// REQUIRES: planes of one size, apart
void cambi_mode_filter(io::Plane<const std::uint16_t> in, io::Plane<std::uint16_t> out, const CambiRows& rows);

}  // namespace vmafbatch::extractors
