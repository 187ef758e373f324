// psnr_hip: the sum of squared errors of each plane.
#include <cstring>

#include "hip/kernels/error_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

class PsnrTwin final : public Twin {
 public:
  PsnrTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : planes_(options.flag("enable_chroma") ? clip.format.plane_count() : 1) {}

  std::size_t result_bytes() const override { return static_cast<std::size_t>(planes_) * sizeof(std::uint64_t); }
  std::size_t device_bytes() const override { return 0; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    auto* const totals = reinterpret_cast<std::uint64_t*>(results);
    io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      for (int p = 0; p < planes_; ++p) {
        const SquaredErrorKernel<Sample> kernel{work.plane<Sample>(window.reference(), p), work.plane<Sample>(window.distorted(), p),
                                                totals + p};
        work.launch(kernel.grid(kernel.reference.height), kernel);
      }
    });
  }

  void collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(static_cast<std::size_t>(planes_));
    for (std::size_t p = 0; p < static_cast<std::size_t>(planes_); ++p) {
      std::uint64_t total = 0;
      std::memcpy(&total, results + p * sizeof total, sizeof total);
      out.set_integer(p, total);
    }
  }

 private:
  int planes_;
};

}  // namespace

const TwinInfo kPsnrTwin = {.extractor = "psnr", .implementation = "psnr_hip", .create = make_twin<PsnrTwin>};

}  // namespace vmafbatch::hip
