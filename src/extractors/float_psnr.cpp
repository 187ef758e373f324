// float_psnr: luma PSNR from squared differences that are floats on the 8-bit scale, added in one double. Textbook definition. Up to
// 12 bits it equals psnr_y; at 16 bits the float square rounds.
#include <algorithm>
#include <array>
#include <cmath>

#include "extractors/all_extractors.h"
#include "extractors/moment_sums.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "float_psnr", .reported_name = "float_psnr", .suffixed = false, .help = "luma PSNR, dB"},
};

class FloatPsnr final : public Extractor {
 public:
  FloatPsnr(const Options&, const ClipInfo& clip)
      : pixels_(static_cast<double>(clip.format.width) * static_cast<double>(clip.format.height)),
        unit_(std::ldexp(1.0, -2 * (clip.format.bit_depth - 8))),
        cap_(6 * clip.format.bit_depth + 12) {
    const double peak = std::ldexp(static_cast<double>((1 << clip.format.bit_depth) - 1), 8 - clip.format.bit_depth);
    peak2_ = peak * peak;
  }

  Needs needs() const override { return {}; }
  std::vector<size_t> outputs() const override { return {0}; }

  // Slot 0: running_squared_error, a whole number of units.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(1);
    out.set_integer(0, running_squared_error(window.pair()));
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override {
    const double noise = static_cast<double>(measured.integer(0)) * unit_ / pixels_;
    out.set(0, std::min(10.0 * std::log10(peak2_ / std::max(noise, kSmallestNoise)), cap_));
  }

 private:
  static constexpr double kSmallestNoise = 1e-10;

  double pixels_;
  double unit_;  // of the measured sum, on the 8-bit scale: a power of two
  double peak2_ = 0.0;
  double cap_;  // dB
};

}  // namespace

const ExtractorInfo kFloatPsnr = {
    .name = "float_psnr",
    .summary = "Luma peak signal-to-noise ratio from float squares on the 8-bit scale.",
    .range = "0 dB to a cap of 6 * depth + 12 dB for identical planes; higher is better",
    .source = "textbook definition",
    .options = {},
    .features = kFeatures,
    .create = make_extractor<FloatPsnr>,
};

}  // namespace vmafbatch::extractors
