// From the integer sums of one frame to its scores: the host's part, shared with the device twin. It calls the C library's pow and
// powf, and adds floats in libvmaf's order.
#pragma once

#include <array>

#include "extractors/adm_contrast.h"
#include "extractors/adm_csf.h"
#include "extractors/adm_geometry.h"

namespace vmafbatch::extractors::adm {

// The sums of one scale, per band: what measure() of the extractor and of its twin give.
struct ScaleTotals {
  std::array<std::uint64_t, kBands> reference{};
  ContrastTotals contrast;
};
using Totals = std::array<ScaleTotals, kScales>;

struct PoolingOptions {
  double noise_weight = 0.03125;
  double dlm_weight = 0.5;  // of adm2 in adm3
  double smallest_adm3 = 0.0;
  bool skip_scale0 = false;
  bool skip_aim = false;
};

struct Scores {
  double adm2 = 0.0;
  double aim = 0.0;
  double adm3 = 0.0;
  double numerator = 0.0;  // of adm2, over all scales
  double denominator = 0.0;
  std::array<float, kScales> scale_numerator{};
  std::array<float, kScales> scale_denominator{};
  std::array<double, kScales> scale_ratio{};  // NaN where both are 0
};

// Width and height are those of the picture.
Scores pool(const Totals& totals, const Geometry& geometry, int width, int height, const FloatWeights& weights,
            const PoolingOptions& options);

}  // namespace vmafbatch::extractors::adm
