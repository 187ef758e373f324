// Contrast sensitivity weights of integer ADM: constants of a viewing geometry, computed once per instance.
#pragma once

#include <array>
#include <cstdint>

#include "extractors/adm_math.h"

namespace vmafbatch::extractors::adm {

// Names of the option adm_csf_mode.
enum class CsfMode {
  kWatson = 0,   // Watson et al., "Visibility of Wavelet Quantization Noise", IEEE TIP 6(8), 1997
  kBarten = 1,   // the Barten-type CSF of Mantiuk et al., "HDR-VDP-2", ACM TOG 30(4), 2011, at 100 cd/m2
  kBlend = 2,    // a table that blends both
  kBlendMae = 3  // that table fitted anew
};

struct Viewing {
  CsfMode mode = CsfMode::kWatson;
  double distance = 3.0;      // in picture heights
  int display_height = 1080;  // in pixels
  double scale = 1.0;         // factor of the h and v weights, kBarten only
  double diagonal_scale = 1.0;
};

// The smallest distance * display_height that libvmaf accepts.
constexpr double kSmallestViewing = 3240.0;

// True for the modes without a table and for the geometries in the tables.
bool is_tabulated(const Viewing& viewing);

// One weight per scale and band h, v, d.
using FloatWeights = std::array<std::array<float, kBands>, kScales>;
using FixedWeights = std::array<std::array<std::uint32_t, kBands>, kScales>;

// REQUIRES: is_tabulated(viewing)
FloatWeights float_weights(const Viewing& viewing);

// The fixed-point weights of the per-sample arithmetic: 16 bits at scale 0, 32 bits above, reduced modulo their width.
FixedWeights fixed_weights(const Viewing& viewing, const FloatWeights& weights);

}  // namespace vmafbatch::extractors::adm
