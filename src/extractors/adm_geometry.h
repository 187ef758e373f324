// Sizes, regions and rounding shifts of the four wavelet scales of integer ADM: all of them follow from the picture's size.
#pragma once

#include <array>

#include "extractors/adm_math.h"

namespace vmafbatch::extractors::adm {

struct ScaleGeometry {
  int scale = 0;
  int width = 0;  // of each band
  int height = 0;
  Region inner;  // the samples that are pooled: about a tenth of the band is left out on each side
  Region reach;  // the inner region and one sample around it, cut to the band: all that the bands h, v and d are needed for

  // Rounding shifts of the numerators: of each term, and of each row's sum.
  std::array<int, kBands> term_shift{};
  int row_shift = 0;
  // Rounding shifts of the denominators; scale 0 rounds its row sums only.
  int reference_term_shift = 0;
  int reference_row_shift = 0;
};

// Of a band. REQUIRES: width and height at least 2
ScaleGeometry scale_geometry(int scale, int width, int height);

using Geometry = std::array<ScaleGeometry, kScales>;

// The smallest width and height for which every scale has two rows and two columns.
constexpr int kSmallestSide = 17;

// REQUIRES: width and height at least kSmallestSide
Geometry geometry_of(int width, int height);

}  // namespace vmafbatch::extractors::adm
