// float_motion: how much the reference moves. Mean absolute difference of neighbouring reference frames after a small Gaussian blur,
// in floats; optionally at half size and of the chroma planes as well. The distorted picture has no influence.
#include <algorithm>
#include <array>
#include <string>

#include "extractors/all_extractors.h"
#include "extractors/float_motion_planes.h"
#include "extractors/float_motion_terms.h"
#include "extractors/float_plane.h"
#include "extractors/motion_options.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    output_option("debug", true, "also give motion"),
    kMotionForceZero,
    kMotionFpsWeight,
    kMotionBlendFactor,
    kMotionBlendOffset,
    flag_option("motion_add_scale1", "mdc", "add the difference at half size"),
    integer_option("motion_filter_size", "mfs", 5, 0.0, 9.0, "3: blur of 3 taps; 1: no blur; any other: 5 taps"),
    flag_option("motion_add_uv", "mau", "add the differences of Cb and Cr"),
    kMotionMaxVal,
};

enum Feature : size_t { kMotion2, kMotion, kMotion3 };

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "VMAF_feature_motion2_score",
                .reported_name = "motion2",
                .scope = FeatureScope::kSeries,
                .help = "smaller one of the differences before and behind the frame"},
    FeatureSpec{.internal_name = "VMAF_feature_motion_score",
                .reported_name = "motion",
                .help = "difference from the earlier frame, weighted and capped"},
    FeatureSpec{.internal_name = "VMAF_feature_motion3_score",
                .reported_name = "motion3",
                .scope = FeatureScope::kSeries,
                .reported_late = true,
                .help = "motion2, blended and capped"},
};

class FloatMotion final : public Extractor {
 public:
  FloatMotion(const Options& options, const ClipInfo& clip)
      : terms_(options), debug_(options.flag("debug")), weight_(options.real("motion_fps_weight")), blend_(motion_blend(options)) {
    for (int p = 0; p < terms_.planes; ++p) {
      const int width = clip.format.plane_width(p);
      const int height = clip.format.plane_height(p);
      bytes_ += FloatPlane::bytes_of(width, height) * (terms_.taps == 1 ? 1 : 2);
      if (terms_.half) bytes_ += FloatPlane::bytes_of(float_motion_half_side(width), float_motion_half_side(height));
    }
  }

  Needs needs() const override {
    if (terms_.force_zero) return {.reference = false, .distorted = false, .every_frame = true, .series = true};
    return {.history = 1, .distorted = false, .every_frame = true, .series = true, .bytes_per_frame = bytes_};
  }

  std::vector<size_t> outputs() const override {
    return debug_ ? std::vector<size_t>{kMotion2, kMotion, kMotion3} : std::vector<size_t>{kMotion2, kMotion3};
  }

  // Slot 0: the difference from the frame before, a double without weight and cap; 0 where there is none or with motion_force_zero.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(1);
    out.set_real(0, terms_.comparable(window) ? difference(window.reference(1), window.reference()) : 0.0);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    if (debug_) out.set(kMotion, std::min(measured.real(0) * weight_, blend_.cap));
  }

  void finish(ClipSeries& series) const override {
    std::vector<double> raw;
    raw.reserve(static_cast<size_t>(series.frames()));
    for (std::int64_t n = 0; n < series.frames(); ++n) raw.push_back(series.at(n).real(0));
    set_motion_series(fold_float_motion(raw, weight_, blend_, series.complete()), kMotion2, kMotion3, series);
  }

 private:
  double difference(const io::Frame& earlier, const io::Frame& current) const {
    return terms_.total([&](int p, bool half) {
      return half ? mean_absolute_difference(halved(earlier, p).view(), halved(current, p).view())
                  : mean_absolute_difference(blurred(earlier, p).view(), blurred(current, p).view());
    });
  }

  // Planes belong to their frame: those of frame n serve frame n + 1 as well.
  const FloatPlane& blurred(const io::Frame& frame, int plane) const {
    const FloatPlane& samples = shared_float_samples(frame, plane, kCentredOffset);
    if (terms_.taps == 1) return samples;
    return frame.derived().get<FloatPlane>(key("blur", plane), [&] { return float_motion_blur(samples.view(), terms_.taps); });
  }

  const FloatPlane& halved(const io::Frame& frame, int plane) const {
    return frame.derived().get<FloatPlane>(key("half", plane), [&] { return float_motion_half(blurred(frame, plane).view()); });
  }

  std::string key(const char* what, int plane) const {
    return std::string("float_motion ") + what + " taps " + std::to_string(terms_.taps) + " plane " + std::to_string(plane);
  }

  FloatMotionTerms terms_;
  bool debug_;
  double weight_;
  MotionBlend blend_;
  size_t bytes_ = 0;
};

// libvmaf's half-size buffer holds this many columns.
constexpr int kWidestHalf = 7680;

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const FloatMotionTerms terms(options);
  const int smallest = terms.taps / 2 + 1;
  if (terms.planes > 1 && clip.format.plane_count() < 3) {
    return unsupported(kFloatMotion, clip, "motion_add_uv needs chroma planes");
  }
  for (int p = 0; p < terms.planes; ++p) {
    if (clip.format.plane_width(p) < smallest || clip.format.plane_height(p) < smallest) {
      const std::string side = std::to_string(smallest);
      return unsupported(kFloatMotion, clip, "needs at least " + side + "x" + side + " in plane " + std::to_string(p));
    }
  }
  if (terms.half && float_motion_half_side(clip.format.width) > kWidestHalf) {
    return unsupported(kFloatMotion, clip, "motion_add_scale1 takes at most " + std::to_string(2 * kWidestHalf) + " columns");
  }
  return make_extractor<FloatMotion>(options, clip);
}

}  // namespace

const ExtractorInfo kFloatMotion = {
    .name = "float_motion",
    .summary = "Mean absolute difference of neighbouring reference frames after a small blur, in floats.",
    .range = "0 (still) .. 256, more with motion_add_scale1 and motion_add_uv; not a quality score",
    .source = "Li, Aaron, Katsavounidis, Moorthy, Manohara: Toward a practical perceptual video quality metric, 2016",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
