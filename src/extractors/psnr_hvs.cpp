// psnr_hvs: PSNR-HVS-M, a PSNR over the coefficients of overlapping 8x8 blocks, after contrast masking and contrast sensitivity.
// Sources: Egiazarian et al. (VPQM 2006), Ponomarenko et al. (VPQM 2007), in the integer form of the Daala tools.
#include <array>
#include <cmath>

#include "extractors/all_extractors.h"
#include "extractors/psnr_hvs_bands.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    OptionSpec{.name = "enable_chroma",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = true,
               .help = "also score Cb and Cr and weigh them into psnr_hvs (off for 4:0:0)"},
};

enum Feature : size_t { kLuma, kCb, kCr, kCombined };

constexpr FeatureSpec feature(std::string_view name, std::string_view help) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .help = help};
}
constexpr std::array kFeatures = {
    feature("psnr_hvs_y", "luma PSNR-HVS-M, dB"),
    feature("psnr_hvs_cb", "Cb PSNR-HVS-M, dB"),
    feature("psnr_hvs_cr", "Cr PSNR-HVS-M, dB"),
    feature("psnr_hvs", "PSNR-HVS-M of 0.8 luma and 0.1 of each chroma plane, dB"),
};

double decibels(double error) { return 10.0 * (-1.0 * std::log10(error)); }

int planes_of(const Options& options, const io::PictureFormat& format) { return options.flag("enable_chroma") ? format.plane_count() : 1; }

class PsnrHvs final : public Extractor {
 public:
  PsnrHvs(const Options& options, const ClipInfo& clip) : planes_(planes_of(options, clip.format)) {
    const int peak = (1 << clip.format.bit_depth) - 1;
    peak2_ = static_cast<float>(peak * peak);
    for (int p = 0; p < planes_; ++p) {
      const int width = clip.format.plane_width(p);
      const int coefficients = kHvsSamples * hvs_blocks(width) * hvs_blocks(clip.format.plane_height(p));
      coefficients_[static_cast<size_t>(p)] = static_cast<float>(coefficients);
    }
    bytes_ = hvs_error_sum_bytes(clip.format.width);  // planes come one after the other, and luma is the widest
  }

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }

  std::vector<size_t> outputs() const override {
    if (planes_ == 1) return {kLuma, kCombined};
    return {kLuma, kCb, kCr, kCombined};
  }

  // Slot p: the sum of plane p, a float in a double.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(static_cast<size_t>(planes_));
    for (int p = 0; p < planes_; ++p) out.set_real(static_cast<size_t>(p), static_cast<double>(hvs_error_sum(window.pair(), p)));
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    std::array<double, 3> errors{};
    for (size_t p = 0; p < static_cast<size_t>(planes_); ++p) {
      const float mean = static_cast<float>(measured.real(p)) / coefficients_[p];
      errors[p] = static_cast<double>(mean / peak2_);
      out.set(kLuma + p, decibels(errors[p]));
    }
    const double combined = planes_ == 1 ? errors[0] : errors[0] * 0.8 + 0.1 * (errors[1] + errors[2]);
    out.set(kCombined, decibels(combined));
  }

 private:
  int planes_;
  float peak2_ = 0;
  std::array<float, 3> coefficients_{};  // of all blocks of a plane
  size_t bytes_ = 0;
};

// Deeper samples would leave 32 bits in the squares of the coefficients.
constexpr int kDeepest = 12;

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  const io::PictureFormat& format = clip.format;
  if (format.bit_depth > kDeepest) return unsupported(kPsnrHvs, clip, "takes at most 12 bits");
  if (format.width < kHvsBlock || format.height < kHvsBlock) return unsupported(kPsnrHvs, clip, "needs at least 8x8");
  for (int p = 1; p < planes_of(options, format); ++p) {
    if (format.plane_width(p) < kHvsBlock || format.plane_height(p) < kHvsBlock) {
      return unsupported(kPsnrHvs, clip, "needs chroma planes of at least 8x8; with enable_chroma=false it scores luma alone");
    }
  }
  return make_extractor<PsnrHvs>(options, clip);
}

}  // namespace

const ExtractorInfo kPsnrHvs = {
    .name = "psnr_hvs",
    .summary = "PSNR of 8x8 DCT coefficients after contrast masking and weighting by the eye's contrast sensitivity (PSNR-HVS-M).",
    .range = "about -5 dB to infinity (no visible difference); higher is better",
    .source = "Egiazarian et al., VPQM 2006; Ponomarenko et al., VPQM 2007; block form of the Daala tools",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
