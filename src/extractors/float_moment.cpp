// float_moment: mean and mean square of both luma planes on the 8-bit scale: statistics of the content. Textbook definition.
#include <array>
#include <cmath>

#include "extractors/all_extractors.h"
#include "extractors/moment_sums.h"

namespace vmafbatch::extractors {
namespace {

enum Feature : size_t { kReferenceFirst, kDistortedFirst, kReferenceSecond, kDistortedSecond };

// Models know the extractor's name only, never the four keys.
constexpr FeatureSpec moment(std::string_view name, std::string_view help) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = false, .help = help};
}
constexpr std::array kFeatures = {
    moment("float_moment_ref1st", "mean of the reference luma"),
    moment("float_moment_dis1st", "mean of the distorted luma"),
    moment("float_moment_ref2nd", "mean square of the reference luma"),
    moment("float_moment_dis2nd", "mean square of the distorted luma"),
};

class FloatMoment final : public Extractor {
 public:
  FloatMoment(const Options&, const ClipInfo& clip)
      : pixels_(static_cast<double>(clip.format.width) * static_cast<double>(clip.format.height)),
        scale_(std::ldexp(1.0, 8 - clip.format.bit_depth)) {}

  Needs needs() const override { return {}; }
  std::vector<size_t> outputs() const override { return {kReferenceFirst, kDistortedFirst, kReferenceSecond, kDistortedSecond}; }

  // Slots as the features: sums of the samples, then running sums of their rounded squares (moment_sums.h).
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    const MomentSums reference = moment_sums(window.reference());
    const MomentSums distorted = moment_sums(window.distorted());
    out.resize(kFeatures.size());
    out.set_integer(kReferenceFirst, reference.samples);
    out.set_integer(kDistortedFirst, distorted.samples);
    out.set_integer(kReferenceSecond, reference.squares);
    out.set_integer(kDistortedSecond, distorted.squares);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    for (const Feature first : {kReferenceFirst, kDistortedFirst}) {
      out.set(first, static_cast<double>(measured.integer(first)) * scale_ / pixels_);
    }
    for (const Feature second : {kReferenceSecond, kDistortedSecond}) {
      out.set(second, static_cast<double>(measured.integer(second)) * (scale_ * scale_) / pixels_);
    }
  }

 private:
  double pixels_;
  double scale_;  // 2^(8-depth): one sample step on the 8-bit scale
};

}  // namespace

const ExtractorInfo kFloatMoment = {
    .name = "float_moment",
    .summary = "Mean and mean square of the reference and the distorted luma, on the 8-bit scale.",
    .range = "means 0 .. 256, mean squares 0 .. 65536; not a quality score",
    .source = "textbook definition",
    .options = {},
    .features = kFeatures,
    .create = make_extractor<FloatMoment>,
};

}  // namespace vmafbatch::extractors
