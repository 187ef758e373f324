// float_vif: visual information fidelity on four scales in single precision. H. R. Sheikh and A. C. Bovik, "Image information and visual
// quality", IEEE Transactions on Image Processing 15(2), 2006, pixel domain; windows and constants of libvmaf.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/float_vif_pyramid.h"
#include "extractors/float_vif_simd.h"
#include "extractors/float_vif_sums.h"
#include "extractors/gaussian_window.h"
#include "extractors/vif_features.h"

namespace vmafbatch::extractors {
namespace {

const std::array kOptions = {
    kVifDebug,
    kVifGainLimit,
    real_option("vif_kernelscale", "ks", 1.0, 0.1, 4.0, "scale of the Gaussian windows; one of 21 values"),
    real_option("vif_prescale", "ps", 1.0, 0.1, 4.0, "factor by which both pictures are resized first"),
    real_option("vif_scale1_min_val", "s1miv", 0.0, 0.0, 1.0, "smallest score of scale 1"),
    real_option("vif_scale2_min_val", "s2miv", 0.0, 0.0, 1.0, "smallest score of scale 2"),
    real_option("vif_scale3_min_val", "s3miv", 0.0, 0.0, 1.0, "smallest score of scale 3"),
    OptionSpec{.name = "vif_prescale_method",
               .alias = "pm",
               .type = OptionType::kText,
               .default_value = std::string_view("nearest"),
               .help = "how vif_prescale resizes",
               .choices = kResizeMethods},
    real_option("vif_sigma_nsq", "snsq", 2.0, 0.0, 5.0, "noise variance of the visual channel, grey levels squared"),
    kVifSkipScale0,
};

constexpr std::array kFeatures = {
    frame_feature("VMAF_feature_vif_scale0_score", "vif_scale0", "visual information fidelity at full resolution"),
    frame_feature("VMAF_feature_vif_scale1_score", "vif_scale1", "visual information fidelity at half resolution"),
    frame_feature("VMAF_feature_vif_scale2_score", "vif_scale2", "visual information fidelity at a quarter of the resolution"),
    frame_feature("VMAF_feature_vif_scale3_score", "vif_scale3", "visual information fidelity at an eighth of the resolution"),
    frame_feature("vif", "visual information fidelity of all scales together"),
    frame_feature("vif_num", "information that the distorted picture keeps, all scales"),
    frame_feature("vif_den", "information of the reference, all scales"),
    frame_feature("vif_num_scale0", "information that the distorted picture keeps at scale 0"),
    frame_feature("vif_den_scale0", "information of the reference at scale 0"),
    frame_feature("vif_num_scale1", "information that the distorted picture keeps at scale 1"),
    frame_feature("vif_den_scale1", "information of the reference at scale 1"),
    frame_feature("vif_num_scale2", "information that the distorted picture keeps at scale 2"),
    frame_feature("vif_den_scale2", "information of the reference at scale 2"),
    frame_feature("vif_num_scale3", "information that the distorted picture keeps at scale 3"),
    frame_feature("vif_den_scale3", "information of the reference at scale 3"),
};
static_assert(kVifAll == kFloatVifScales);

class FloatVif final : public Extractor {
 public:
  FloatVif(const Options& options, const ClipInfo& clip)
      : shape_(float_vif_shape(options, clip.format)),
        channel_(float_vif_channel(options.real("vif_sigma_nsq"), options.real("vif_enhn_gain_limit"))),
        floors_{options.real("vif_scale1_min_val"), options.real("vif_scale2_min_val"), options.real("vif_scale3_min_val")},
        skip_scale0_(options.flag("vif_skip_scale0")),
        debug_(options.flag("debug")),
        bytes_(2 * float_vif_pyramid_bytes(clip.format.width, clip.format.height, shape_) + fast_float_vif_scratch_bytes(shape_.width)) {}

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }

