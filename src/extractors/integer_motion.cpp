#include "extractors/integer_motion.h"

#include <algorithm>

#include "extractors/motion_sad.h"

namespace vmafbatch::extractors {

IntegerMotion::IntegerMotion(const IntegerMotionFeatures& features, const Options& options, const ClipInfo& clip)
    : features_(features),
      compared_(options),
      moving_average_(options.flag("motion_moving_average")),
      weight_(options.real("motion_fps_weight")),
      blend_(motion_blend(options)),
      pixels_(static_cast<double>(clip.format.width) * static_cast<double>(clip.format.height)) {}

Needs IntegerMotion::needs() const {
  const bool measures = !compared_.force_zero;
  return {.history = measures ? compared_.lag : 0, .reference = measures, .distorted = false, .every_frame = true, .series = true};
}

std::vector<size_t> IntegerMotion::outputs() const {
  std::vector<size_t> list{features_.sad_score};
  if (features_.debug_score) list.push_back(*features_.debug_score);
  list.push_back(features_.motion2);
  list.push_back(features_.motion3);
  return list;
}

void IntegerMotion::measure(const io::FrameWindow& window, Measurements& out) const {
  out.resize(1);
  out.set_integer(0, compared_.comparable(window) ? motion_sad(window.reference(compared_.lag), window.reference()) : 0);
}

// The mean absolute difference on the 8-bit scale.
double IntegerMotion::score(const Measurements& measured) const {
  const double mean = static_cast<double>(measured.integer(0)) / 256.0 / pixels_;
  return std::min(mean * weight_, blend_.cap);
}

void IntegerMotion::conclude(const Measurements& measured, FrameFeatures& out) const {
  out.set(features_.sad_score, score(measured));
  if (features_.debug_score) out.set(*features_.debug_score, score(measured));
}

void IntegerMotion::finish(ClipSeries& series) const {
  std::vector<double> scores;
  scores.reserve(static_cast<size_t>(series.frames()));
  for (std::int64_t n = 0; n < series.frames(); ++n) scores.push_back(score(series.at(n)));
  set_motion_series(fold_motion(scores, compared_.lag, blend_, moving_average_, series.complete()), features_.motion2, features_.motion3,
                    series);
}

Result<std::unique_ptr<Extractor>> make_integer_motion(const ExtractorInfo& info, const IntegerMotionFeatures& features,
                                                       const Options& options, const ClipInfo& clip) {
  if (clip.format.width < kMotionSmallestSide || clip.format.height < kMotionSmallestSide) {
    return unsupported(info, clip, "needs at least 3x3");
  }
  return std::unique_ptr<Extractor>(std::make_unique<IntegerMotion>(features, options, clip));
}

}  // namespace vmafbatch::extractors
