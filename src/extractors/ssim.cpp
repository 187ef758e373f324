// ssim: mean structural similarity of luma from exact integer moments over 9x9 windows, cut off at the border. Z. Wang, A. C. Bovik,
// H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error visibility to structural similarity", IEEE Transactions on Image
// Processing 13(4), 2004; window of Xiph's Daala tools.
#include <array>

#include "extractors/all_extractors.h"
#include "extractors/ssim_decibels.h"
#include "extractors/ssim_sums.h"

namespace vmafbatch::extractors {
namespace {

constexpr std::array kOptions = {kSsimEnableDb, kSsimClipDb};

constexpr std::array kFeatures = {
    FeatureSpec{.internal_name = "ssim", .reported_name = "ssim", .suffixed = false, .help = "structural similarity"},
};

class Ssim final : public Extractor {
 public:
  Ssim(const Options& options, const ClipInfo& clip)
      : weight_(ssim9_total_weight(clip.format.width, clip.format.height)),
        bytes_(ssim9_scratch_bytes(clip.format.width)),
        scale_(options, clip.format) {}

  Needs needs() const override { return {.bytes_per_frame = bytes_}; }

  std::vector<size_t> outputs() const override { return {0}; }

  // Slot 0: the sum of the weighted terms, a double.
  void measure(const io::FrameWindow& window, Measurements& out) const override {
    out.resize(1);
    out.set_real(0, ssim9_sum(window.reference(), window.distorted()));
  }

  void conclude(const Measurements& measured, FrameFeatures& out) const override { out.set(0, scale_(measured.real(0) / weight_)); }

 private:
  double weight_;
  size_t bytes_;
  SsimScale scale_;
};

}  // namespace

const ExtractorInfo kSsim = {
    .name = "ssim",
    .summary = "Structural similarity of luma at full resolution, from exact integer moments over 9x9 windows.",
    .range = "-1 .. 1, or dB with enable_db; higher is better",
    .source =
        "Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image quality assessment: from error visibility to structural "
        "similarity, IEEE Trans. Image Processing 13(4), 2004",
    .options = kOptions,
    .features = kFeatures,
    .create = make_extractor<Ssim>,
};

}  // namespace vmafbatch::extractors
