// float_adm: detail loss and additive impairment of luma, from the energies of wavelet coefficients, in single precision.
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "extractors/all_extractors.h"
#include "extractors/float_adm_csf.h"
#include "extractors/float_adm_options.h"
#include "extractors/float_adm_sums.h"
#include "extractors/float_adm_wavelet.h"
#include "extractors/tables.h"

namespace vmafbatch::extractors {
namespace {

constexpr OptionSpec weight_option(std::string_view name, std::string_view alias, std::string_view help) {
  return real_option(name, alias, -1.0, -1.0, 10.0, help);
}

constexpr std::array kOptions = {
    output_option("debug", false, "also give numerators and denominators"),
    real_option("adm_enhn_gain_limit", "egl", 100.0, 1.0, 100.0, "largest gain of detail that counts as restored"),
    real_option("adm_norm_view_dist", "nvd", 3.0, 0.75, 24.0, "viewing distance in display heights"),
    real_option("adm_noise_weight", "nw", 0.03125, 0.0, 1500.0, "weight of the constant that is added to every energy"),
    real_option("adm_csf_scale", "scf", 1.0, 0.0, 50.0, "factor on the h and v weights; adm_csf_mode=1 only"),
    real_option("adm_csf_diag_scale", "scfd", 1.0, 0.0, 50.0, "factor on the d weights; adm_csf_mode=1 only"),
    integer_option("adm_ref_display_height", "rdf", 1080, 1, 4320, "display height in pixels"),
    integer_option("adm_csf_mode", "csf", 0, 0, 9, "visibility model: 0 Watson, 1 Barten, 2 first DLM; others as 0"),
    integer_option("adm_bypass_cm", "bcm", 0, 0, 1, "1: no contrast masking"),
    flag_option("adm_adm3_apply_hm", "aah", "adm3 is the harmonic mean of adm2 and aim"),
    real_option("adm_p_norm", "apn", 3.0, 1.0, 20.0, "exponent of the energy sums; others than 1 and 3 are slow"),
    real_option("adm_dlm_weight", "dlmw", 0.5, 0.0, 1.0, "weight of adm2 in adm3"),
    real_option("adm_min_val", "min", 0.0, 0.0, 1.0, "floor of adm3"),
    weight_option("adm_f1s0", "f1s0", "h and v weight of scale 0; negative: the model's"),
    weight_option("adm_f1s1", "f1s1", "h and v weight of scale 1; negative: the model's"),
    weight_option("adm_f1s2", "f1s2", "h and v weight of scale 2; negative: the model's"),
    weight_option("adm_f1s3", "f1s3", "h and v weight of scale 3; negative: the model's"),
    weight_option("adm_f2s0", "f2s0", "d weight of scale 0; negative: the model's"),
    weight_option("adm_f2s1", "f2s1", "d weight of scale 1; negative: the model's"),
    weight_option("adm_f2s2", "f2s2", "d weight of scale 2; negative: the model's"),
    weight_option("adm_f2s3", "f2s3", "d weight of scale 3; negative: the model's"),
    integer_option("adm_skip_aim_scale", "sasc", -1, 0, 3, "a scale that aim leaves out; not given: none"),
    flag_option("adm_skip_scale0", "ssz", "do not score scale 0"),
};

enum Feature : size_t {
  kAdm2,
  kAim,
  kAdm3,
  kAdmScale0,
  kAdm = kAdmScale0 + 4,
  kAdmNum,
  kAdmDen,
  kAdmNumScale0,
  kFeatureCount = kAdmNumScale0 + 8
};

constexpr std::array kFeatures = {
    frame_feature("VMAF_feature_adm2_score", "adm2", "visible detail that is left, as a share of the reference's"),
    frame_feature("VMAF_feature_aim_score", "aim", "visible additive impairment, as a share of the reference's detail"),
    frame_feature("VMAF_feature_adm3_score", "adm3", "adm2 and aim together"),
    frame_feature("VMAF_feature_adm_scale0_score", "adm_scale0", "adm2 of the finest scale alone"),
    frame_feature("VMAF_feature_adm_scale1_score", "adm_scale1", "adm2 of scale 1 alone"),
    frame_feature("VMAF_feature_adm_scale2_score", "adm_scale2", "adm2 of scale 2 alone"),
    frame_feature("VMAF_feature_adm_scale3_score", "adm_scale3", "adm2 of the coarsest scale alone"),
    FeatureSpec{.internal_name = "adm", .reported_name = "adm", .suffixed = false, .provided = false, .help = "the same as adm2"},
    frame_feature("adm_num", "numerator of adm2"),
    frame_feature("adm_den", "denominator of adm2"),
    frame_feature("adm_num_scale0", "numerator of adm_scale0"),
    frame_feature("adm_den_scale0", "denominator of adm_scale0"),
    frame_feature("adm_num_scale1", "numerator of adm_scale1"),
    frame_feature("adm_den_scale1", "denominator of adm_scale1"),
    frame_feature("adm_num_scale2", "numerator of adm_scale2"),
    frame_feature("adm_den_scale2", "denominator of adm_scale2"),
    frame_feature("adm_num_scale3", "numerator of adm_scale3"),
    frame_feature("adm_den_scale3", "denominator of adm_scale3"),
};
static_assert(kFeatures.size() == kFeatureCount);

constexpr int kSmallestSide = 17;  // below it a band of the coarsest scale has one sample in a direction, and masking needs two

// The energies of one scale.
struct ScaleEnergies {
  double reference = 0.0;
  double restored = 0.0;
  double additive = 0.0;
};

// libvmaf's frame-level sums, over the scales.
struct FrameEnergies {
  double numerator = 0.0;
  double denominator = 0.0;
  double aim_numerator = 0.0;
  double aim_denominator = 0.0;
};

// The sum of three bands' energies, each back under its root and with the constant of its area. std::pow of two floats is powf.
float pooled(const Measurements& measured, size_t first_word, double exponent, double noise_area) {
  const auto root = static_cast<float>(1.0 / exponent);
  const float noise = std::pow(static_cast<float>(noise_area), root);
  const auto part = [&](size_t band) { return std::pow(static_cast<float>(measured.real(first_word + band)), root) + noise; };
  const float h = part(0);
  const float v = part(1);
  const float d = part(2);
  return (h + v) + d;
}

class FloatAdm final : public Extractor {
 public:
  FloatAdm(const Options& options, const ClipInfo& clip)
      : width_(clip.format.width),
        height_(clip.format.height),
        debug_(options.flag("debug")),
        skip_scale0_(options.flag("adm_skip_scale0")),
        harmonic_mean_(options.flag("adm_adm3_apply_hm")),
        skipped_aim_scale_(options.integer("adm_skip_aim_scale")),
        noise_weight_(options.real("adm_noise_weight")),
        dlm_weight_(options.real("adm_dlm_weight")),
        smallest_adm3_(options.real("adm_min_val")),
        sums_(float_adm::sum_settings(options)),
        weights_(float_adm::csf_weights(float_adm::csf_settings(options))) {}

