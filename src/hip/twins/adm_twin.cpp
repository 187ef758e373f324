// adm_hip: the wavelet bands of both pictures, and from them the row sums of each scale, rounded and added. The measurements are the
// extractor's integers; weights, regions and shifts are the extractor's own (extractors/adm_setup.h).
#include <array>
#include <cstring>

#include "extractors/adm_setup.h"
#include "hip/kernels/adm_kernels.h"
#include "hip/twins/all_twins.h"
#include "hip/twins/wavelet_bands.h"

namespace vmafbatch::hip {
namespace {

struct AdmArithmetic {
  using Fine = std::int16_t;
  using Coarse = std::int32_t;

  int bit_depth;

  template <class Sample>
  AdmStep<Sample> step_of_samples() const {
    return {0, bit_depth};
  }
  template <class Input>
  AdmStep<Input> step(int scale) const {
    return {scale, bit_depth};
  }
};
using Fine = AdmArithmetic::Fine;
using Coarse = AdmArithmetic::Coarse;

PyramidLayout layout_of(const adm::Geometry& geometry) {
  PyramidLayout layout;
  for (size_t s = 0; s < adm::kScales; ++s) {
    layout[s] = {geometry[s].width, geometry[s].height, geometry[s].reach, s + 1 < adm::kScales};
  }
  return layout;
}

class AdmTwin final : public Twin {
 public:
  AdmTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : setup_(adm::setup_of(options, clip.format)), pyramids_(layout_of(setup_.geometry), AdmArithmetic{clip.format.bit_depth}, "adm") {
    size_t rows = 0;
    for (size_t s = 0; s < adm::kScales; ++s) {
      first_row_[s] = rows;
      rows += kAdmSums * static_cast<size_t>(setup_.geometry[s].inner.height());
    }
    row_count_ = rows;
  }

  size_t result_bytes() const override { return adm::kSlots * sizeof(std::uint64_t); }

  size_t device_bytes() const override { return pyramids_.bytes() + row_count_ * sizeof(std::uint64_t); }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    const auto bands = pyramids_.of(window, work);
    auto* const rows = work.scratch<std::uint64_t>(row_count_);
    work.clear(rows, row_count_ * sizeof(std::uint64_t));
    if (!setup_.pooling.skip_scale0) {
      AdmContrastKernel<Fine> kernel = contrast_kernel<Fine>();
      launch_contrast(work, kernel, 0, rows, [&](size_t picture, size_t) -> const WaveletBands<Fine>& { return bands[picture].fine; });
    }
    AdmContrastKernel<Coarse> kernel = contrast_kernel<Coarse>();
    launch_contrast(work, kernel, 1, rows,
                    [&](size_t picture, size_t s) -> const WaveletBands<Coarse>& { return bands[picture].coarse[s - 1]; });
    launch_rows(work, rows, reinterpret_cast<std::uint64_t*>(results));
  }

  void collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(adm::kSlots);
    for (size_t i = 0; i < adm::kSlots; ++i) {
      std::uint64_t total = 0;
      std::memcpy(&total, results + i * sizeof total, sizeof total);
      out.set_integer(i, total);
    }
  }

 private:
  template <class T>
  AdmContrastKernel<T> contrast_kernel() const {
    AdmContrastKernel<T> kernel{};
    kernel.gain_limit = setup_.constants[0].gain_limit;  // the same at all scales
    kernel.with_additive = !setup_.pooling.skip_aim;
    return kernel;
  }

  // bands_of(picture, scale). The kernel's scales are those from `first` on.
  template <class T, class BandsOf>
  void launch_contrast(FrameWork& work, AdmContrastKernel<T>& kernel, size_t first, std::uint64_t* rows, BandsOf&& bands_of) const {
    unsigned blocks = 0;
    for (size_t i = 0; i < kernel.kScales; ++i) {
      const size_t s = first + i;
      const adm::ScaleGeometry& g = setup_.geometry[s];
      AdmContrastScale<T>& scale = kernel.scales[i];
      for (size_t b = 0; b < adm::kBands; ++b) {
        scale.reference[b] = constant(bands_of(0, s).detail[b]);
        scale.distorted[b] = constant(bands_of(1, s).detail[b]);
        scale.weight[b] = setup_.constants[s].weight[b];
        scale.term_shift[b] = g.term_shift[b];
      }
      scale.inner = g.inner;
      scale.reach = g.reach;
      scale.width = g.width;
      scale.height = g.height;
      scale.scale = g.scale;
      scale.reference_term_shift = g.reference_term_shift;
      scale.rows = rows + first_row_[s];
      scale.first_block = blocks;
      const Grid own = kernel.blocks(g.inner.width(), g.inner.height());
      scale.columns = own.x;
      blocks += own.x * own.y;
    }
    work.launch(Grid{blocks, 1, 1}, kernel);
  }

  void launch_rows(FrameWork& work, const std::uint64_t* rows, std::uint64_t* totals) const {
    AdmRowsKernel kernel{};
    kernel.totals = totals;
    for (size_t s = 0; s < adm::kScales; ++s) {
      const adm::ScaleGeometry& g = setup_.geometry[s];
      kernel.scales[s] = {rows + first_row_[s], g.inner.height(), g.row_shift, g.reference_row_shift};
    }
    work.launch(kernel.grid(), kernel);
  }

  adm::Setup setup_;
  DevicePyramids<AdmArithmetic> pyramids_;
  std::array<size_t, adm::kScales> first_row_{};  // of the row sums of each scale
  size_t row_count_ = 0;
};

}  // namespace

const TwinInfo kAdmTwin = {.extractor = "adm", .implementation = "adm_hip", .create = make_twin<AdmTwin>};

}  // namespace vmafbatch::hip
