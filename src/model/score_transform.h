// What happens to a score after the regression: an optional polynomial and piecewise-linear transform, an optional clip.
#pragma once

#include <optional>
#include <vector>

namespace vmafbatch::model {

struct Knot {
  double x = 0.0;
  double y = 0.0;
};

// The member score_transform of a model file.
struct ScoreTransform {
  bool enabled = false;  // a file without "enabled" means false; enable_transform sets it
  std::optional<double> p0{}, p1{}, p2{};
  std::vector<Knot> knots{};  // fewer than two: no piecewise-linear step
  bool out_lte_in = false;    // the result is at most the input
  bool out_gte_in = false;    // the result is at least the input
};

struct ScoreClip {
  double low = 0.0;
  double high = 0.0;
};

// `score` through every step of `transform`, whether or not it is enabled.
double transform_score(const ScoreTransform& transform, double score);

// Lower bound first, then the upper one (an inverted pair ends at the upper one). NaN stays NaN.
double clip_score(const ScoreClip& clip, double score);

}  // namespace vmafbatch::model
