// The constants of one instance of adm, and the layout of its measurements: shared with the device twin.
#pragma once

#include <array>
#include <cstddef>

#include "extractors/adm_pooling.h"
#include "extractors/options.h"
#include "io/picture_format.h"

namespace vmafbatch::extractors::adm {

struct Setup {
  Geometry geometry;
  FloatWeights weights;
  PoolingOptions pooling;
  std::array<ContrastConstants, kScales> constants;
};

Viewing viewing_of(const Options& options);
// REQUIRES: is_tabulated(viewing_of(options)); both sides at least kSmallestSide
Setup setup_of(const Options& options, const io::PictureFormat& format);

// Slots of the measurements: for each scale the sums of the reference, of the detail and of the additive impairment, each for h, v, d.
// Slots of what the options leave out are 0.
constexpr size_t kParts = 3;
constexpr size_t kSlots = kScales * kParts * kBands;
constexpr size_t slot_of(size_t scale, size_t part, size_t band) { return (scale * kParts + part) * kBands + band; }

}  // namespace vmafbatch::extractors::adm
