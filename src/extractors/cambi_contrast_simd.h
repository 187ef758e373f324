// The fast path of cambi_contrasts; cambi_contrast.h chooses. It slides a histogram of each column's window down the picture, tile by
// tile: a sample that enters or leaves the windows changes one bin of 2 * reach + 1 neighbouring columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "extractors/cambi_contrast.h"

namespace vmafbatch::extractors {

void fast_cambi_contrasts(io::Plane<const std::uint16_t> samples, io::Plane<const std::uint8_t> mask, const CambiWindow& window,
                          io::Plane<float> out);
size_t fast_cambi_contrasts_bytes(int width, int height, const CambiWindow& window);

// What follows is how the vector code counts. A code is the bin of a sample: 0 for one that is not marked or that no contrast looks
// at, else its value + offset, at least `steps`, so that bins `steps` below and above are there.
struct CambiCodes {
  explicit CambiCodes(const CambiWindow& window);

  int lowest = 0;   // the sample values that have a code
  int highest = 0;  // below `lowest`: none has, and every contrast is 0
  int offset = 0;   // code = value + offset
  int bins = 0;     // codes, and the bins around them, are 0 .. bins - 1

  // The codes of samples for which a step of d counts: above `above[d]` and below `below[d]`.
  std::array<std::int32_t, kCambiMostSteps + 1> above{};
  std::array<std::int32_t, kCambiMostSteps + 1> below{};
};

}  // namespace vmafbatch::extractors
