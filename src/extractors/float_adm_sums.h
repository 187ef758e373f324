// The energy sums of float_adm at one scale.
#pragma once

#include <array>

#include "extractors/float_adm_rows.h"
#include "extractors/float_adm_wavelet.h"

namespace vmafbatch::extractors::float_adm {

struct SumSettings {
  double gain_limit = 100.0;  // how far an enhancement counts as restored detail
  bool masking = true;        // false: nothing hides below a threshold
  double exponent = 3.0;      // of the energies
};

// The nine sums: signal * kBands + band. Each is a float, added left to right into a row and row by row into the total.
using ScaleSums = std::array<float, kSignals * kBands>;

// Sums over the score region of one scale's bands. REQUIRES: both have one size.
ScaleSums sum_scale(const DetailBands& reference, const DetailBands& distorted, BandWeights weights, const SumSettings& settings);

// Bytes of rows that sum_scale holds while it works on bands of this size.
size_t sum_scale_bytes(BandSize band);

}  // namespace vmafbatch::extractors::float_adm
