#include "extractors/ssimulacra2_picture.h"

#include <algorithm>
#include <utility>

#include "extractors/ssimulacra2_transfer.h"

namespace vmafbatch::extractors::ssimulacra2 {
namespace {

Planes make_planes(int width, int height) { return {FloatPlane(width, height), FloatPlane(width, height), FloatPlane(width, height)}; }

size_t planes_bytes(Size size) { return kChannels * FloatPlane::bytes_of(size.width, size.height); }

int halved(int side) { return (side + 1) / 2; }

RgbRow row_of(Planes& planes, int y) { return {planes[0].view().row(y), planes[1].view().row(y), planes[2].view().row(y)}; }
ConstRgbRow row_of(const Planes& planes, int y) { return {planes[0].view().row(y), planes[1].view().row(y), planes[2].view().row(y)}; }

Planes linear_planes(const io::Frame& frame, int matrix) {
  const io::PictureFormat& format = frame.format();
  const Conversion c = conversion(matrix, format.bit_depth);
  const int column_shift = format.plane_width(1) == format.width ? 0 : 1;
  const int row_shift = format.plane_height(1) == format.height ? 0 : 1;
  Planes out = make_planes(format.width, format.height);
  io::with_sample_type(format, [&](auto sample) {
    using Sample = decltype(sample);
    const io::Plane<const Sample> luma = frame.plane<Sample>(0);
    const io::Plane<const Sample> u = frame.plane<Sample>(1);
    const io::Plane<const Sample> v = frame.plane<Sample>(2);
    for (int y = 0; y < format.height; ++y) {
      linear_row(luma.row(y), u.row(y >> row_shift), v.row(y >> row_shift), format.width, column_shift, c, row_of(out, y));
    }
  });
  return out;
}

Planes xyb_planes(const Planes& linear) {
  Planes out = make_planes(linear[0].width(), linear[0].height());
  for (int y = 0; y < out[0].height(); ++y) xyb_row(row_of(linear, y), out[0].width(), row_of(out, y));
  return out;
}

Planes halved_planes(const Planes& in) {
  Planes out = make_planes(halved(in[0].width()), halved(in[0].height()));
  for (size_t c = 0; c < kChannels; ++c) {
    const io::Plane<const float> source = in[c].view();
    const io::Plane<float> target = out[c].view();
    for (int y = 0; y < target.height; ++y) {
      halve_rows(source.row(2 * y), source.row(std::min(2 * y + 1, source.height - 1)), source.width, target.row(y));
    }
  }
  return out;
}

template <class Sample>
void plain_linear_row(const Sample* y, const Sample* u, const Sample* v, int width, int shift, const Conversion& c, const RgbRow& out) {
  for (int x = 0; x < width; ++x) {
    const Triple rgb = to_rgb(static_cast<float>(y[x]), static_cast<float>(u[x >> shift]), static_cast<float>(v[x >> shift]), c);
    out.r[x] = linear_light(rgb.c0, kTransfer.data());
    out.g[x] = linear_light(rgb.c1, kTransfer.data());
    out.b[x] = linear_light(rgb.c2, kTransfer.data());
  }
}

}  // namespace

std::vector<Size> scale_sizes(int width, int height) {
  std::vector<Size> sizes;
  while (sizes.size() < kScales && width >= kSmallestSide && height >= kSmallestSide) {
    sizes.push_back({width, height});
    width = halved(width);
    height = halved(height);
  }
  return sizes;
}

XybPyramid xyb_pyramid(const io::Frame& frame, int matrix) {
  const size_t scales = scale_sizes(frame.format().width, frame.format().height).size();
  XybPyramid pyramid;
  if (scales == 0) return pyramid;
  Planes linear = linear_planes(frame, matrix);
  pyramid.push_back(xyb_planes(linear));
  while (pyramid.size() < scales) {
    linear = halved_planes(linear);
    pyramid.push_back(xyb_planes(linear));
  }
  return pyramid;
}

const XybPyramid& shared_xyb_pyramid(const io::Frame& frame, int matrix) {
  return frame.derived().get<XybPyramid>("ssimulacra2 matrix " + std::to_string(matrix), [&] { return xyb_pyramid(frame, matrix); });
}

size_t xyb_pyramid_bytes(int width, int height) {
  size_t bytes = 0;
  for (const Size size : scale_sizes(width, height)) bytes += planes_bytes(size);
  return bytes;
}

// The linear planes of the first scale, and of the second while it is made.
size_t xyb_scratch_bytes(int width, int height) {
  const std::vector<Size> sizes = scale_sizes(width, height);
  return sizes.empty() ? 0 : planes_bytes(sizes[0]) + (sizes.size() > 1 ? planes_bytes(sizes[1]) : 0);
}

void slow_linear_row(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift,
                     const Conversion& conversion, const RgbRow& out) {
  plain_linear_row(y, u, v, width, shift, conversion, out);
}

void slow_linear_row(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift,
                     const Conversion& conversion, const RgbRow& out) {
  plain_linear_row(y, u, v, width, shift, conversion, out);
}

void slow_xyb_row(const ConstRgbRow& in, int width, const RgbRow& out) {
  for (int x = 0; x < width; ++x) {
    const Triple xyb = to_xyb({in.r[x], in.g[x], in.b[x]});
    out.r[x] = xyb.c0;
    out.g[x] = xyb.c1;
    out.b[x] = xyb.c2;
  }
}

void slow_halve_rows(const float* upper, const float* lower, int width, float* out) {
  for (int x = 0; x < halved(width); ++x) {
    const int left = 2 * x;
    const int right = std::min(left + 1, width - 1);
    out[x] = average(upper[left], upper[right], lower[left], lower[right]);
  }
}

}  // namespace vmafbatch::extractors::ssimulacra2
