// One picture as ssimulacra2 compares it: X, Y and B planes on up to six scales.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "extractors/float_plane.h"
#include "extractors/ssimulacra2_math.h"

namespace vmafbatch::extractors::ssimulacra2 {

// Three planes of one size: linear R, G, B, or X, Y, B.
using Planes = std::array<FloatPlane, kChannels>;

// Element s is scale s; only the scales that are evaluated, none for a picture with a side below kSmallestSide.
using XybPyramid = std::vector<Planes>;

// matrix: the option yuv_matrix. REQUIRES: three planes
XybPyramid xyb_pyramid(const io::Frame& frame, int matrix);
// The same, computed once per frame and matrix; lives as long as the frame.
const XybPyramid& shared_xyb_pyramid(const io::Frame& frame, int matrix);

struct Size {
  int width, height;
};
// The sizes of the evaluated scales.
std::vector<Size> scale_sizes(int width, int height);

// Memory of the pyramid, and of what xyb_pyramid holds beside it.
size_t xyb_pyramid_bytes(int width, int height);
size_t xyb_scratch_bytes(int width, int height);

// The row loops. Each has a fast form, which --simd scalar turns off, and its plain twin (slow_...): same bits. Output rows are rows
// of a FloatPlane, float inputs too.

struct RgbRow {
  float *r, *g, *b;
};
struct ConstRgbRow {
  const float *r, *g, *b;
};

// `width` samples to linear RGB. shift: 1 where a chroma sample covers two columns, else 0
void linear_row(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out);
void linear_row(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift, const Conversion& conversion,
                const RgbRow& out);
void slow_linear_row(const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v, int width, int shift,
                     const Conversion& conversion, const RgbRow& out);
void slow_linear_row(const std::uint16_t* y, const std::uint16_t* u, const std::uint16_t* v, int width, int shift,
                     const Conversion& conversion, const RgbRow& out);

// Linear RGB to X, Y, B (in r, g, b of `out`).
void xyb_row(const ConstRgbRow& in, int width, const RgbRow& out);
void slow_xyb_row(const ConstRgbRow& in, int width, const RgbRow& out);

// Two rows of `width` samples to one of (width + 1) / 2; behind an odd width the last column repeats.
void halve_rows(const float* upper, const float* lower, int width, float* out);
void slow_halve_rows(const float* upper, const float* lower, int width, float* out);

}  // namespace vmafbatch::extractors::ssimulacra2
