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

// Calls use_pair(y, row y, row y + 1) for every even y with rows of linear RGB of a frame; behind an odd height the last row repeats.
// The rows are gone when the next pair is made: as planes they would take as much memory as the result.
template <class UsePair>
void for_each_linear_pair(const io::Frame& frame, int matrix, const UsePair& use_pair) {
  const io::PictureFormat& format = frame.format();
  const Conversion c = conversion(matrix, format.bit_depth);
  const int column_shift = format.plane_width(1) == format.width ? 0 : 1;
  const int row_shift = format.plane_height(1) == format.height ? 0 : 1;
  Planes rows = make_planes(format.width, 2);
  io::with_sample_type(format, [&](auto sample) {
    using Sample = decltype(sample);
    const io::Plane<const Sample> luma = frame.plane<Sample>(0);
    const io::Plane<const Sample> u = frame.plane<Sample>(1);
    const io::Plane<const Sample> v = frame.plane<Sample>(2);
    for (int y = 0; y < format.height; y += 2) {
      const int count = std::min(2, format.height - y);
      for (int i = 0; i < count; ++i) {
        linear_row(luma.row(y + i), u.row((y + i) >> row_shift), v.row((y + i) >> row_shift), format.width, column_shift, c,
                   row_of(rows, i));
      }
      use_pair(y, row_of(std::as_const(rows), 0), row_of(std::as_const(rows), count - 1));
    }
  });
}

// The same over planes.
template <class UsePair>
void for_each_linear_pair(const Planes& linear, const UsePair& use_pair) {
  const int height = linear[0].height();
  for (int y = 0; y < height; y += 2) use_pair(y, row_of(linear, y), row_of(linear, std::min(y + 1, height - 1)));
}

// One scale from its pairs of linear rows: fills X, Y and B, and the linear planes of the next scale unless there is none.
class ScaleWriter {
 public:
  ScaleWriter(Planes& xyb, Planes* next) : xyb_(xyb), next_(next) {}

  void operator()(int y, const ConstRgbRow& upper, const ConstRgbRow& lower) const {
    const int width = xyb_[0].width();
    xyb_row(upper, width, row_of(xyb_, y));
    if (y + 1 < xyb_[0].height()) xyb_row(lower, width, row_of(xyb_, y + 1));
    if (next_ == nullptr) return;
    const RgbRow out = row_of(*next_, y / 2);
    halve_rows(upper.r, lower.r, width, out.r);
    halve_rows(upper.g, lower.g, width, out.g);
    halve_rows(upper.b, lower.b, width, out.b);
  }

 private:
  Planes& xyb_;
  Planes* next_;
};

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
  const std::vector<Size> sizes = scale_sizes(frame.format().width, frame.format().height);
  XybPyramid pyramid;
  Planes linear;  // of scale s; the first scale's rows come from the frame
  for (size_t s = 0; s < sizes.size(); ++s) {
    pyramid.push_back(make_planes(sizes[s].width, sizes[s].height));
    Planes next;
    const bool last = s + 1 == sizes.size();
    if (!last) next = make_planes(sizes[s + 1].width, sizes[s + 1].height);
    const ScaleWriter write(pyramid.back(), last ? nullptr : &next);
    if (s == 0) {
      for_each_linear_pair(frame, matrix, write);
    } else {
      for_each_linear_pair(linear, write);
    }
    linear = std::move(next);
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

// Two linear rows of the first scale, and the linear planes of two scales behind it.
size_t xyb_scratch_bytes(int width, int height) {
  const std::vector<Size> sizes = scale_sizes(width, height);
  size_t bytes = sizes.empty() ? 0 : planes_bytes({width, 2});
  for (size_t s = 1; s < std::min<size_t>(3, sizes.size()); ++s) bytes += planes_bytes(sizes[s]);
  return bytes;
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