  std::vector<size_t> outputs() const override { return first_features(debug_ ? kFeatures.size() : kFloatVifScales); }

  // Slots 2s and 2s+1: numerator and denominator of scale s, floats as doubles; zero for a scale that is left out.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    const FloatVifPyramid& reference = shared_float_vif_pyramid(window.reference(), shape_);
    const FloatVifPyramid& distorted = shared_float_vif_pyramid(window.distorted(), shape_);
    out.resize(2 * kFloatVifScales);
    for (size_t scale = skip_scale0_ ? 1 : 0; scale < kFloatVifScales; ++scale) {
      const FloatVifSums sums = float_vif_sums(reference.scales[scale], distorted.scales[scale], shape_.windows[scale], channel_);
      out.set_real(2 * scale, static_cast<double>(sums.numerator));
      out.set_real(2 * scale + 1, static_cast<double>(sums.denominator));
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    std::array<VifParts, kFloatVifScales> scales{};
    if (skip_scale0_) out.set(kVifScore0, 0.0);
    for (size_t scale = skip_scale0_ ? 1 : 0; scale < kFloatVifScales; ++scale) {
      scales[scale] = {measured.real(2 * scale), measured.real(2 * scale + 1)};
      const double quotient = scales[scale].numerator / scales[scale].denominator;
      out.set(kVifScore0 + scale, scale == 0 || quotient > floors_[scale - 1] ? quotient : floors_[scale - 1]);
    }
    if (debug_) set_vif_debug_features(scales, skip_scale0_, out);
  }

 private:
  FloatVifShape shape_;
  FloatVifChannel channel_;
  std::array<double, kFloatVifScales - 1> floors_;
  bool skip_scale0_;
  bool debug_;
  size_t bytes_;
};

Status check_options(const Options& options) { return check_kernel_scale("vif_kernelscale", options.real("vif_kernelscale")); }

// libvmaf 3.2.0 refuses wider pictures for bilinear.
constexpr int kWidestBilinear = 7680;

std::string side_text(int side) { return std::to_string(side) + "x" + std::to_string(side); }

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const FloatVifShape shape = float_vif_shape(options, clip.format);
  const int smallest = smallest_float_vif_side(shape.windows, options.flag("vif_skip_scale0"));
  if (shape.width < smallest || shape.height < smallest) {
    const bool resized = options.real("vif_prescale") != 1.0;
    return unsupported(
        kFloatVif, clip,
        "needs at least " + side_text(smallest) +
            (resized ? " after vif_prescale, which makes it " + std::to_string(shape.width) + "x" + std::to_string(shape.height)
                     : std::string()));
  }
  if (shape.width == clip.format.width && shape.height == clip.format.height) return make_extractor<FloatVif>(options, clip);
  const int source = smallest_resize_source(shape.method);
  if (clip.format.width < source || clip.format.height < source) {
    return unsupported(kFloatVif, clip,
                       "vif_prescale_method " + options.text("vif_prescale_method") + " needs at least " + side_text(source));
  }
  if (shape.method == ResizeMethod::kBilinear && shape.width > kWidestBilinear) {
    return unsupported(
        kFloatVif, clip,
        "vif_prescale makes it " + std::to_string(shape.width) + " wide, and bilinear goes up to " + std::to_string(kWidestBilinear));
  }
  return make_extractor<FloatVif>(options, clip);
}

}  // namespace

const ExtractorInfo kFloatVif = {
    .name = "float_vif",
    .summary = "Visual information fidelity on four scales, in single precision: how much of the reference's information survives.",
    .range = "about 0 .. 1, above 1 where contrast is enhanced; higher is better",
    .source = "H. R. Sheikh, A. C. Bovik, Image information and visual quality, IEEE Trans. Image Processing 15(2), 2006",
    .options = kOptions,
    .features = kFeatures,
    .check_options = check_options,
    .create = create,
};

}  // namespace vmafbatch::extractors