  Needs needs() const override {
    const size_t pyramid = float_adm::wavelet_pyramid_bytes(width_, height_);
    return {.bytes_per_frame = 2 * pyramid + float_adm::sum_scale_bytes(float_adm::band_size(width_, height_, 0))};
  }

  std::vector<size_t> outputs() const override { return first_features(debug_ ? kFeatureCount : kAdm); }

  // Slot (scale * 3 + signal) * 3 + band: the sum of energies, a float (float_adm_sums.h); scale 0 is zero where it is skipped.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(float_adm::kScales * kSumsPerScale);
    const float_adm::WaveletPyramid& reference = float_adm::shared_wavelet_pyramid(window.reference());
    const float_adm::WaveletPyramid& distorted = float_adm::shared_wavelet_pyramid(window.distorted());
    for (size_t s = skip_scale0_ ? 1 : 0; s < float_adm::kScales; ++s) {
      const float_adm::ScaleSums sums = float_adm::sum_scale(reference.scales[s], distorted.scales[s], weights_[s], sums_);
      for (size_t i = 0; i < sums.size(); ++i) out.set_real(s * kSumsPerScale + i, sums[i]);
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    std::array<ScaleEnergies, float_adm::kScales> scales;
    for (size_t s = 0; s < scales.size(); ++s) scales[s] = energies(measured, s);
    const FrameEnergies frame = floored(summed(scales));
    const auto [adm2, aim] = ratios(frame);
    out.set(kAdm2, adm2);
    out.set(kAim, aim);
    out.set(kAdm3, combined(adm2, aim));
    for (size_t s = 0; s < scales.size(); ++s) out.set(kAdmScale0 + s, scales[s].restored / scales[s].reference);
    if (!debug_) return;
    out.set(kAdm, adm2);
    out.set(kAdmNum, frame.numerator);
    out.set(kAdmDen, frame.denominator);
    for (size_t s = 0; s < scales.size(); ++s) {
      out.set(kAdmNumScale0 + 2 * s, scales[s].restored);
      out.set(kAdmNumScale0 + 2 * s + 1, scales[s].reference);
    }
  }

