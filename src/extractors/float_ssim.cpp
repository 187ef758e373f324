// float_ssim: mean structural similarity of luma over Gaussian windows, behind a box decimation. Z. Wang, A. C. Bovik, H. R. Sheikh,
// E. P. Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE Transactions on Image Processing
// 13(4), 2004; decimation and window of libvmaf.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/float_ssim_decimation.h"
#include "extractors/float_ssim_sums.h"
#include "extractors/ssim_decibels.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    OptionSpec{.name = "enable_lcs",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = false,
               .help = "also give the means of luminance, contrast and structure"},
    kSsimEnableDb,
    kSsimClipDb,
    OptionSpec{.name = "scale",
               .type = OptionType::kInt,
               .role = OptionRole::kValue,
               .default_value = 0,
               .minimum = 0,
               .maximum = 10,
               .help = "decimation factor; 0: the shorter side / 256, rounded, at least 1"},
};

enum Feature : size_t { kScore, kLuminance, kContrast, kStructure };

constexpr FeatureSpec frame_feature(std::string_view name, bool provided, std::string_view help) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = provided, .help = help};
}
constexpr std::array kFeatures = {
    frame_feature("float_ssim", true, "structural similarity"),
    frame_feature("float_ssim_l", false, "mean of the luminance factor"),
    frame_feature("float_ssim_c", false, "mean of the contrast factor"),
    frame_feature("float_ssim_s", false, "mean of the structure factor"),
};

int factor_of(const Options& options, const io::PictureFormat& format) {
  return decimation_factor(options.integer("scale"), format.width, format.height);
}

class FloatSsim final : public Extractor {
 public:
  FloatSsim(const Options& options, const ClipInfo& clip)
      : factor_(factor_of(options, clip.format)), lcs_(options.flag("enable_lcs")), scale_(options, clip.format) {
    const int width = decimated_side(clip.format.width, factor_);
    const int height = decimated_side(clip.format.height, factor_);
    windows_ = ssim_window_count(width, height);
    has_windows_ = width >= kSsimTaps && height >= kSsimTaps;
    // Both planes, the row buffers, and of a decimation one row of columns in double.
    bytes_ = 2 * FloatPlane::bytes_of(width, height) + float_ssim_scratch_bytes(width) +
             sizeof(double) * static_cast<size_t>(clip.format.width + 2 * factor_);
  }

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }

  std::vector<size_t> outputs() const override {
    if (!lcs_) return {kScore};
    return {kScore, kLuminance, kContrast, kStructure};
  }

  // The sums over all windows of the score and of its three factors, doubles; the last three are read with enable_lcs only. All are zero
  // where no window fits, and the scores are then 0 or -0.0, as libvmaf has them.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    const FloatSsimSums sums = has_windows_ ? shared_float_ssim_sums(window.pair(), 0, factor_) : FloatSsimSums{};
    out.resize(kFeatures.size());
    out.set_real(kScore, sums.score);
    out.set_real(kLuminance, sums.luminance);
    out.set_real(kContrast, sums.contrast);
    out.set_real(kStructure, sums.structure);
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const auto mean = [&](size_t slot) { return static_cast<double>(static_cast<float>(measured.real(slot) / windows_)); };
    out.set(kScore, scale_(mean(kScore)));
    for (size_t slot = kLuminance; lcs_ && slot < kFeatures.size(); ++slot) out.set(slot, mean(slot));
  }

 private:
  int factor_;
  bool lcs_;
  SsimScale scale_;
  bool has_windows_ = false;
  double windows_ = 0.0;
  size_t bytes_ = 0;
};

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const int factor = factor_of(options, clip.format);
  const int width = decimated_side(clip.format.width, factor);
  const int height = decimated_side(clip.format.height, factor);
  if (ssim_window_count(width, height) == 0.0) {  // 0 / 0: the score would be NaN
    return unsupported(
        kFloatSsim, clip,
        "needs at least 11x11 samples" + (factor == 1 ? std::string()
                                                      : " after decimation by " + std::to_string(factor) + ", which makes it " +
                                                            std::to_string(width) + "x" + std::to_string(height) + "; give another scale"));
  }
  return make_extractor<FloatSsim>(options, clip);
}

}  // namespace

const ExtractorInfo kFloatSsim = {
    .name = "float_ssim",
    .summary = "Structural similarity of luma at one scale: the mean of luminance, contrast and structure over Gaussian windows.",
    .range = "-1 .. 1, or dB with enable_db; higher is better",
    .source =
        "Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image quality assessment: from error visibility to structural "
        "similarity, IEEE Trans. Image Processing 13(4), 2004",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
