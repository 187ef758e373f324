// float_moment_hip: sums of the luma samples and of their rounded squares, of both pictures.
#include <array>
#include <cstring>

#include "extractors/moment_math.h"
#include "extractors/moment_sums.h"
#include "hip/kernels/moment_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

// Words as the extractor's: the sums of the samples, then those of the squares; the reference first.
enum Word : std::size_t { kReferenceFirst, kDistortedFirst, kReferenceSecond, kDistortedSecond, kWords };

class FloatMomentTwin final : public Twin {
 public:
  FloatMomentTwin(const extractors::Options&, const extractors::ClipInfo&) {}

  std::size_t result_bytes() const override { return kWords * sizeof(std::uint64_t); }
  std::size_t device_bytes() const override { return 0; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    auto* const sums = reinterpret_cast<std::uint64_t*>(results);
    io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      const auto add = [&](const io::Frame& frame, Word first, Word second) {
        const MomentKernel<Sample> kernel{work.plane<Sample>(frame, 0), sums + first, sums + second};
        work.launch(kernel.grid(kernel.plane.height), kernel);
      };
      add(window.reference(), kReferenceFirst, kReferenceSecond);
      add(window.distorted(), kDistortedFirst, kDistortedSecond);
    });
  }

  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override {
    std::array<std::uint64_t, kWords> words{};
    std::memcpy(words.data(), results, sizeof words);
    // Past the limit the extractor's sum rounds at each addition, in raster order: the host does that from the frame's own samples.
    const auto in_order = [](std::uint64_t& sum, const io::Frame& frame) {
      if (sum > extractors::kExactSumLimit) sum = extractors::moment_sums(frame).squares;
    };
    in_order(words[kReferenceSecond], window.reference());
    in_order(words[kDistortedSecond], window.distorted());
    out.resize(kWords);
    for (std::size_t i = 0; i < kWords; ++i) out.set_integer(i, words[i]);
  }
};

}  // namespace

const TwinInfo kFloatMomentTwin = {.extractor = "float_moment", .implementation = "float_moment_hip", .create = make_twin<FloatMomentTwin>};

}  // namespace vmafbatch::hip
