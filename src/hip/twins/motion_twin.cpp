// motion_hip and motion_v2_hip: the sum of absolute differences of two reference frames, one kernel a frame.
#include <cstring>

#include "extractors/integer_motion.h"
#include "hip/kernels/motion_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

class MotionTwin final : public Twin {
 public:
  MotionTwin(const extractors::Options& options, const extractors::ClipInfo&) : compared_(options) {}

  std::size_t result_bytes() const override { return compared_.force_zero ? 0 : sizeof(std::uint64_t); }
  std::size_t device_bytes() const override { return 0; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    if (!compared_.comparable(window)) return;
    const io::Frame& current = window.reference();
    io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      const MotionSadKernel<Sample> kernel{work.plane<Sample>(window.reference(compared_.lag), 0), work.plane<Sample>(current, 0),
                                           window.format().bit_depth, reinterpret_cast<std::uint64_t*>(results)};
      work.launch(kernel.grid(kernel.current.width, kernel.current.height), kernel);
    });
  }

  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override {
    std::uint64_t sad = 0;
    if (compared_.comparable(window)) std::memcpy(&sad, results, sizeof sad);
    out.resize(1);
    out.set_integer(0, sad);
  }

 private:
  extractors::IntegerMotionWindow compared_;
};

}  // namespace

const TwinInfo kMotionTwin = {.extractor = "motion", .implementation = "motion_hip", .create = make_twin<MotionTwin>};
const TwinInfo kMotionV2Twin = {.extractor = "motion_v2", .implementation = "motion_v2_hip", .create = make_twin<MotionTwin>};

}  // namespace vmafbatch::hip
