// What float_motion, motion and motion_v2 have in common beside the arithmetic: options, and the features of neighbours.
#pragma once

#include <cstdint>

#include "extractors/motion_series.h"
#include "extractors/tables.h"

namespace vmafbatch::extractors {

inline constexpr OptionSpec kMotionForceZero = flag_option("motion_force_zero", "force_0", "every output is 0; nothing is measured");
inline constexpr OptionSpec kMotionFpsWeight =
    real_option("motion_fps_weight", "mfw", 1.0, 0.0, 5.0, "factor on the score, for other frame rates");
inline constexpr OptionSpec kMotionBlendFactor =
    real_option("motion_blend_factor", "mbf", 1.0, 0.0, 1.0, "motion3: weight of the part above motion_blend_offset");
inline constexpr OptionSpec kMotionBlendOffset =
    real_option("motion_blend_offset", "mbo", 40.0, 0.0, 1000.0, "motion3: value from which the blend flattens");
inline constexpr OptionSpec kMotionMaxVal = real_option("motion_max_val", "mmxv", 10000.0, 0.0, 10000.0, "cap of the score");

// REQUIRES: the options have kMotionBlendFactor, kMotionBlendOffset and kMotionMaxVal
inline MotionBlend motion_blend(const Options& options) {
  return {
      .factor = options.real("motion_blend_factor"), .offset = options.real("motion_blend_offset"), .cap = options.real("motion_max_val")};
}

// `motion2`, `motion3`: where these features stand in the extractor's table.
inline void set_motion_series(const MotionSeries& folded, size_t motion2, size_t motion3, ClipSeries& series) {
  for (size_t n = 0; n < folded.motion2.size(); ++n) {
    series.set(motion2, static_cast<std::int64_t>(n), folded.motion2[n]);
    series.set(motion3, static_cast<std::int64_t>(n), folded.motion3[n]);
  }
}

}  // namespace vmafbatch::extractors
