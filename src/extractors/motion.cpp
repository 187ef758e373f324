// motion: how much the reference moves. Mean absolute difference of neighbouring reference frames after a small Gaussian blur, in
// fixed point; the distorted picture has no influence.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/integer_motion.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = with_option(kIntegerMotionOptions, output_option("debug", false, "also give integer_motion"));

enum Feature : size_t { kSadScore, kDebugScore, kMotion2, kMotion3 };

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_sad_score",
                .reported_name = "VMAF_integer_feature_motion_sad_score",
                .help = "difference from the earlier frame, weighted and capped"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_score",
                .reported_name = "integer_motion",
                .help = "the sad score under libvmaf's debug name"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion2_score",
                .reported_name = "integer_motion2",
                .scope = FeatureScope::kSeries,
                .reported_late = true,
                .help = "smaller one of the scores before and behind the frame"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion3_score",
                .reported_name = "integer_motion3",
                .scope = FeatureScope::kSeries,
                .reported_late = true,
                .help = "motion2, blended and capped"},
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const bool debug = options.flag("debug");
  return make_integer_motion(kMotion,
                             {.sad_score = kSadScore,
                              .debug_score = debug ? std::optional<size_t>(kDebugScore) : std::nullopt,
                              .motion2 = kMotion2,
                              .motion3 = kMotion3},
                             options, clip);
}

}  // namespace

const ExtractorInfo kMotion = {
    .name = "motion",
    .summary = "Mean absolute difference of neighbouring reference frames after a small blur, in fixed point.",
    .range = "0 (still) .. 256; not a quality score",
    .source = "Li, Aaron, Katsavounidis, Moorthy, Manohara: Toward a practical perceptual video quality metric, 2016",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
