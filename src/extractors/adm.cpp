// adm: the integer form of the detail loss measure (adm2), of the additive impairment measure (aim) and of their blend (adm3).
// The steps are in adm_wavelet (transform), adm_contrast (decoupling, masking, sums) and adm_pooling (roots and ratios).
#include <array>
#include <cstdint>

#include "base/number_text.h"
#include "extractors/adm_setup.h"
#include "extractors/all_extractors.h"
#include "extractors/tables.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    output_option("debug", false, "also give numerators and denominators"),
    real_option("adm_csf_scale", "scf", 1.0, 0.0, 50.0, "factor of the horizontal and vertical CSF weights, adm_csf_mode 1 only"),
    real_option("adm_csf_diag_scale", "scfd", 1.0, 0.0, 50.0, "factor of the diagonal CSF weights, adm_csf_mode 1 only"),
    real_option("adm_dlm_weight", "dlmw", 0.5, 0.0, 1.0, "weight of adm2 in adm3; the rest is the weight of 1 - aim"),
    real_option("adm_enhn_gain_limit", "egl", 100.0, 1.0, 100.0, "how much enhancement of the reference's detail counts as kept detail"),
    real_option("adm_norm_view_dist", "nvd", 3.0, 0.75, 24.0, "viewing distance, picture heights"),
    integer_option("adm_ref_display_height", "rdh", 1080, 1, 4320, "height of the display, pixels"),
    integer_option("adm_csf_mode", "csf", 0, 0, 3, "contrast sensitivity: 0 Watson 97, 1 Barten, 2 blend of both, 3 blend fitted anew"),
    real_option("adm_noise_weight", "nw", 0.03125, 0.0, 1500.0, "noise floor, per pooled sample"),
    OptionSpec{.name = "adm_skip_aim",
               .type = OptionType::kBool,
               .role = OptionRole::kValue,
               .default_value = false,
               .help = "do not compute aim: it is 0 then, also in adm3"},
    flag_option("adm_skip_scale0", "ssz", "leave the finest scale out"),
    real_option("adm_min_val", "min", 0.0, 0.0, 1.0, "smallest value of adm3"),
};

enum Feature : size_t { kAdm2, kAim, kAdm3, kScale0, kAdm2Again = kScale0 + adm::kScales, kNumerator, kDenominator, kNumeratorScale0 };

constexpr std::array kFeatures = {
    frame_feature("VMAF_integer_feature_adm2_score", "integer_adm2", "kept detail over reference detail"),
    frame_feature("VMAF_integer_feature_aim_score", "integer_aim", "additive impairment over reference detail"),
    frame_feature("VMAF_integer_feature_adm3_score", "integer_adm3", "blend of adm2 and 1 - aim"),
    frame_feature("integer_adm_scale0", "adm2 of the finest scale"),
    frame_feature("integer_adm_scale1", "adm2 of scale 1"),
    frame_feature("integer_adm_scale2", "adm2 of scale 2"),
    frame_feature("integer_adm_scale3", "adm2 of the coarsest scale"),
    frame_feature("integer_adm", "adm2 again"),
    frame_feature("integer_adm_num", "numerator of adm2"),
    frame_feature("integer_adm_den", "denominator of adm2"),
    frame_feature("integer_adm_num_scale0", "numerator of scale 0"),
    frame_feature("integer_adm_den_scale0", "denominator of scale 0"),
    frame_feature("integer_adm_num_scale1", "numerator of scale 1"),
    frame_feature("integer_adm_den_scale1", "denominator of scale 1"),
    frame_feature("integer_adm_num_scale2", "numerator of scale 2"),
    frame_feature("integer_adm_den_scale2", "denominator of scale 2"),
    frame_feature("integer_adm_num_scale3", "numerator of scale 3"),
    frame_feature("integer_adm_den_scale3", "denominator of scale 3"),
};
constexpr size_t kDefaultFeatures = kAdm2Again;

class Adm final : public Extractor {
 public:
  Adm(const Options& options, const ClipInfo& clip)
      : debug_(options.flag("debug")),
        width_(clip.format.width),
        height_(clip.format.height),
        setup_(adm::setup_of(options, clip.format)) {}

  Needs needs() const override {
    return {.bytes_per_frame = 2 * adm::pyramid_bytes(setup_.geometry) + adm::contrast_bytes(setup_.geometry[0])};
  }

