// speed_chroma: how much the local information of Cb and Cr changes. C. G. Bampis, P. Gupta, R. Soundararajan, A. C. Bovik, "SpEED-QA:
// Spatial Efficient Entropic Differencing for Image and Video Quality", IEEE Signal Processing Letters 24(9), 2017; weights and constants
// of libvmaf.
#include <algorithm>
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/speed_options.h"
#include "extractors/speed_score.h"

namespace vmafbatch::extractors {
namespace {

const std::array kOptions = with_option(
    speed_options("cap of each score"),
    integer_option("speed_weight_var_mode", "wvm", 0, 0.0, 6.0,
                   "variances that weight the two entropies of a block; 0: each its own, 1: reference, 2: distorted, 3: the mean "
                   "for both; 4, 5, 6: reference, and for the distorted 1/2, 3/4, 1/4 of it"));

enum Feature : size_t { kU, kV, kUv };

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_u_score",
                .reported_name = "speed_chroma_u",
                .help = "entropic difference of Cb; 0 where a side has no regular covariance"},
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_v_score",
                .reported_name = "speed_chroma_v",
                .help = "entropic difference of Cr; 0 where a side has no regular covariance"},
    FeatureSpec{.internal_name = "Speed_chroma_feature_speed_chroma_uv_score",
                .reported_name = "speed_chroma_uv",
                .help = "mean of both, or the one whose covariances are regular"},
};

class SpeedChroma final : public Extractor {
 public:
  SpeedChroma(const Options& options, const ClipInfo& clip)
      : shape_(speed_shape(options, clip.format.plane_width(1), clip.format.plane_height(1))),
        channel_(speed_channel(options, options.integer("speed_weight_var_mode"))),
        cap_(options.real("speed_max_val")),
        bytes_(4 * speed_statistics_bytes(clip.format.plane_width(1), clip.format.plane_height(1), false, shape_)) {}

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }
  std::vector<size_t> outputs() const override { return {kU, kV, kUv}; }

  // The statistics of Cb, reference and distorted, then those of Cr (speed_score.h has the layout).
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    const size_t slots = speed_slots(shape_);
    out.resize(4 * slots);
    for (int plane = 1; plane <= 2; ++plane) {
      const size_t first = static_cast<size_t>(plane - 1) * 2 * slots;
      write_speed_statistics(shared_speed_statistics(window.reference(), plane, shape_), first, out);
      write_speed_statistics(shared_speed_statistics(window.distorted(), plane, shape_), first + slots, out);
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const SpeedScore u = score(measured, 0);
    const SpeedScore v = score(measured, 1);
    float both = static_cast<float>(static_cast<double>(u.value + v.value) / 2.0);
    if (u.singular && !v.singular) both = v.value;
    if (v.singular && !u.singular) both = u.value;
    out.set(kU, capped(u.value));
    out.set(kV, capped(v.value));
    out.set(kUv, capped(both));
  }

 private:
  SpeedScore score(const Measurements& measured, size_t plane) const {
    const size_t slots = speed_slots(shape_);
    const size_t first = plane * 2 * slots;
    return speed_score(read_speed_statistics(measured, first, shape_), read_speed_statistics(measured, first + slots, shape_), channel_);
  }

  // NaN stays NaN: it is a failure, not the cap.
  double capped(float value) const { return std::min(static_cast<double>(value), cap_); }

  SpeedShape shape_;
  SpeedChannel channel_;
  double cap_;
  size_t bytes_;
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.plane_count() < 3) return unsupported(kSpeedChroma, clip, "needs chroma planes");
  if (Status checked = check_speed_size(kSpeedChroma, options, clip, 1); !checked) return checked.error();
  return make_extractor<SpeedChroma>(options, clip);
}

}  // namespace

const ExtractorInfo kSpeedChroma = {
    .name = "speed_chroma",
    .summary = "Entropic difference of Cb and Cr: how much the local information of the colour planes changes.",
    .range = "0 (equal) up to speed_max_val; lower is better",
    .source = "C. G. Bampis, P. Gupta, R. Soundararajan, A. C. Bovik, SpEED-QA, IEEE Signal Processing Letters 24(9), 2017",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_speed_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
