// speed_temporal: how much the local information of the luma difference of neighbouring frames changes. C. G. Bampis, P. Gupta,
// R. Soundararajan, A. C. Bovik, "SpEED-QA: Spatial Efficient Entropic Differencing for Image and Video Quality", IEEE Signal Processing
// Letters 24(9), 2017; weights and constants of libvmaf.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/speed_options.h"
#include "extractors/speed_score.h"

namespace vmafbatch::extractors {
namespace {

const std::array kOptions =
    with_option(speed_options("changes the name of the score only, as in libvmaf; nothing is capped"),
                flag_option("speed_use_ref_diff", "urd",
                            "subtract the current reference frame, not the current distorted one, from the earlier distorted frame"));

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "Speed_temporal_feature_speed_temporal_score",
                .reported_name = "speed_temporal",
                .help = "entropic difference of the luma differences to the frame before; 0 at the first frame"},
};

class SpeedTemporal final : public Extractor {
 public:
  SpeedTemporal(const Options& options, const ClipInfo& clip)
      : shape_(speed_shape(options, clip.format.width, clip.format.height)),
        channel_(speed_channel(options, 0)),
        from_reference_(options.flag("speed_use_ref_diff")),
        bytes_(2 * speed_statistics_bytes(clip.format.width, clip.format.height, true, shape_)) {}

  Needs needs() const override { return {.history = 1, .every_frame = true, .bytes_per_frame = bytes_}; }
  std::vector<size_t> outputs() const override { return {0}; }

  // The statistics of the reference's difference, then those of the distorted picture's (speed_score.h has the layout). The first frame
  // has no difference: both sides are singular and zero there, which scores 0.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    const size_t slots = speed_slots(shape_);
    out.resize(2 * slots);
    if (window.history() < 1) {
      out.set_integer(0, 1);
      out.set_integer(slots, 1);
      return;
    }
    const io::Frame& subtracted = from_reference_ ? window.reference() : window.distorted();
    write_speed_statistics(speed_statistics({window.reference(1), 0, &window.reference()}, shape_), 0, out);
    write_speed_statistics(speed_statistics({window.distorted(1), 0, &subtracted}, shape_), slots, out);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const SpeedScore score =
        speed_score(read_speed_statistics(measured, 0, shape_), read_speed_statistics(measured, speed_slots(shape_), shape_), channel_);
    out.set(0, static_cast<double>(score.value));
  }

 private:
  SpeedShape shape_;
  SpeedChannel channel_;
  bool from_reference_;
  size_t bytes_;
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (Status checked = check_speed_size(kSpeedTemporal, options, clip, 0); !checked) return checked.error();
  return make_extractor<SpeedTemporal>(options, clip);
}

}  // namespace

const ExtractorInfo kSpeedTemporal = {
    .name = "speed_temporal",
    .summary = "Entropic difference of luma frame differences: how much the local information of the motion changes.",
    .range = "0 (equal) upwards, usually below 100; lower is better",
    .source = "C. G. Bampis, P. Gupta, R. Soundararajan, A. C. Bovik, SpEED-QA, IEEE Signal Processing Letters 24(9), 2017",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_speed_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
