// The wavelet pyramid of one picture: a property of the frame, shared by all instances of adm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "extractors/adm_geometry.h"
#include "extractors/adm_rows.h"
#include "io/frame.h"

namespace vmafbatch::extractors::adm {

// Bands h, v, d of one scale. They hold the scale's `reach` only: row 0, column 0 is its upper left sample.
template <class Coefficient>
struct Bands {
  std::array<Rows<Coefficient>, kBands> band;

  BandRows<const Coefficient> row(int y) const { return {band[0].row(y), band[1].row(y), band[2].row(y)}; }
};

// Four levels of the Daubechies-2 transform of the luma plane, in fixed point: 16 bits at scale 0, 32 bits above.
struct Pyramid {
  Bands<std::int16_t> finest;                            // scale 0
  std::array<Bands<std::int32_t>, kScales - 1> coarser;  // scales 1..3
};

// The pyramid of a frame, computed once. REQUIRES: luma at least kSmallestSide on each side; geometry is that of the luma plane.
const Pyramid& pyramid_of(const io::Frame& frame, const Geometry& geometry);

// Sums over the reference's coefficients, per scale and band: the denominators before their roots.
using ReferenceTotals = std::array<std::array<std::uint64_t, kBands>, kScales>;

// They depend on the picture alone and are computed once per frame.
const ReferenceTotals& reference_totals_of(const io::Frame& frame, const Geometry& geometry);

// Upper estimate of what pyramid_of() holds and of what it needs besides while it runs.
size_t pyramid_bytes(const Geometry& geometry);

}  // namespace vmafbatch::extractors::adm
