// float_vif_hip: for each scale a kernel for the terms and the next scale, and one that adds the rows; the host adds the row sums.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "extractors/float_vif_pyramid.h"
#include "hip/kernels/float_vif_kernels.h"
#include "hip/kernels/resize_kernels.h"
#include "hip/twins/all_twins.h"
#include "hip/twins/resize_tables.h"

namespace vmafbatch::hip {
namespace {

using extractors::kFloatVifScales;

class FloatVifTwin final : public Twin {
 public:
  FloatVifTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : shape_(extractors::float_vif_shape(options, clip.format)),
        channel_(extractors::float_vif_channel(options.real("vif_sigma_nsq"), options.real("vif_enhn_gain_limit"))),
        first_scale_(options.flag("vif_skip_scale0") ? 1 : 0),
        prescaled_(shape_.width != clip.format.width || shape_.height != clip.format.height),
        usual_windows_(radius(0) == 8 && radius(1) == 4 && radius(2) == 2 && radius(3) == 1) {}

  std::size_t result_bytes() const override { return row_offset(kFloatVifScales) * sizeof(extractors::FloatVifSums); }

  std::size_t device_bytes() const override {
    std::size_t bytes = 2 * row_term_count(width(first_scale_), height(first_scale_)) * sizeof(float);
    for (int scale = prescaled_ ? 0 : 1; scale < kFloatVifScales; ++scale) {
      bytes += 2 * DevicePlane::bytes_of(sizeof(float), width(scale), height(scale));
    }
    return bytes;
  }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    // One scale after the other uses them: kernels of a frame run in order.
    float* const terms = work.scratch<float>(2 * row_term_count(width(first_scale_), height(first_scale_)));
    const Run run{work, terms, reinterpret_cast<float*>(results)};
    FloatVifPlanes planes = io::with_sample_type(window.format(), [&](auto type) {
      using Sample = decltype(type);
      const FloatVifLuma<Sample> luma{work.plane<Sample>(window.reference(), 0), work.plane<Sample>(window.distorted(), 0),
                                      extractors::float_sample_factor(window.format().bit_depth)};
      if (prescaled_) return submit_scale<FloatVifAnyRadii>(0, resized(luma, work), run);
      return usual_windows_ ? submit_scale<FloatVifFixedRadii<8, 4>>(0, luma, run) : submit_scale<FloatVifAnyRadii>(0, luma, run);
    });
    if (usual_windows_) {
      planes = submit_scale<FloatVifFixedRadii<4, 2>>(1, planes, run);
      planes = submit_scale<FloatVifFixedRadii<2, 1>>(2, planes, run);
      submit_scale<FloatVifFixedRadii<1, 0>>(3, planes, run);
    } else {
      for (int scale = 1; scale < kFloatVifScales; ++scale) planes = submit_scale<FloatVifAnyRadii>(scale, planes, run);
    }
  }

  void collect(const io::FrameWindow&, const std::byte* results, extractors::Measurements& out) const override {
    out.resize(2 * kFloatVifScales);
    for (int scale = first_scale_; scale < kFloatVifScales; ++scale) {
      const auto rows = static_cast<std::size_t>(height(scale));
      const std::byte* const numerators = results + row_offset(scale) * sizeof(extractors::FloatVifSums);
      extractors::FloatVifSums frame{};
      for (std::size_t y = 0; y < rows; ++y) {
        extractors::FloatVifSums row;
        std::memcpy(&row.numerator, numerators + y * sizeof(float), sizeof(float));
        std::memcpy(&row.denominator, numerators + (rows + y) * sizeof(float), sizeof(float));
        frame += row;
      }
      const auto slot = 2 * static_cast<std::size_t>(scale);
      out.set_real(slot, static_cast<double>(frame.numerator));
      out.set_real(slot + 1, static_cast<double>(frame.denominator));
    }
  }

 private:
  struct Run {
    FrameWork& work;
    float* terms;    // the numerators', then the denominators'
    float* results;  // of each scale: the row sums of the numerators, then those of the denominators
  };

  int width(int scale) const { return shape_.width >> scale; }
  int height(int scale) const { return shape_.height >> scale; }
  const std::vector<float>& taps(int scale) const { return shape_.windows[static_cast<std::size_t>(scale)]; }
  int radius(int scale) const { return static_cast<int>(taps(scale).size()) / 2; }
  // Rows of all scales before this one.
  std::size_t row_offset(int scale) const {
    std::size_t rows = 0;
    for (int finer = 0; finer < scale; ++finer) rows += static_cast<std::size_t>(height(finer));
    return rows;
  }

  template <class Sample>
  FloatVifPlanes resized(const FloatVifLuma<Sample>& luma, FrameWork& work) const {
    const ResizeTables tables = resize_tables(work, luma.width(), luma.height(), shape_.width, shape_.height, shape_.method);
    const auto resize = [&](const io::Plane<const Sample>& in) {
      const io::Plane<float> out = work.scratch_plane<float>(shape_.width, shape_.height);
      work.launch(grid_over<ResizeKernel<Sample>>(out.width, out.height),
                  ResizeKernel<Sample>{in, luma.factor, tables.columns, tables.rows, shape_.method, out});
      return constant(out);
    };
    return {resize(luma.reference), resize(luma.distorted)};
  }

  static io::Plane<const float> constant(const io::Plane<float>& plane) { return {plane.data, plane.stride, plane.width, plane.height}; }

  // The planes of the next scale, which the kernel writes.
  template <class Radii, class Source>
  FloatVifPlanes submit_scale(int scale, const Source& source, const Run& run) const {
    using Kernel = FloatVifScaleKernel<Source, Radii>;
    Kernel kernel{};
    kernel.source = source;
    kernel.channel = channel_;
    const bool has_next = scale + 1 < kFloatVifScales;
    if constexpr (std::is_same_v<Radii, FloatVifAnyRadii>) kernel.radii = {radius(scale), has_next ? radius(scale + 1) : 0};
    std::ranges::copy(taps(scale), kernel.window);
    if (has_next) {
      std::ranges::copy(taps(scale + 1), kernel.next_window);
      kernel.next_reference = run.work.scratch_plane<float>(width(scale + 1), height(scale + 1));
      kernel.next_distorted = run.work.scratch_plane<float>(width(scale + 1), height(scale + 1));
    }
    const bool measured = scale >= first_scale_;
    if (measured) {
      kernel.numerators = run.terms;
      kernel.denominators = run.terms + row_term_count(width(scale), height(scale));
    }
    run.work.launch(Kernel::grid(source.width(), source.height()), kernel);
    if (measured) {
      float* const sums = run.results + 2 * row_offset(scale);
      run.work.launch(RowSumKernel::grid(height(scale), 2), RowSumKernel{run.terms, width(scale), height(scale), sums});
    }
    return {constant(kernel.next_reference), constant(kernel.next_distorted)};
  }

  extractors::FloatVifShape shape_;
  extractors::FloatVifChannel channel_;
  int first_scale_;
  bool prescaled_;
  bool usual_windows_;
};

}  // namespace

const TwinInfo kFloatVifTwin = {.extractor = "float_vif", .implementation = "float_vif_hip", .create = make_twin<FloatVifTwin>};

}  // namespace vmafbatch::hip