  std::vector<size_t> outputs() const override { return first_features(debug_ ? kFeatures.size() : kDefaultFeatures); }

  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(adm::kSlots);
    const adm::Pyramid& reference = adm::pyramid_of(window.reference(), setup_.geometry);
    const adm::Pyramid& distorted = adm::pyramid_of(window.distorted(), setup_.geometry);
    const adm::ReferenceTotals& denominators = adm::reference_totals_of(window.reference(), setup_.geometry);
    if (!setup_.pooling.skip_scale0) store(0, denominators[0], contrast(reference.finest, distorted.finest, 0), out);
    for (size_t s = 1; s < adm::kScales; ++s) {
      store(s, denominators[s], contrast(reference.coarser[s - 1], distorted.coarser[s - 1], s), out);
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const adm::Scores scores = adm::pool(load(measured), setup_.geometry, width_, height_, setup_.weights, setup_.pooling);
    out.set(kAdm2, scores.adm2);
    out.set(kAim, scores.aim);
    out.set(kAdm3, scores.adm3);
    for (size_t s = 0; s < adm::kScales; ++s) out.set(kScale0 + s, scores.scale_ratio[s]);
    if (!debug_) return;
    out.set(kAdm2Again, scores.adm2);
    out.set(kNumerator, scores.numerator);
    out.set(kDenominator, scores.denominator);
    for (size_t s = 0; s < adm::kScales; ++s) {
      out.set(kNumeratorScale0 + 2 * s, static_cast<double>(scores.scale_numerator[s]));
      out.set(kNumeratorScale0 + 2 * s + 1, static_cast<double>(scores.scale_denominator[s]));
    }
  }

 private:
  template <class Bands>
  adm::ContrastTotals contrast(const Bands& reference, const Bands& distorted, size_t scale) const {
    return adm::contrast_totals(reference, distorted, setup_.geometry[scale], setup_.constants[scale], !setup_.pooling.skip_aim);
  }

  static void store(size_t scale, const std::array<std::uint64_t, adm::kBands>& reference, const adm::ContrastTotals& contrast,
                    Measurements& out) {
    for (size_t b = 0; b < adm::kBands; ++b) {
      out.set_integer(adm::slot_of(scale, 0, b), reference[b]);
      out.set_signed(adm::slot_of(scale, 1, b), contrast.detail[b]);
      out.set_signed(adm::slot_of(scale, 2, b), contrast.additive[b]);
    }
  }

  static adm::Totals load(const Measurements& measured) {
    adm::Totals totals;
    for (size_t s = 0; s < adm::kScales; ++s) {
      for (size_t b = 0; b < adm::kBands; ++b) {
        totals[s].reference[b] = measured.integer(adm::slot_of(s, 0, b));
        totals[s].contrast.detail[b] = measured.signed_integer(adm::slot_of(s, 1, b));
        totals[s].contrast.additive[b] = measured.signed_integer(adm::slot_of(s, 2, b));
      }
    }
    return totals;
  }

  bool debug_;
  int width_;
  int height_;
  adm::Setup setup_;
};

Status check_options(const Options& options) {
  const adm::Viewing viewing = adm::viewing_of(options);
  const std::string given = "adm_norm_view_dist " + format_general(viewing.distance, 6) + " with adm_ref_display_height " +
                            std::to_string(viewing.display_height);
  if (viewing.distance * viewing.display_height < adm::kSmallestViewing) {
    return Error{given + " is too close: their product must be at least 3240"};
  }
  if (!adm::is_tabulated(viewing)) {
    return Error{"adm_csf_mode " + std::to_string(options.integer("adm_csf_mode")) + " has no weights for " + given +
                 "; it has them for 1080 at 3 and 5, 2160 at 1.5, 3 and 5, and 720 at 5; use one of those, or adm_csf_mode 0"};
  }
  return {};
}

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.width < adm::kSmallestSide || clip.format.height < adm::kSmallestSide) {
    return unsupported(kAdm, clip, "needs at least 17x17");
  }
  return make_extractor<Adm>(options, clip);
}

}  // namespace

const ExtractorInfo kAdm = {
    .name = "adm",
    .summary = "Detail that the distorted picture lost and impairment that it gained, in a wavelet pyramid with contrast masking.",
    .range = "adm2: 0 .. about 1, higher is better, above 1 where detail was enhanced; aim: 0 and up, lower is better",
    .source = "S. Li, F. Zhang, L. Ma, K. N. Ngan, IEEE Trans. Multimedia 13(5), 2011; fixed point as libvmaf's",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
