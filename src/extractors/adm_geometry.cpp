#include "extractors/adm_geometry.h"

#include <algorithm>

namespace vmafbatch::extractors::adm {
namespace {

// The ceiling of log2 n, for n >= 1.
int ceil_log2(int n) { return bit_length(static_cast<std::uint32_t>(n) - 1); }

// Samples left out at each end of a band side: the whole part of n * 0.1 - 0.5.
int margin(int n) { return n < 15 ? 0 : (n - 5) / 10; }

}  // namespace

ScaleGeometry scale_geometry(int scale, int width, int height) {
  ScaleGeometry g;
  g.scale = scale;
  g.width = width;
  g.height = height;
  g.inner = {.left = margin(width), .right = width - margin(width), .top = margin(height), .bottom = height - margin(height)};
  g.reach = {.left = std::max(g.inner.left - 1, 0),
             .right = std::min(g.inner.right + 1, width),
             .top = std::max(g.inner.top - 1, 0),
             .bottom = std::min(g.inner.bottom + 1, height)};
  const int columns = ceil_log2(width);
  g.row_shift = ceil_log2(height);
  if (scale == 0) {
    g.term_shift = {columns - 4, columns - 4, columns - 3};
    g.reference_row_shift = std::max(0, ceil_log2(g.inner.width() * g.inner.height()) - 20);
  } else {
    g.term_shift = {columns, columns, columns};
    g.reference_term_shift = ceil_log2(g.inner.width());
    g.reference_row_shift = ceil_log2(g.inner.height());
  }
  return g;
}

Geometry geometry_of(int width, int height) {
  Geometry scales;
  for (int s = 0; s < kScales; ++s) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    scales[static_cast<size_t>(s)] = scale_geometry(s, width, height);
  }
  return scales;
}

}  // namespace vmafbatch::extractors::adm