 private:
  static constexpr size_t kSumsPerScale = float_adm::kSignals * float_adm::kBands;

  ScaleEnergies energies(const Measurements& measured, size_t scale) const {
    constexpr float kSkippedDenominator = 1e-10f;  // libvmaf's, so that the quotient of a skipped scale is 0
    if (scale == 0 && skip_scale0_) return {.reference = kSkippedDenominator};
    const float_adm::Region area = float_adm::score_region(float_adm::band_size(width_, height_, static_cast<int>(scale)));
    const double noise_area = static_cast<double>(area.width() * area.height()) * noise_weight_;
    const auto energy = [&](float_adm::Signal signal, double noise) {
      return static_cast<double>(pooled(measured, scale * kSumsPerScale + signal * float_adm::kBands, sums_.exponent, noise));
    };
    return {energy(float_adm::kReference, noise_area), energy(float_adm::kRestored, noise_area), energy(float_adm::kAdditive, 0.0)};
  }

  FrameEnergies summed(const std::array<ScaleEnergies, float_adm::kScales>& scales) const {
    FrameEnergies sum;
    for (size_t s = 0; s < scales.size(); ++s) {
      sum.numerator += scales[s].restored;
      sum.denominator += scales[s].reference;
      if (static_cast<int>(s) == skipped_aim_scale_) continue;
      sum.aim_numerator += scales[s].additive;
      sum.aim_denominator += scales[s].reference;
    }
    return sum;
  }

  // Sums too small for the picture's size count as nothing.
  FrameEnergies floored(FrameEnergies sum) const {
    const double limit = (1e-10 * static_cast<double>(width_ * height_)) / (1920.0 * 1080.0);
    if (sum.numerator < limit) sum.numerator = 0.0;
    if (sum.denominator < limit) sum.denominator = 0.0;
    return sum;
  }

  // adm2 and aim. Without any detail in the reference nothing was lost, and nothing can be said of additions: 1 and 0.
  static std::pair<double, double> ratios(const FrameEnergies& frame) {
    if (frame.denominator == 0.0) return {1.0, 0.0};
    const double aim = frame.aim_numerator / frame.aim_denominator;
    return {frame.numerator / frame.denominator, aim < 1.0 ? aim : 1.0};
  }

  double combined(double adm2, double aim) const {
    const double value = harmonic_mean_ ? ((2.0 * adm2) * aim) / (adm2 + aim) : adm2 * dlm_weight_ + (1.0 - aim) * (1.0 - dlm_weight_);
    return value > smallest_adm3_ ? value : smallest_adm3_;
  }

  int width_;
  int height_;
  bool debug_;
  bool skip_scale0_;
  bool harmonic_mean_;
  int skipped_aim_scale_;
  double noise_weight_;
  double dlm_weight_;
  double smallest_adm3_;
  float_adm::SumSettings sums_;
  std::array<float_adm::BandWeights, float_adm::kScales> weights_;
};

// Options that make a scale's quotient 0 / 0 at every frame.
Status check_options(const Options& options) {
  if (options.real("adm_noise_weight") != 0.0) return {};
  const auto weights = float_adm::csf_weights(float_adm::csf_settings(options));
  for (size_t s = options.flag("adm_skip_scale0") ? 1 : 0; s < weights.size(); ++s) {
    if (weights[s].hv != 0.0f || weights[s].d != 0.0f) continue;
    return Error{"option adm_noise_weight is 0 and the weights of scale " + std::to_string(s) + " are 0, so adm_scale" + std::to_string(s) +
                 " would be 0/0; give a larger adm_noise_weight or other weights"};
  }
  return {};
}

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.width < kSmallestSide || clip.format.height < kSmallestSide) {
    return unsupported(kFloatAdm, clip, "needs at least 17x17");
  }
  return make_extractor<FloatAdm>(options, clip);
}

}  // namespace

const ExtractorInfo kFloatAdm = {
    .name = "float_adm",
    .summary = "Detail loss and additive impairment of luma over four wavelet scales, in single precision.",
    .range = "adm2: 0 to 1, above 1 for enhanced detail, higher is better; aim: 0 to 1, lower is better",
    .source = "S. Li, F. Zhang, L. Ma, K. N. Ngan, IEEE Trans. Multimedia 13(5), 2011",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
