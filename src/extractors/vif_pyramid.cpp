#include "extractors/vif_pyramid.h"

#include <utility>

#include "base/simd.h"
#include "extractors/vif_simd.h"

namespace vmafbatch::extractors {
namespace {

constexpr int kPadding = 32;  // samples of a 64-byte vector

ptrdiff_t stride_of(int width) { return (width + kPadding - 1) / kPadding * kPadding; }
size_t samples_of(int width, int height) { return static_cast<size_t>(stride_of(width)) * static_cast<size_t>(height); }

// The samples of `scale` from those of the scale before: filtered down the columns, then along the rows, every second kept.
template <class Sample>
void slow_downscale(io::Plane<const Sample> in, int scale, int bit_depth, io::Plane<std::uint16_t> out) {
  const int radius = vif_radius(scale);
  const int shift = vif_sample_shift(scale - 1, bit_depth);
  std::vector<std::uint32_t> columns(static_cast<size_t>(in.width));
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < in.width; ++x) {
      std::uint32_t sum = 0;
      for (int k = -radius; k <= radius; ++k) sum += vif_tap(scale, k < 0 ? -k : k) * in.row(vif_mirror(2 * y + k, in.height))[x];
      columns[static_cast<size_t>(x)] = static_cast<std::uint32_t>(vif_round(sum, shift));
    }
    for (int x = 0; x < out.width; ++x) {
      std::uint32_t sum = 0;
      for (int k = -radius; k <= radius; ++k) {
        sum += vif_tap(scale, k < 0 ? -k : k) * columns[static_cast<size_t>(vif_mirror(2 * x + k, in.width))];
      }
      out.row(y)[x] = static_cast<std::uint16_t>(vif_round(sum, 16));
    }
  }
}

// downscale(in, scale, bit_depth, out) makes one scale from the one before.
template <class Downscale>
VifPyramid build_pyramid(const io::Frame& frame, const Downscale& downscale) {
  const io::PictureFormat& format = frame.format();
  VifPyramid pyramid;
  for (int scale = 1; scale < kVifScales; ++scale) {
    VifPlane& out = pyramid[static_cast<size_t>(scale - 1)];
    out = VifPlane(format.width >> scale, format.height >> scale);
    if (scale > 1) {
      downscale(std::as_const(pyramid[static_cast<size_t>(scale - 2)]).view(), scale, format.bit_depth, out.view());
      continue;
    }
    io::with_sample_type(format, [&](auto sample) { downscale(frame.plane<decltype(sample)>(0), scale, format.bit_depth, out.view()); });
  }
  return pyramid;
}

}  // namespace

VifPlane::VifPlane(int width, int height)
    : width_(width), height_(height), stride_(stride_of(width)), samples_(samples_of(width, height)) {}

size_t vif_pyramid_bytes(int width, int height) {
  size_t samples = 0;
  for (int scale = 1; scale < kVifScales; ++scale) samples += samples_of(width >> scale, height >> scale);
  return samples * sizeof(std::uint16_t);
}

VifPyramid slow_vif_pyramid(const io::Frame& frame) {
  return build_pyramid(frame, [](auto in, int scale, int bit_depth, auto out) { slow_downscale(in, scale, bit_depth, out); });
}

VifPyramid vif_pyramid(const io::Frame& frame) {
  if (simd_mode() == SimdMode::kScalar || !vif_vectors_serve(frame.format())) return slow_vif_pyramid(frame);
  return build_pyramid(frame, [](auto in, int scale, int bit_depth, auto out) {
    if (!fast_vif_downscale(in, scale, bit_depth, out)) slow_downscale(in, scale, bit_depth, out);
  });
}

const VifPyramid& shared_vif_pyramid(const io::Frame& frame) {
  return frame.derived().get<VifPyramid>("", [&] { return vif_pyramid(frame); });
}

}  // namespace vmafbatch::extractors
