// From the motion of single frames to motion2 (the minimum over neighbours) and motion3 (blended, capped): the part of the motion
// extractors that needs neighbours. Plain arithmetic on doubles.
#pragma once

#include <span>
#include <vector>

namespace vmafbatch::extractors {

// motion3's view of a value: min(value * factor + (1 - factor) * min(offset, value), cap).
struct MotionBlend {
  double factor = 1.0;
  double offset = 40.0;
  double cap = 10000.0;

  double operator()(double value) const;
};

// Frames 0 .. size-1; both have one size. Shorter than the input where the clip goes on behind it: only final values are here.
struct MotionSeries {
  std::vector<double> motion2;
  std::vector<double> motion3;
};

// motion and motion_v2. scores[n]: the weighted and capped score of frame n. lag: 1, or 2 with the five-frame window.
// complete: the clip ends behind the last score.
MotionSeries fold_motion(std::span<const double> scores, int lag, const MotionBlend& blend, bool moving_average, bool complete);

// float_motion. raw[n]: the difference between frames n-1 and n without weight and cap; raw[0] is not read. The minimum is taken
// over these, and the blend sees the weighted but uncapped value: with a cap that binds motion3 differs from fold_motion's.
MotionSeries fold_float_motion(std::span<const double> raw, double weight, const MotionBlend& blend, bool complete);

}  // namespace vmafbatch::extractors
