#include "extractors/motion_series.h"

#include <algorithm>
#include <cstddef>

namespace vmafbatch::extractors {
namespace {

// Frame n is final once frame max(n + 1, lag) is measured, or at the clip's end.
size_t final_frames(size_t measured, size_t lag, bool complete) {
  if (complete) return measured;
  return measured > lag ? measured - 1 : 0;
}

double motion2_at(std::span<const double> scores, size_t n, size_t lag) {
  if (n < lag) return 0.0;
  if (n + 1 == scores.size()) return scores[n];
  if (lag == 1) return std::min(scores[n + 1], scores[n]);
  return n == 2 ? scores[3] : std::min(scores[n + 1], scores[n - 1]);
}

}  // namespace

double MotionBlend::operator()(double value) const {
  const double blended = value * factor + (1.0 - factor) * std::min(value, offset);
  return std::min(blended, cap);
}

MotionSeries fold_motion(std::span<const double> scores, int lag, const MotionBlend& blend, bool moving_average, bool complete) {
  const auto first = static_cast<size_t>(lag);  // the first frame that has an earlier one to compare with
  const double start = scores.size() > first ? blend(scores[first]) : 0.0;
  MotionSeries series;
  double previous = start;
  for (size_t n = 0; n < final_frames(scores.size(), first, complete); ++n) {
    series.motion2.push_back(motion2_at(scores, n, first));
    if (n < first) {
      series.motion3.push_back(start);
      continue;
    }
    const double blended = blend(series.motion2.back());
    series.motion3.push_back(moving_average ? (blended + previous) / 2.0 : blended);
    previous = blended;
  }
  return series;
}

MotionSeries fold_float_motion(std::span<const double> raw, double weight, const MotionBlend& blend, bool complete) {
  MotionSeries series;
  for (size_t n = 0; n < final_frames(raw.size(), 1, complete); ++n) {
    if (n == 0) {
      series.motion2.push_back(0.0);
      series.motion3.push_back(raw.size() > 1 ? blend(raw[1] * weight) : 0.0);
      continue;
    }
    const double smallest = n + 1 < raw.size() ? std::min(raw[n + 1], raw[n]) : raw[n];
    series.motion2.push_back(std::min(smallest * weight, blend.cap));
    series.motion3.push_back(blend(smallest * weight));
  }
  return series;
}

}  // namespace vmafbatch::extractors
