#include "extractors/cambi_scales.h"

#include <algorithm>
#include <span>

#include "extractors/cambi_contrast.h"
#include "extractors/cambi_pooling.h"

namespace vmafbatch::extractors {
namespace {

template <class T>
void halve(const io::Plane<const T>& in, const io::Plane<T>& out) {
  for (int y = 0; y < out.height; ++y) {
    const T* from = in.row(2 * y);
    T* to = out.row(y);
    for (int x = 0; x < out.width; ++x) to[x] = from[2 * x];
  }
}

CambiWindow window_of(const CambiView& view, const CambiSetup& setup) {
  return {.reach = view.window / 2, .steps = setup.steps, .dark_limit = setup.dark_limit, .thresholds = setup.thresholds};
}

}  // namespace

CambiView cambi_scale_view(const CambiView& view, bool half, int scale) {
  CambiView scaled = view;
  for (int halvings = scale + (half ? 1 : 0); halvings > 0; --halvings) {
    scaled.width = (scaled.width + 1) / 2;
    scaled.height = (scaled.height + 1) / 2;
  }
  return scaled;
}

void cambi_halve(io::Plane<const std::uint16_t> in, io::Plane<std::uint16_t> out) { halve(in, out); }
void cambi_halve(io::Plane<const std::uint8_t> in, io::Plane<std::uint8_t> out) { halve(in, out); }

void cambi_mode_filter(io::Plane<const std::uint16_t> in, io::Plane<std::uint16_t> out, const CambiRows& rows) {
  // A ring of three rows behind the first pass.
  CambiPlane<std::uint16_t> ring(in.width, 3);
  const auto filter_row = [&](int y) {
    const std::uint16_t* row = in.row(y);
    std::uint16_t* filtered = ring.view().row(y % 3);
    filtered[0] = row[0];
    filtered[in.width - 1] = row[in.width - 1];
    if (in.width > 2) rows.mode(row, row + 1, row + 2, in.width - 2, filtered + 1);
  };
  std::copy_n(in.row(0), in.width, out.row(0));
  std::copy_n(in.row(in.height - 1), in.width, out.row(in.height - 1));
  for (int y = 0; y < std::min(2, in.height); ++y) filter_row(y);
  for (int y = 1; y < in.height - 1; ++y) {
    filter_row(y + 1);
    rows.mode(ring.view().row((y - 1) % 3), ring.view().row(y % 3), ring.view().row((y + 1) % 3), in.width, out.row(y));
  }
}

CambiSums cambi_sums(const CambiPicture& picture, const CambiView& view, const CambiSetup& setup, const CambiContrastVisitor& visit) {
  const CambiWindow window = window_of(view, setup);
  const CambiView first = cambi_scale_view(view, setup.half, 0);
  const CambiView second = cambi_scale_view(view, setup.half, 1);
  const CambiView& largest_halved = setup.half ? first : second;
  CambiPlane<std::uint16_t> halved(largest_halved.width, largest_halved.height);
  CambiPlane<std::uint8_t> halved_mask(largest_halved.width, largest_halved.height);
  CambiPlane<std::uint16_t> filtered(first.width, first.height);
  CambiPlane<float> contrasts(first.width, first.height);

  CambiSums result;
  io::Plane<const std::uint16_t> samples = picture.samples.view();
  io::Plane<const std::uint8_t> mask = picture.mask.view();
  for (int scale = 0; scale < kCambiScales; ++scale) {
    const CambiView size = cambi_scale_view(view, setup.half, scale);
    if (scale > 0 || setup.half) {
      halved.shrink(size.width, size.height);
      halved_mask.shrink(size.width, size.height);
      cambi_halve(samples, halved.view());
      cambi_halve(mask, halved_mask.view());
      samples = std::as_const(halved).view();
      mask = std::as_const(halved_mask).view();
    }
    filtered.shrink(size.width, size.height);
    contrasts.shrink(size.width, size.height);
    cambi_mode_filter(samples, filtered.view(), cambi_rows());
    samples = std::as_const(filtered).view();
    cambi_contrasts(samples, mask, window, contrasts.view());
    if (visit) visit(scale, std::as_const(contrasts).view());
    const std::span<float> values(contrasts.view().data, static_cast<size_t>(size.width) * static_cast<size_t>(size.height));
    result.sums[static_cast<size_t>(scale)] = cambi_sum_of_largest(values, cambi_pooled_count(setup.pooled_share, size.width, size.height));
  }
  return result;
}

size_t cambi_sums_bytes(const CambiView& view, const CambiSetup& setup) {
  const CambiView first = cambi_scale_view(view, setup.half, 0);
  const auto pixels = [](const CambiView& v) { return static_cast<size_t>(v.width) * static_cast<size_t>(v.height); };
  const CambiView halved = cambi_scale_view(first, true, 0);
  constexpr size_t kHalvedBytes = sizeof(std::uint16_t) + sizeof(std::uint8_t);
  constexpr size_t kFirstBytes = sizeof(std::uint16_t) + sizeof(float);  // filtered; contrasts
  return pixels(setup.half ? first : halved) * kHalvedBytes + pixels(first) * kFirstBytes +
         cambi_contrasts_bytes(first.width, first.height, window_of(view, setup));
}

}  // namespace vmafbatch::extractors
