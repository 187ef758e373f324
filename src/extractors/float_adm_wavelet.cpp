#include "extractors/float_adm_wavelet.h"

#include <algorithm>
#include <utility>

#include "extractors/float_adm_rows.h"
#include "extractors/float_plane_math.h"

namespace vmafbatch::extractors::float_adm {
namespace {

// A tenth of the side, minus half a sample, truncated; computed in double.
int border(int side) { return static_cast<int>(side * 0.1 - 0.5); }

DetailBands empty_details(BandSize band) {
  const Region stored = stored_region(band);
  return {band, FloatPlane(stored.width(), stored.height()), FloatPlane(stored.width(), stored.height()),
          FloatPlane(stored.width(), stored.height())};
}

// Rows of luma as floats. The filter asks for rows within a window of four that moves down, so four converted rows are enough.
template <class Sample>
class LumaRows {
 public:
  explicit LumaRows(const io::Frame& frame)
      : samples_(frame.plane<Sample>(0)), unit_(float_sample_factor(frame.format().bit_depth)), rows_(samples_.width, kKept) {
    held_.fill(-1);
  }

  int width() const { return samples_.width; }
  int height() const { return samples_.height; }
  const float* row(int y) {
    const int slot = y % kKept;
    if (std::exchange(held_[static_cast<size_t>(slot)], y) != y) {
      centred_row(samples_.row(y), samples_.width, unit_, rows_.view().row(slot));
    }
    return rows_.view().row(slot);
  }

 private:
  static constexpr int kKept = 4;

  io::Plane<const Sample> samples_;
  float unit_;
  FloatPlane rows_;
  std::array<int, kKept> held_;
};

// Rows of an approximation band.
class BandSource {
 public:
  explicit BandSource(const FloatPlane& band) : band_(band) {}

  int width() const { return band_.width(); }
  int height() const { return band_.height(); }
  const float* row(int y) const { return band_.view().row(y); }

 private:
  const FloatPlane& band_;
};

// One level: `source` to `details`, and to `approximation` unless that is null (then only the stored region is computed).
template <class Source>
void transform(Source& source, FloatPlane* approximation, DetailBands& details) {
  const Region stored = stored_region(details.band);
  SplitLine low(source.width());
  SplitLine high(source.width());
  for (int y = 0; y < details.band.height; ++y) {
    const bool detailed = stored.has_row(y);
    if (!detailed && approximation == nullptr) continue;
    const auto row = [&](int tap) { return source.row(mirrored(2 * y - 1 + tap, source.height())); };
    const std::array rows{row(0), row(1), row(2), row(3)};
    vertical_filter(rows, kLowPass, low);
    if (approximation != nullptr) horizontal_filter(low, kLowPass, 0, details.band.width, approximation->view().row(y));
    if (!detailed) continue;
    vertical_filter(rows, kHighPass, high);
    const int y_out = y - stored.top;
    horizontal_filter(high, kLowPass, stored.left, stored.width(), details.h.view().row(y_out));
    horizontal_filter(low, kHighPass, stored.left, stored.width(), details.v.view().row(y_out));
    horizontal_filter(high, kHighPass, stored.left, stored.width(), details.d.view().row(y_out));
  }
}

WaveletPyramid make_pyramid(const io::Frame& frame) {
  WaveletPyramid pyramid;
  for (int s = 0; s < kScales; ++s) {
    pyramid.scales[static_cast<size_t>(s)] = empty_details(band_size(frame.format().width, frame.format().height, s));
  }
  const auto approximation_of = [](const DetailBands& details) { return FloatPlane(details.band.width, details.band.height); };

  FloatPlane approximation = approximation_of(pyramid.scales[0]);
  io::with_sample_type(frame.format(), [&](auto sample) {
    LumaRows<decltype(sample)> luma(frame);
    transform(luma, &approximation, pyramid.scales[0]);
  });
  for (size_t s = 1; s < kScales; ++s) {
    const bool last = s + 1 == kScales;
    FloatPlane next = last ? FloatPlane() : approximation_of(pyramid.scales[s]);
    BandSource source(approximation);
    transform(source, last ? nullptr : &next, pyramid.scales[s]);
    approximation = std::move(next);
  }
  return pyramid;
}

}  // namespace

BandSize band_size(int width, int height, int scale) {
  for (int s = 0; s <= scale; ++s) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return {width, height};
}

Region score_region(BandSize band) {
  const int left = border(band.width);
  const int top = border(band.height);
  return {left, top, band.width - left, band.height - top};
}

Region stored_region(BandSize band) {
  const Region score = score_region(band);
  return {std::max(score.left - 1, 0), std::max(score.top - 1, 0), std::min(score.right + 1, band.width),
          std::min(score.bottom + 1, band.height)};
}

const WaveletPyramid& shared_wavelet_pyramid(const io::Frame& frame) {
  return frame.derived().get<WaveletPyramid>("", [&] { return make_pyramid(frame); });
}

size_t wavelet_pyramid_bytes(int width, int height) {
  size_t bytes = 0;
  for (int s = 0; s < kScales; ++s) {
    const BandSize band = band_size(width, height, s);
    const Region stored = stored_region(band);
    bytes += 3 * FloatPlane::bytes_of(stored.width(), stored.height());
    if (s < 2) bytes += FloatPlane::bytes_of(band.width, band.height);  // at most two approximations at a time, the finest largest
  }
  return bytes;
}

}  // namespace vmafbatch::extractors::float_adm
