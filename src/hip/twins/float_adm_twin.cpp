// float_adm_hip: the wavelet bands of both pictures, the terms of the energy sums, and each row's sum from left to right. The host adds the
// rows. Weights and regions are the extractor's own.
#include <array>
#include <cstring>

#include "extractors/float_adm_options.h"
#include "extractors/float_adm_wavelet.h"
#include "extractors/float_plane_math.h"
#include "hip/kernels/float_adm_kernels.h"
#include "hip/twins/all_twins.h"
#include "hip/twins/wavelet_bands.h"

namespace vmafbatch::hip {
namespace {

struct FloatAdmArithmetic {
  using Fine = float;
  using Coarse = float;

  int bit_depth;

  template <class Sample>
  FloatAdmStep<Sample> step_of_samples() const {
    return {extractors::float_sample_factor(bit_depth), float_adm::kLowPass, float_adm::kHighPass};
  }
  template <class Input>
  FloatAdmStep<Input> step(int /*scale*/) const {
    return step_of_samples<Input>();
  }
};

adm::Region region_of(const float_adm::Region& r) { return {.left = r.left, .right = r.right, .top = r.top, .bottom = r.bottom}; }

class FloatAdmTwin final : public Twin {
 public:
  FloatAdmTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : first_scale_(options.flag("adm_skip_scale0") ? 1 : 0),
        settings_(float_adm::sum_settings(options)),
        weights_(float_adm::csf_weights(float_adm::csf_settings(options))),
        layout_(layout_of(clip.format)),
        pyramids_(layout_, FloatAdmArithmetic{clip.format.bit_depth}, "float_adm") {
    for (size_t s = 0; s < kScales; ++s) {
      const float_adm::BandSize band{layout_[s].width, layout_[s].height};
      inner_[s] = region_of(float_adm::score_region(band));
      rows_[s] = kFloatAdmSums * inner_[s].height();
      first_row_[s] = row_count_;
      if (s >= first_scale_) row_count_ += static_cast<size_t>(rows_[s]);
    }
  }

  // The sums of rows, in whole 64-bit words.
  size_t result_bytes() const override { return (row_count_ + 1) / 2 * 2 * sizeof(float); }

  size_t device_bytes() const override {
    size_t terms = 0;
    for (size_t s = first_scale_; s < kScales; ++s) terms += row_term_count(inner_[s].width(), rows_[s]);
    return pyramids_.bytes() + terms * sizeof(float);
  }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    const Both<Bands> bands = pyramids_.of(window, work);
    auto* const sums = reinterpret_cast<float*>(results);
    if (first_scale_ == 0) sum_scales<1>(work, bands, 0, sums);
    sum_scales<kScales - 1>(work, bands, 1, sums);
  }

  void collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(kScales * kFloatAdmSums);
    for (size_t i = 0; i < out.size(); ++i) out.set_real(i, 0.0);
    for (size_t s = first_scale_; s < kScales; ++s) {
      for (size_t i = 0; i < kFloatAdmSums; ++i) {
        const auto height = static_cast<size_t>(inner_[s].height());
        out.set_real(s * kFloatAdmSums + i, total(results + (first_row_[s] + i * height) * sizeof(float), height));
      }
    }
  }

 private:
  using Bands = PyramidBands<float, float>;
  static constexpr size_t kScales = float_adm::kScales;

  static PyramidLayout layout_of(const io::PictureFormat& format) {
    PyramidLayout layout;
    for (size_t s = 0; s < kScales; ++s) {
      const float_adm::BandSize band = float_adm::band_size(format.width, format.height, static_cast<int>(s));
      layout[s] = {band.width, band.height, region_of(float_adm::stored_region(band)), s + 1 < kScales};
    }
    return layout;
  }

  // The sum over rows, from top to bottom, each addition rounded.
  static float total(const std::byte* rows, size_t count) {
    float sum = 0.0f;
    for (size_t y = 0; y < count; ++y) {
      float row = 0.0f;
      std::memcpy(&row, rows + y * sizeof row, sizeof row);
      sum = sum + row;
    }
    return sum;
  }

  // Launches the sums of kCount scales from `first` on.
  template <int kCount>
  void sum_scales(FrameWork& work, const Both<Bands>& bands, size_t first, float* sums) const {
    FloatAdmTermsKernel<kCount> kernel{};
    kernel.gain_limit = settings_.gain_limit;
    kernel.masking = settings_.masking;
    kernel.cubed = settings_.exponent == 3.0;
    unsigned blocks = 0;
    for (size_t i = 0; i < kCount; ++i) {
      const size_t s = first + i;
      kernel.scales[i] = scale(work, bands, s);
      kernel.scales[i].first_block = blocks;
      const Grid own = kernel.blocks(inner_[s].width(), inner_[s].height());
      kernel.scales[i].columns = own.x;
      blocks += own.x * own.y;
    }
    work.launch(Grid{blocks, 1, 1}, kernel);
    for (size_t i = 0; i < kCount; ++i) {
      const size_t s = first + i;
      work.launch(RowSumKernel::grid(rows_[s]), RowSumKernel{kernel.scales[i].terms, inner_[s].width(), rows_[s], sums + first_row_[s]});
    }
  }

  FloatAdmScale scale(FrameWork& work, const Both<Bands>& bands, size_t s) const {
    const auto detail = [&](size_t picture) -> const io::Plane<float>(&)[adm::kBands] {
      return (s == 0 ? bands[picture].fine : bands[picture].coarse[s - 1]).detail;
    };
    FloatAdmScale scale{};
    for (size_t b = 0; b < adm::kBands; ++b) {
      scale.reference[b] = constant(detail(0)[b]);
      scale.distorted[b] = constant(detail(1)[b]);
    }
    scale.inner = inner_[s];
    scale.reach = layout_[s].reach;
    scale.width = layout_[s].width;
    scale.height = layout_[s].height;
    scale.weights = weights_[s];
    scale.terms = work.scratch<float>(row_term_count(inner_[s].width(), rows_[s]));
    return scale;
  }

  size_t first_scale_;
  float_adm::SumSettings settings_;
  std::array<float_adm::BandWeights, float_adm::kScales> weights_;
  PyramidLayout layout_;
  DevicePyramids<FloatAdmArithmetic> pyramids_;
  std::array<adm::Region, kScales> inner_{};  // the score regions
  std::array<int, kScales> rows_{};           // of all sums of a scale
  std::array<size_t, kScales> first_row_{};   // of a scale, in the results
  size_t row_count_ = 0;
};

Result<std::unique_ptr<Twin>> create(const extractors::Options& options, const extractors::ClipInfo& clip) {
  const double exponent = float_adm::sum_settings(options).exponent;
  if (exponent != 1.0 && exponent != 3.0) {
    return Error{
        "float_adm_hip needs adm_p_norm 1 or 3: others raise every sample with the C library's powf, whose bits a device does not give; "
        "the "
        "CPU computes this clip"};
  }
  return make_twin<FloatAdmTwin>(options, clip);
}

}  // namespace

const TwinInfo kFloatAdmTwin = {.extractor = "float_adm", .implementation = "float_adm_hip", .create = create};

}  // namespace vmafbatch::hip
