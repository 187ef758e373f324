// From two pyramids to the sums that are pooled: decoupling, contrast masking and cubes, one scale at a time, row after row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "extractors/adm_contrast_rows.h"
#include "extractors/adm_wavelet.h"

namespace vmafbatch::extractors::adm {

// Sums of the masked cubes of one scale, per band, modulo 2^64.
struct ContrastTotals {
  std::array<std::int64_t, kBands> detail{};    // restored detail, masked by the additive impairment
  std::array<std::int64_t, kBands> additive{};  // the other way round; zero where it was not asked for
};

ContrastTotals contrast_totals(const Bands<std::int16_t>& reference, const Bands<std::int16_t>& distorted, const ScaleGeometry& geometry,
                               const ContrastConstants& constants, bool with_additive);
ContrastTotals contrast_totals(const Bands<std::int32_t>& reference, const Bands<std::int32_t>& distorted, const ScaleGeometry& geometry,
                               const ContrastConstants& constants, bool with_additive);

// Upper estimate of the memory that contrast_totals() needs while it runs.
size_t contrast_bytes(const ScaleGeometry& geometry);

}  // namespace vmafbatch::extractors::adm
