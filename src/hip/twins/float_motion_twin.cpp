// float_motion_hip: the sums over rows of the differences of two reference frames' blurred planes. The host adds the rows.
#include <cstring>
#include <string>
#include <vector>

#include "extractors/float_motion_planes.h"
#include "extractors/float_motion_terms.h"
#include "hip/kernels/float_motion_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

// One comparison: a plane, at full or half size, and where the sums of its rows lie among the results.
struct Comparison {
  int width;
  int height;
  std::size_t offset;  // in floats
};

class FloatMotionTwin final : public Twin {
 public:
  FloatMotionTwin(const extractors::Options& options, const extractors::ClipInfo& clip) : terms_(options) {
    if (terms_.force_zero) return;
    for (int p = 0; p < terms_.planes; ++p) {
      const int width = clip.format.plane_width(p);
      const int height = clip.format.plane_height(p);
      add(full_, width, height);
      if (terms_.half) add(half_, extractors::float_motion_half_side(width), extractors::float_motion_half_side(height));
    }
  }

  std::size_t result_bytes() const override { return sums_ * sizeof(float); }
  std::size_t device_bytes() const override { return device_bytes_; }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    if (!terms_.comparable(window)) return;
    auto* const sums = reinterpret_cast<float*>(results);
    for (int p = 0; p < terms_.planes; ++p) {
      const auto plane = static_cast<std::size_t>(p);
      compare(work, blurred(work, window.reference(1), p), blurred(work, window.reference(), p), sums + full_[plane].offset);
      if (!terms_.half) continue;
      compare(work, halved(work, window.reference(1), p), halved(work, window.reference(), p), sums + half_[plane].offset);
    }
  }

  void collect(const io::FrameWindow& window, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(1);
    out.set_real(0, 0.0);
    if (!terms_.comparable(window)) return;
    out.set_real(0, terms_.total([&](int p, bool half) {
      const Comparison& compared = (half ? half_ : full_)[static_cast<std::size_t>(p)];
      std::vector<float> sums(static_cast<std::size_t>(compared.height));
      std::memcpy(sums.data(), results + compared.offset * sizeof(float), sums.size() * sizeof(float));
      return extractors::mean_of_row_sums(sums, compared.width);
    }));
  }

 private:
  void add(std::vector<Comparison>& list, int width, int height) {
    list.push_back({width, height, sums_});
    sums_ += (static_cast<std::size_t>(height) + 1) / 2 * 2;  // results are whole 64-bit words
    const std::size_t terms = row_term_count(width, height);
    device_bytes_ += (static_cast<std::size_t>(width) * static_cast<std::size_t>(height) + terms) * sizeof(float);
  }

  static void compare(FrameWork& work, io::Plane<const float> earlier, io::Plane<const float> current, float* sums) {
    auto* const terms = work.scratch<float>(row_term_count(current.width, current.height));
    work.launch(FloatMotionDifferenceKernel::grid(current.width, current.height), FloatMotionDifferenceKernel{earlier, current, terms});
    work.launch(RowSumKernel::grid(current.height), RowSumKernel{terms, current.width, current.height, sums});
  }

  // Planes belong to their frame: those of frame n serve frame n + 1 as well.
  io::Plane<const float> blurred(FrameWork& work, const io::Frame& frame, int p) const {
    const Comparison& size = full_[static_cast<std::size_t>(p)];
    return work.derived<float>(frame, key("blur", p), size.width, size.height, [&](io::Plane<float> out) {
      io::with_sample_type(frame.format(), [&](auto type) {
        using Sample = decltype(type);
        const FloatMotionBlurKernel<Sample> kernel{work.plane<Sample>(frame, p), extractors::float_sample_factor(frame.format().bit_depth),
                                                   terms_.taps, out};
        work.launch(kernel.grid(out.width, out.height), kernel);
      });
    });
  }

  io::Plane<const float> halved(FrameWork& work, const io::Frame& frame, int p) const {
    const Comparison& size = half_[static_cast<std::size_t>(p)];
    return work.derived<float>(frame, key("half", p), size.width, size.height, [&](io::Plane<float> out) {
      work.launch(grid_over<FloatMotionHalfKernel>(out.width, out.height), FloatMotionHalfKernel{blurred(work, frame, p), out});
    });
  }

  std::string key(const char* what, int plane) const {
    return std::string("float_motion ") + what + " taps " + std::to_string(terms_.taps) + " plane " + std::to_string(plane);
  }

  extractors::FloatMotionTerms terms_;
  std::vector<Comparison> full_;  // by plane
  std::vector<Comparison> half_;
  std::size_t sums_ = 0;
  std::size_t device_bytes_ = 0;
};

}  // namespace

const TwinInfo kFloatMotionTwin = {.extractor = "float_motion", .implementation = "float_motion_hip", .create = make_twin<FloatMotionTwin>};

}  // namespace vmafbatch::hip
