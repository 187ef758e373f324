// adm_hip: the wavelet pyramids of both pictures, and from them the row sums of each scale, rounded and added. The measurements are the
// extractor's integers; weights, regions and shifts are the extractor's own (extractors/adm_setup.h).
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "extractors/adm_setup.h"
#include "hip/kernels/adm_kernels.h"
#include "hip/twins/all_twins.h"

namespace vmafbatch::hip {
namespace {

using Fine = std::int16_t;    // coefficients of scale 0
using Coarse = std::int32_t;  // of scales 1..3

// The bands of some scales lie in one plane, as wide as the widest of them and one below the other.
template <class T>
class BandCutter {
 public:
  explicit BandCutter(const io::Plane<T>& all) : all_(all) {}

  io::Plane<T> cut(int width, int height) {
    const io::Plane<T> band{all_.row(row_), all_.stride, width, height};
    row_ += height;
    return band;
  }

 private:
  io::Plane<T> all_;
  int row_ = 0;
};

bool has_low(const adm::ScaleGeometry& g) { return g.scale + 1 < adm::kScales; }  // nobody reads band a of the coarsest scale
int rows_of(const adm::ScaleGeometry& g) { return (has_low(g) ? g.height : 0) + adm::kBands * g.reach.height(); }

template <class T>
AdmBands<T> cut_bands(BandCutter<T>& cutter, const adm::ScaleGeometry& g) {
  AdmBands<T> bands{};
  if (has_low(g)) bands.low = cutter.cut(g.width, g.height);
  for (io::Plane<T>& band : bands.detail) band = cutter.cut(g.reach.width(), g.reach.height());
  return bands;
}

template <class T>
io::Plane<const T> constant(const io::Plane<T>& plane) {
  return {plane.data, plane.stride, plane.width, plane.height};
}

// Scales 1..3 of one picture.
using CoarseBands = std::array<AdmBands<Coarse>, adm::kScales - 1>;

CoarseBands cut_coarse(const io::Plane<Coarse>& all, const adm::Geometry& geometry) {
  BandCutter<Coarse> cutter(all);
  CoarseBands scales;
  for (size_t s = 1; s < adm::kScales; ++s) scales[s - 1] = cut_bands(cutter, geometry[s]);
  return scales;
}

// Both pictures of a window: reference and distorted.
template <class T>
using Both = std::array<T, 2>;

// A derived plane of each picture of the window. fill(pictures, planes) launches what fills planes[i] of picture pictures[i] (0 reference,
// 1 distorted): for both at once where neither is there yet.
template <class T, class Fill>
Both<io::Plane<const T>> derived_of_both(const io::FrameWindow& window, FrameWork& work, const char* key, int width, int height,
                                         Fill&& fill) {
  const Both<const io::Frame*> frames{&window.reference(), &window.distorted()};
  using Planes = std::vector<io::Plane<T>>;
  const auto distorted = [&](auto&& make) { return work.derived<T>(*frames[1], key, width, height, make); };
  const auto reference = work.derived<T>(*frames[0], key, width, height, [&](const io::Plane<T>& first) {
    bool filled = false;
    if (frames[0] != frames[1]) {
      distorted([&](const io::Plane<T>& second) {
        fill(std::vector<size_t>{0, 1}, Planes{first, second});
        filled = true;
      });
    }
    if (!filled) fill(std::vector<size_t>{0}, Planes{first});
  });
  return {reference, distorted([&](const io::Plane<T>& second) { fill(std::vector<size_t>{1}, Planes{second}); })};
}

class AdmTwin final : public Twin {
 public:
  AdmTwin(const extractors::Options& options, const extractors::ClipInfo& clip)
      : setup_(adm::setup_of(options, clip.format)), bit_depth_(clip.format.bit_depth) {
    size_t rows = 0;
    for (size_t s = 0; s < adm::kScales; ++s) {
      first_row_[s] = rows;
      rows += kAdmSums * static_cast<size_t>(setup_.geometry[s].inner.height());
    }
    row_count_ = rows;
  }

  size_t result_bytes() const override { return adm::kSlots * sizeof(std::uint64_t); }

  size_t device_bytes() const override {
    constexpr size_t kRowGap = 64;  // bytes: rows are aligned
    const auto plane = [](int width, int rows, size_t sample) {
      return (static_cast<size_t>(width) * sample + kRowGap) * static_cast<size_t>(rows);
    };
    const adm::Geometry& g = setup_.geometry;
    return 2 * (plane(g[0].width, rows_of(g[0]), sizeof(Fine)) + plane(g[1].width, coarse_rows(), sizeof(Coarse))) +
           row_count_ * sizeof(std::uint64_t);
  }

