// vif_hip: four kernels, one for each scale; the logarithms are the extractor's own table.
#include <cstring>

#include "extractors/vif_log_table.h"
#include "hip/kernels/vif_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

constexpr int kWordsPerScale = 4;

class VifTwin final : public Twin {
 public:
  VifTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : gain_limit_(options.real("vif_enhn_gain_limit")), skip_scale0_(options.flag("vif_skip_scale0")) {
    for (int scale = 1; scale < extractors::kVifScales; ++scale) {
      device_bytes_ += DevicePlane::bytes_of(sizeof(std::uint32_t), clip.format.width >> scale, clip.format.height >> scale);
    }
  }

  std::size_t result_bytes() const override { return kWordsPerScale * extractors::kVifScales * sizeof(std::int64_t); }
  std::size_t device_bytes() const override { return device_bytes_; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    auto* const totals = reinterpret_cast<std::int64_t*>(results);
    const VifWords scale1 = io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      const VifLuma<Sample> luma{work.plane<Sample>(window.reference(), 0), work.plane<Sample>(window.distorted(), 0),
                                 window.format().bit_depth};
      return submit_scale(luma, !skip_scale0_, work, totals);
    });
    const VifWords scale2 = submit_scale(VifCoarse<1>{constant(scale1)}, true, work, totals);
    const VifWords scale3 = submit_scale(VifCoarse<2>{constant(scale2)}, true, work, totals);
    submit_scale(VifCoarse<3>{constant(scale3)}, true, work, totals);
  }

  void collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(kWordsPerScale * extractors::kVifScales);
    for (std::size_t slot = 0; slot < out.size(); ++slot) {
      std::int64_t sum = 0;
      std::memcpy(&sum, results + slot * sizeof sum, sizeof sum);
      out.set_signed(slot, sum);
    }
  }

 private:
  static io::Plane<const std::uint32_t> constant(const VifWords& words) { return {words.data, words.stride, words.width, words.height}; }

  // The plane of the next scale, which the kernel writes.
  template <class Source>
  VifWords submit_scale(const Source& source, bool measured, FrameWork& work, std::int64_t* totals) const {
    using Kernel = VifScaleKernel<Source>;
    VifWords next;
    if constexpr (Kernel::kHasNext) next = work.scratch_plane<std::uint32_t>(source.width() / 2, source.height() / 2);
    const auto* const logarithms = work.table<std::uint16_t>("vif logarithms", extractors::vif_log_table());
    work.launch(Kernel::grid(source.width(), source.height()),
                Kernel{source, measured, next, logarithms, gain_limit_, totals + kWordsPerScale * Source::kScale});
    return next;
  }

  double gain_limit_;
  bool skip_scale0_;
  std::size_t device_bytes_ = 0;
};

// Where a single reflection at the border reaches every sample at every scale.
constexpr int kSmallestSide = 16;

Result<std::unique_ptr<Twin>> create(const extractors::Options& options, const extractors::ClipInfo& clip) {
  if (clip.format.width < kSmallestSide || clip.format.height < kSmallestSide) {
    return Error{"vif_hip needs at least 16x16; the CPU computes this clip"};
  }
  return make_twin<VifTwin>(options, clip);
}

}  // namespace

const TwinInfo kVifTwin = {.extractor = "vif", .implementation = "vif_hip", .create = create};

}  // namespace vmafbatch::hip
