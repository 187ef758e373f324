// The wavelet bands of the two pictures of a window, on the device: derived planes of their frames, for the twins of adm and float_adm.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hip/frame_work.h"
#include "hip/kernels/wavelet_kernel.h"

namespace vmafbatch::hip {

// Reference and distorted.
template <class T>
using Both = std::array<T, 2>;

// The bands of one scale: their size, and the part of h, v, d that is stored.
struct BandLayout {
  int width = 0;
  int height = 0;
  adm::Region reach;
  bool has_low = true;  // band a is stored, too: the next scale reads it

  int rows() const { return (has_low ? height : 0) + adm::kBands * reach.height(); }
};
using PyramidLayout = std::array<BandLayout, adm::kScales>;

template <class Fine, class Coarse>
struct PyramidBands {
  WaveletBands<Fine> fine;                                      // scale 0
  std::array<WaveletBands<Coarse>, adm::kScales - 1> coarse{};  // scales 1..3
};

// The bands of some scales lie in one plane, as wide as the widest of them and one below the other.
template <class T>
class BandCutter {
 public:
  explicit BandCutter(const io::Plane<T>& all) : all_(all) {}

  WaveletBands<T> cut(const BandLayout& layout) {
    WaveletBands<T> bands{};
    if (layout.has_low) bands.low = cut(layout.width, layout.height);
    for (io::Plane<T>& band : bands.detail) band = cut(layout.reach.width(), layout.reach.height());
    return bands;
  }

 private:
  io::Plane<T> cut(int width, int height) {
    const io::Plane<T> band{all_.row(row_), all_.stride, width, height};
    row_ += height;
    return band;
  }

  io::Plane<T> all_;
  int row_ = 0;
};

template <class T>
io::Plane<const T> constant(const io::Plane<T>& plane) {
  return {plane.data, plane.stride, plane.width, plane.height};
}

// A derived plane of each picture of the window. fill(pictures, planes) launches what fills planes[i] of frame pictures[i]: of both
// frames at once where neither plane is there yet.
template <class T, class Fill>
Both<io::Plane<const T>> derived_of_both(const io::FrameWindow& window, FrameWork& work, const std::string& key, int width, int height,
                                         Fill&& fill) {
  using Frames = std::vector<const io::Frame*>;
  using Planes = std::vector<io::Plane<T>>;
  const io::Frame* const first = &window.reference();
  const io::Frame* const second = &window.distorted();
  const auto derived = [&](const io::Frame* frame, auto&& make) { return work.derived<T>(*frame, key, width, height, make); };
  const auto reference = derived(first, [&](const io::Plane<T>& plane) {
    bool filled = false;
    if (first != second) {
      derived(second, [&](const io::Plane<T>& other) {
        fill(Frames{first, second}, Planes{plane, other});
        filled = true;
      });
    }
    if (!filled) fill(Frames{first}, Planes{plane});
  });
  return {reference, derived(second, [&](const io::Plane<T>& plane) { fill(Frames{second}, Planes{plane}); })};
}

// Makes or finds the bands of both pictures. `Arithmetic`: Fine and Coarse, the types of coefficients; step_of_samples<Sample>() and
// step<Input>(scale), the Steps of WaveletKernel. `key` names the arithmetic.
template <class Arithmetic>
class DevicePyramids {
 public:
  using Fine = typename Arithmetic::Fine;
  using Coarse = typename Arithmetic::Coarse;
  using Bands = PyramidBands<Fine, Coarse>;

  DevicePyramids(const PyramidLayout& layout, const Arithmetic& arithmetic, const char* key)
      : layout_(layout), arithmetic_(arithmetic), key_(key) {}

  // Device memory of both pictures.
  std::size_t bytes() const {
    constexpr std::size_t kRowGap = 64;  // rows are aligned
    const auto plane = [](int width, int rows, std::size_t sample) {
      return (static_cast<std::size_t>(width) * sample + kRowGap) * static_cast<std::size_t>(rows);
    };
    return 2 * (plane(layout_[0].width, layout_[0].rows(), sizeof(Fine)) + plane(layout_[1].width, coarse_rows(), sizeof(Coarse)));
  }

