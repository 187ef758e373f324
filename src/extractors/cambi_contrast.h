// The contrast that every sample makes against the others of its window.
#pragma once

#include <cstdint>

#include "extractors/cambi_setup.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// What cambi_contrasts() looks for.
struct CambiWindow {
  int reach = 0;  // the window has 2 * reach + 1 samples a side
  int steps = 0;
  int dark_limit = 0;
  CambiThresholds thresholds{};
};

// out: for each sample that the mask marks, the largest cambi_contrast() over the steps that count; 0 for the others. The window is cut
// at the borders of the picture, and only marked samples count in it.
// REQUIRES: planes of one size; samples at most kCambiLargestSample; 2 * reach + 1 <= kCambiLargestWindow
void cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                     io::Plane<float> out);
void slow_cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                          io::Plane<float> out);

// Scratch memory of cambi_contrasts.
size_t cambi_contrasts_bytes(int width, int height, const CambiWindow& window);

}  // namespace vmafbatch::extractors
