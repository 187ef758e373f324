// The visibility weights of float_adm: how much a wavelet coefficient of each scale counts at a viewing distance.
#pragma once

#include <array>

#include "extractors/float_adm_math.h"

namespace vmafbatch::extractors::float_adm {

constexpr int kScales = 4;

// The options that decide the weights, under their option's meaning.
struct CsfSettings {
  int mode = 0;                                            // 1: Barten's model, 2: the first DLM's, else Watson's
  double view_distance = 3.0;                              // in display heights
  int display_height = 1080;                               // pixels
  double scale = 1.0;                                      // mode 1: factor of F1
  double diagonal_scale = 1.0;                             // mode 1: factor of F2
  std::array<double, kScales> f1{-1.0, -1.0, -1.0, -1.0};  // replaces F1 of a scale where it is not negative
  std::array<double, kScales> f2{-1.0, -1.0, -1.0, -1.0};  // replaces F2
};

// The weights of all scales, finest first. Calls log10, pow and exp of the C library; computed once per instance, also for a device.
// Sources: Watson, Yang, Solomon, Villasenor, "Visibility of Wavelet Quantization Noise", IEEE Trans. Image Processing 6(8), 1997;
// Mantiuk et al., "HDR-VDP-2", ACM TOG 30(4), 2011 (constants of release 2.2.1).
std::array<BandWeights, kScales> csf_weights(const CsfSettings& settings);

}  // namespace vmafbatch::extractors::float_adm