  Both<Bands> of(const io::FrameWindow& window, FrameWork& work) const {
    const auto fine = derived_of_both<Fine>(window, work, key_ + " 0", layout_[0].width, layout_[0].rows(),
                                            [&](const auto& frames, const auto& planes) { fill_fine(work, frames, planes); });
    Both<Bands> both;
    for (std::size_t i = 0; i < 2; ++i) both[i].fine = BandCutter<Fine>(writable(fine[i])).cut(layout_[0]);
    const auto coarse =
        derived_of_both<Coarse>(window, work, key_ + " 1-3", layout_[1].width, coarse_rows(), [&](const auto& frames, const auto& planes) {
          std::vector<Bands> fresh;
          for (std::size_t i = 0; i < frames.size(); ++i) {
            fresh.push_back({both[frames[i] == &window.reference() ? 0 : 1].fine, cut_coarse(planes[i])});
          }
          fill_coarse(work, fresh);
        });
    for (std::size_t i = 0; i < 2; ++i) both[i].coarse = cut_coarse(writable(coarse[i]));
    return both;
  }

 private:
  int coarse_rows() const { return layout_[1].rows() + layout_[2].rows() + layout_[3].rows(); }

  std::array<WaveletBands<Coarse>, adm::kScales - 1> cut_coarse(const io::Plane<Coarse>& all) const {
    BandCutter<Coarse> cutter(all);
    std::array<WaveletBands<Coarse>, adm::kScales - 1> scales{};
    for (std::size_t s = 1; s < adm::kScales; ++s) scales[s - 1] = cutter.cut(layout_[s]);
    return scales;
  }

  void fill_fine(FrameWork& work, const std::vector<const io::Frame*>& frames, const std::vector<io::Plane<Fine>>& planes) const {
    io::with_sample_type(frames.front()->format(), [&](auto type) {
      using Sample = decltype(type);
      launch(work, 0, frames.size(), arithmetic_.template step_of_samples<Sample>(), [&](std::size_t i, auto& input, auto& output) {
        input = work.plane<Sample>(*frames[i], 0);
        output = BandCutter<Fine>(planes[i]).cut(layout_[0]);
      });
    });
  }

  void fill_coarse(FrameWork& work, const std::vector<Bands>& fresh) const {
    launch(work, 1, fresh.size(), arithmetic_.template step<Fine>(1), [&](std::size_t i, auto& input, auto& output) {
      input = constant(fresh[i].fine.low);
      output = fresh[i].coarse[0];
    });
    for (std::size_t s = 2; s < adm::kScales; ++s) {
      launch(work, s, fresh.size(), arithmetic_.template step<Coarse>(static_cast<int>(s)), [&](std::size_t i, auto& input, auto& output) {
        input = constant(fresh[i].coarse[s - 2].low);
        output = fresh[i].coarse[s - 1];
      });
    }
  }

  // place(i, input, output) says where picture i is.
  template <class Step, class Place>
  void launch(FrameWork& work, std::size_t scale, std::size_t pictures, const Step& step, Place&& place) const {
    WaveletKernel<Step> kernel{};
    for (std::size_t i = 0; i < pictures; ++i) place(i, kernel.input[i], kernel.output[i]);
    kernel.width = layout_[scale].width;
    kernel.height = layout_[scale].height;
    kernel.reach = layout_[scale].reach;
    kernel.step = step;
    work.launch(kernel.grid(kernel.input[0].width, kernel.input[0].height, static_cast<unsigned>(pictures)), kernel);
  }

  // Planes are cut by the same function before and after they were filled.
  template <class T>
  static io::Plane<T> writable(const io::Plane<const T>& plane) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the plane was made writable, its view was not
    return {const_cast<T*>(plane.data), plane.stride, plane.width, plane.height};
  }

  PyramidLayout layout_;
  Arithmetic arithmetic_;
  std::string key_;
};

}  // namespace vmafbatch::hip
