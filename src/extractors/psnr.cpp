// psnr: peak signal-to-noise ratio of each plane from an exact integer sum of squared errors. Textbook definition; the clip-level
// form (apsnr) is the one of the AOM common test conditions.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "extractors/all_extractors.h"
#include "extractors/squared_error.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {
    OptionSpec{.name = "enable_chroma",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = true,
               .help = "also score Cb and Cr (off for 4:0:0)"},
    OptionSpec{.name = "enable_mse",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = false,
               .help = "also give the mean squared error"},
    OptionSpec{.name = "enable_apsnr",
               .type = OptionType::kBool,
               .role = OptionRole::kOutput,
               .default_value = false,
               .help = "also give the PSNR of the whole clip's squared error"},
    OptionSpec{.name = "reduced_hbd_peak",
               .type = OptionType::kBool,
               .role = OptionRole::kValue,
               .default_value = false,
               .help = "peak 255 * 2^(depth-8) instead of 2^depth - 1"},
    OptionSpec{.name = "min_sse",
               .type = OptionType::kReal,
               .role = OptionRole::kValue,
               .default_value = 0.0,
               .minimum = 0.0,
               .maximum = std::numeric_limits<double>::max(),
               .help = "smallest sum of squared errors that the cap allows for; 0: the cap is 6 * depth + 12 dB"},
};

enum Feature : size_t { kPsnrY, kMseY, kPsnrCb, kMseCb, kPsnrCr, kMseCr, kApsnrY, kApsnrCb, kApsnrCr };

constexpr FeatureSpec frame_feature(std::string_view name, std::string_view help, bool provided) {
  return {.internal_name = name, .reported_name = name, .suffixed = false, .provided = provided, .help = help};
}
constexpr FeatureSpec clip_feature(std::string_view name, std::string_view help) {
  return {
      .internal_name = name, .reported_name = name, .scope = FeatureScope::kAggregate, .suffixed = false, .provided = false, .help = help};
}
constexpr std::array kFeatures = {
    frame_feature("psnr_y", "luma PSNR, dB", true),
    frame_feature("mse_y", "luma mean squared error", false),
    frame_feature("psnr_cb", "Cb PSNR, dB", true),
    frame_feature("mse_cb", "Cb mean squared error", false),
    frame_feature("psnr_cr", "Cr PSNR, dB", true),
    frame_feature("mse_cr", "Cr mean squared error", false),
    clip_feature("apsnr_y", "luma PSNR of the whole clip, dB"),
    clip_feature("apsnr_cb", "Cb PSNR of the whole clip, dB"),
    clip_feature("apsnr_cr", "Cr PSNR of the whole clip, dB"),
};

class Psnr final : public Extractor {
 public:
  Psnr(const Options& options, const ClipInfo& clip)
      : planes_(options.flag("enable_chroma") ? clip.format.plane_count() : 1),
        mse_(options.flag("enable_mse")),
        apsnr_(options.flag("enable_apsnr")) {
    const int depth = clip.format.bit_depth;
    const std::uint64_t peak = options.flag("reduced_hbd_peak") ? std::uint64_t{255} << (depth - 8) : (std::uint64_t{1} << depth) - 1;
    peak2_ = peak * peak;
    const double min_sse = options.real("min_sse");
    for (int p = 0; p < planes_; ++p) {
      const auto i = static_cast<size_t>(p);
      pixels_[i] = static_cast<std::uint64_t>(clip.format.plane_width(p)) * static_cast<std::uint64_t>(clip.format.plane_height(p));
      cap_[i] = min_sse == 0.0 ? 6 * depth + 12
                               : std::ceil(10.0 * std::log10(static_cast<double>(peak2_) / (min_sse / static_cast<double>(pixels_[i]))));
    }
  }

  Needs needs() const override { return {.every_frame = apsnr_, .series = apsnr_}; }

  std::vector<size_t> outputs() const override {
    std::vector<size_t> list;
    for (size_t p = 0; p < static_cast<size_t>(planes_); ++p) {
      list.push_back(kPsnrY + 2 * p);
      if (mse_) list.push_back(kMseY + 2 * p);
    }
    for (size_t p = 0; apsnr_ && p < static_cast<size_t>(planes_); ++p) list.push_back(kApsnrY + p);
    return list;
  }

  // Slot p: the sum of squared errors of plane p.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(static_cast<size_t>(planes_));
    for (int p = 0; p < planes_; ++p) {
      out.set_integer(static_cast<size_t>(p), shared_sum_of_squared_errors(window.pair(), p));
    }
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    for (size_t p = 0; p < static_cast<size_t>(planes_); ++p) {
      const double mse = static_cast<double>(measured.integer(p)) / static_cast<double>(pixels_[p]);
      const double psnr = 10.0 * std::log10(static_cast<double>(peak2_) / std::max(mse, kSmallestMse));
      out.set(kPsnrY + 2 * p, std::min(psnr, cap_[p]));
      if (mse_) out.set(kMseY + 2 * p, mse);
    }
  }

  void finish(ClipSeries& series) const override {
    if (!apsnr_ || !series.complete()) return;
    for (size_t p = 0; p < static_cast<size_t>(planes_); ++p) {
      std::uint64_t errors = 0;
      std::uint64_t pixels = 0;
      for (std::int64_t n = 0; n < series.frames(); ++n) {
        errors += series.at(n).integer(p);
        pixels += pixels_[p];
      }
      const double psnr = 10.0 * ((std::log10(static_cast<double>(peak2_)) + std::log10(static_cast<double>(pixels))) -
                                  std::log10(static_cast<double>(errors)));
      const std::uint64_t largest = peak2_ * pixels * 2;  // modulo 2^64, as libvmaf computes it
      const double top = std::ceil(10.0 * std::log10(static_cast<double>(largest)));
      series.set_aggregate(kApsnrY + p, std::min(psnr, top));
    }
  }

 private:
  static constexpr double kSmallestMse = 1e-16;

  int planes_;
  bool mse_;
  bool apsnr_;
  std::uint64_t peak2_ = 0;
  std::array<std::uint64_t, 3> pixels_{};
  std::array<double, 3> cap_{};
};

// libvmaf adds an 8-bit row in 32 bits: a wider row could wrap there.
constexpr int kWidestRow8 = 66051;

Result<std::unique_ptr<Extractor>> create(const Options& options, const ClipInfo& clip) {
  if (clip.format.bit_depth == 8 && clip.format.width > kWidestRow8) {
    return unsupported(kPsnr, clip, "takes at most " + std::to_string(kWidestRow8) + " columns at 8 bits");
  }
  return make_extractor<Psnr>(options, clip);
}

}  // namespace

const ExtractorInfo kPsnr = {
    .name = "psnr",
    .summary = "Peak signal-to-noise ratio of each plane, from an exact integer sum of squared errors.",
    .range = "0 dB to a cap of 6 * depth + 12 dB for identical planes; higher is better",
    .source = "textbook definition; apsnr: AOM common test conditions",
    .options = kOptions,
    .features = kFeatures,
    .create = create,
};

}  // namespace vmafbatch::extractors