  void submit(const io::FrameWindow& window, FrameWork& work, std::byte* results) const override {
    const Both<AdmBands<Fine>> fine = fine_bands(window, work);
    const Both<CoarseBands> coarse = coarse_bands(window, work, fine);
    auto* const rows = work.scratch<std::uint64_t>(row_count_);
    work.clear(rows, row_count_ * sizeof(std::uint64_t));
    if (!setup_.pooling.skip_scale0) {
      AdmContrastKernel<Fine> kernel = contrast_kernel<Fine>();
      launch_contrast(work, kernel, 0, rows, [&](size_t picture, size_t) -> const AdmBands<Fine>& { return fine[picture]; });
    }
    AdmContrastKernel<Coarse> kernel = contrast_kernel<Coarse>();
    launch_contrast(work, kernel, 1, rows, [&](size_t picture, size_t s) -> const AdmBands<Coarse>& { return coarse[picture][s - 1]; });
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
  int coarse_rows() const {
    int rows = 0;
    for (size_t s = 1; s < adm::kScales; ++s) rows += rows_of(setup_.geometry[s]);
    return rows;
  }

  // Scale 0 of both pictures.
  Both<AdmBands<Fine>> fine_bands(const io::FrameWindow& window, FrameWork& work) const {
    const adm::ScaleGeometry& g = setup_.geometry[0];
    const auto cut = [&](const io::Plane<Fine>& all) {
      BandCutter<Fine> cutter(all);
      return cut_bands(cutter, g);
    };
    const auto planes = derived_of_both<Fine>(window, work, "adm 0", g.width, rows_of(g), [&](const auto& pictures, const auto& fresh) {
      io::with_sample_type(window.format(), [&](auto type) {
        using Sample = decltype(type);
        AdmTransformKernel<Sample> kernel = transform_kernel<Sample>(0);
        for (size_t i = 0; i < fresh.size(); ++i) {
          kernel.input[i] = work.plane<Sample>(pictures[i] == 0 ? window.reference() : window.distorted(), 0);
          kernel.output[i] = cut(fresh[i]);
        }
        launch_transform(work, kernel, fresh.size());
      });
    });
    return {cut(writable(planes[0])), cut(writable(planes[1]))};
  }

  Both<CoarseBands> coarse_bands(const io::FrameWindow& window, FrameWork& work, const Both<AdmBands<Fine>>& fine) const {
    const adm::Geometry& g = setup_.geometry;
    const auto planes =
        derived_of_both<Coarse>(window, work, "adm 1-3", g[1].width, coarse_rows(), [&](const auto& pictures, const auto& fresh) {
          std::vector<CoarseBands> bands;
          for (const io::Plane<Coarse>& plane : fresh) bands.push_back(cut_coarse(plane, g));
          transform_scale<Fine>(work, 1, bands, [&](size_t i) { return fine[pictures[i]].low; });
          transform_scale<Coarse>(work, 2, bands, [&](size_t i) { return bands[i][0].low; });
          transform_scale<Coarse>(work, 3, bands, [&](size_t i) { return bands[i][1].low; });
        });
    return {cut_coarse(writable(planes[0]), g), cut_coarse(writable(planes[1]), g)};
  }

  template <class Input, class InputOf>
  void transform_scale(FrameWork& work, size_t scale, const std::vector<CoarseBands>& bands, InputOf&& input) const {
    AdmTransformKernel<Input> kernel = transform_kernel<Input>(scale);
    for (size_t i = 0; i < bands.size(); ++i) {
      kernel.input[i] = constant(input(i));
      kernel.output[i] = bands[i][scale - 1];
    }
    launch_transform(work, kernel, bands.size());
  }

  template <class Input>
  static void launch_transform(FrameWork& work, const AdmTransformKernel<Input>& kernel, size_t pictures) {
    work.launch(kernel.grid(kernel.input[0].width, kernel.input[0].height, static_cast<unsigned>(pictures)), kernel);
  }

  template <class Input>
  AdmTransformKernel<Input> transform_kernel(size_t scale) const {
    const adm::ScaleGeometry& g = setup_.geometry[scale];
    AdmTransformKernel<Input> kernel{};
    kernel.width = g.width;
    kernel.height = g.height;
    kernel.reach = g.reach;
    kernel.scale = g.scale;
    kernel.bit_depth = bit_depth_;
    return kernel;
  }

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

  // Planes are cut by the same function before and after they were filled.
  template <class T>
  static io::Plane<T> writable(const io::Plane<const T>& plane) {
    return {const_cast<T*>(plane.data), plane.stride, plane.width, plane.height};
  }

  adm::Setup setup_;
  int bit_depth_;
  std::array<size_t, adm::kScales> first_row_{};  // of the row sums of each scale
  size_t row_count_ = 0;
};

}  // namespace

const TwinInfo kAdmTwin = {.extractor = "adm", .implementation = "adm_hip", .create = make_twin<AdmTwin>};

}  // namespace vmafbatch::hip
