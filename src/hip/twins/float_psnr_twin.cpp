// float_psnr_hip: the sum of the luma's rounded squared errors.
#include <cstring>

#include "extractors/moment_math.h"
#include "extractors/moment_sums.h"
#include "hip/kernels/error_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

class FloatPsnrTwin final : public Twin {
 public:
  FloatPsnrTwin(const extractors::Options&, const extractors::ClipInfo& clip) : rounded_(clip.format.bit_depth == 16) {}

  std::size_t result_bytes() const override { return sizeof(std::uint64_t); }
  std::size_t device_bytes() const override { return 0; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    if (rounded_) {
      launch<RoundedSquaredErrorKernel, std::uint16_t>(window, work, results);
      return;
    }
    // No square rounds below 16 bits.
    io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      launch<SquaredErrorKernel<Sample>, Sample>(window, work, results);
    });
  }

  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override {
    std::uint64_t total = 0;
    std::memcpy(&total, results, sizeof total);
    // Past the limit the extractor's sum rounds at each addition, in raster order: the host does that from the frame's own samples.
    if (total > extractors::kExactSumLimit) total = extractors::running_squared_error(window.pair());
    out.resize(1);
    out.set_integer(0, total);
  }

 private:
  template <class Kernel, class Sample>
  static void launch(const io::FrameWindow& window, FrameWork& work, std::byte* results) {
    const Kernel kernel{work.plane<Sample>(window.reference(), 0), work.plane<Sample>(window.distorted(), 0),
                        reinterpret_cast<std::uint64_t*>(results)};
    work.launch(kernel.grid(kernel.reference.height), kernel);
  }

  bool rounded_;
};

}  // namespace

const TwinInfo kFloatPsnrTwin = {.extractor = "float_psnr", .implementation = "float_psnr_hip", .create = make_twin<FloatPsnrTwin>};

}  // namespace vmafbatch::hip
