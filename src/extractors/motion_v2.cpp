// motion_v2: the numbers of motion under the keys of a later state of libvmaf's fork.
#include "extractors/all_extractors.h"
#include "extractors/integer_motion.h"

namespace vmafbatch::extractors {
namespace {

enum Feature : size_t { kSadScore, kMotion2, kMotion3 };

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion_v2_sad_score",
                .reported_name = "VMAF_integer_feature_motion_v2_sad_score",
                .help = "difference from the earlier frame, weighted and capped"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion2_v2_score",
                .reported_name = "VMAF_integer_feature_motion2_v2_score",
                .scope = FeatureScope::kSeries,
                .reported_late = true,
                .help = "smaller one of the scores before and behind the frame"},
    FeatureSpec{.internal_name = "VMAF_integer_feature_motion3_v2_score",
                .reported_name = "VMAF_integer_feature_motion3_v2_score",
                .scope = FeatureScope::kSeries,
                .reported_late = true,
                .help = "motion2, blended and capped"},
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  return make_integer_motion(kMotionV2, {.sad_score = kSadScore, .debug_score = std::nullopt, .motion2 = kMotion2, .motion3 = kMotion3},
                             options, clip);
}

}  // namespace

const ExtractorInfo kMotionV2 = {
    .name = "motion_v2",
    .summary = "The numbers of motion under other keys.",
    .range = "0 (still) .. 256; not a quality score",
    .source = "Li, Aaron, Katsavounidis, Moorthy, Manohara: Toward a practical perceptual video quality metric, 2016",
    .options = kIntegerMotionOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
