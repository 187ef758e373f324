// What vif and float_vif have in common beside the arithmetic: options, and the order of their features.
#pragma once

#include <span>

#include "extractors/tables.h"

namespace vmafbatch::extractors {

inline constexpr OptionSpec kVifDebug =
    output_option("debug", false, "also give the score of all scales together, and every numerator and denominator");
inline constexpr OptionSpec kVifGainLimit =
    real_option("vif_enhn_gain_limit", "egl", 100.0, 1.0, 100.0, "largest gain that counts; 1 gives no credit for enhancement");
inline constexpr OptionSpec kVifSkipScale0 = flag_option("vif_skip_scale0", "ssclz", "leave out scale 0, the full resolution");

// The scores of four scales; with debug the score of all together and its two parts, then numerator and denominator of each scale.
enum VifFeature : size_t { kVifScore0, kVifAll = kVifScore0 + 4, kVifAllNumerator, kVifAllDenominator, kVifNumerator0 };

// A score is numerator / denominator.
struct VifParts {
  double numerator = 0.0;
  double denominator = 0.0;
};

// Sets the features from kVifAll on. `scales`: finest first; a skipped scale 0 is in no sum and has the parts 0 and -1, as in libvmaf.
inline void set_vif_debug_features(std::span<const VifParts> scales, bool skip_scale0, FrameFeatures& out) {
  VifParts all;
  for (size_t scale = skip_scale0 ? 1 : 0; scale < scales.size(); ++scale) {
    all.numerator += scales[scale].numerator;
    all.denominator += scales[scale].denominator;
  }
  out.set(kVifAll, all.denominator == 0.0 ? 1.0 : all.numerator / all.denominator);
  out.set(kVifAllNumerator, all.numerator);
  out.set(kVifAllDenominator, all.denominator);
  for (size_t scale = 0; scale < scales.size(); ++scale) {
    const VifParts parts = scale == 0 && skip_scale0 ? VifParts{0.0, -1.0} : scales[scale];
    out.set(kVifNumerator0 + 2 * scale, parts.numerator);
    out.set(kVifNumerator0 + 2 * scale + 1, parts.denominator);
  }
}

}  // namespace vmafbatch::extractors
