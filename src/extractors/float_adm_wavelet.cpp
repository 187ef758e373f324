#include "extractors/float_adm_wavelet.h"

#include <algorithm>

#include "extractors/float_adm_rows.h"

namespace vmafbatch::extractors::float_adm {
namespace {

// A tenth of the side, minus half a sample, truncated; computed in double.
int border(int side) { return static_cast<int>(side * 0.1 - 0.5); }

DetailBands empty_details(BandSize band) {
  const Region stored = stored_region(band);
  return {band, FloatPlane(stored.width(), stored.height()), FloatPlane(stored.width(), stored.height()),
          FloatPlane(stored.width(), stored.height())};
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

void wavelet_level(io::Plane<const float> source, FloatPlane* approximation, DetailBands& details) {
  const Region stored = stored_region(details.band);
  SplitLine low(source.width);
  SplitLine high(source.width);
  for (int y = 0; y < details.band.height; ++y) {
    const bool detailed = stored.has_row(y);
    if (!detailed && approximation == nullptr) continue;
    const auto row = [&](int tap) { return source.row(mirrored(2 * y - 1 + tap, source.height)); };
    const std::array rows{row(0), row(1), row(2), row(3)};
    vertical_filter(rows, kLowPass, low);
    if (approximation != nullptr) horizontal_filter(low, kLowPass, 0, details.band.width, approximation->view().row(y));
    if (!detailed) continue;
    vertical_filter(rows, kHighPass, high);
    horizontal_filter(high, kLowPass, stored.left, stored.width(), details.h.view().row(y - stored.top));
    horizontal_filter(low, kHighPass, stored.left, stored.width(), details.v.view().row(y - stored.top));
    horizontal_filter(high, kHighPass, stored.left, stored.width(), details.d.view().row(y - stored.top));
  }
}

const WaveletPyramid& shared_wavelet_pyramid(const io::Frame& frame) {
  return frame.derived().get<WaveletPyramid>("", [&] {
    WaveletPyramid pyramid;
    io::Plane<const float> source = shared_float_samples(frame, 0, kCentredOffset).view();
    FloatPlane approximation;
    for (int s = 0; s < kScales; ++s) {
      DetailBands& details = pyramid.scales[static_cast<size_t>(s)];
      details = empty_details(band_size(frame.format().width, frame.format().height, s));
      const bool last = s + 1 == kScales;
      FloatPlane next = last ? FloatPlane() : FloatPlane(details.band.width, details.band.height);
      wavelet_level(source, last ? nullptr : &next, details);
      approximation = std::move(next);
      source = std::as_const(approximation).view();
    }
    return pyramid;
  });
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
