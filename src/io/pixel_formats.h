// From libav's pixel formats to planar Y, Cb, Cr with native samples: a gather, a shift and a mask, never a conversion.
// Private to this room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "io/av_handles.h"
#include "io/frame.h"
#include "io/picture_format.h"

namespace vmafbatch::io {

// The layout and depth that `format` is gathered into: 9 bits become 10, 11 become 12, 13 to 15 become 16 (an exact shift); alpha is
// dropped. Nothing for formats without such a layout (RGB, 4:1:1, 4:4:0, palettes, floats, bit streams). Width and height are 0.
std::optional<PictureFormat> planar_layout(AVPixelFormat format);

// libav's planar format, in this machine's byte order, of a layout.
AVPixelFormat planar_pixel_format(const PictureFormat& format);

// Where to put the planes of a picture.
struct PlaneTargets {
  std::array<std::uint8_t*, 3> data{};
  std::array<ptrdiff_t, 3> stride_bytes{};
};
PlaneTargets plane_targets(Frame& frame);
PlaneTargets plane_targets(AVFrame& frame);

// Copies the samples of `source` into planes of `layout` (its chroma; depth at least that of planar_layout(source)), shifted up to
// its depth. False where a sample is above 2^depth - 1 of the source: the file does not hold what it says. Chroma planes that the
// source (gray) lacks are filled with the middle value; those that `layout` lacks are dropped.
// REQUIRES: planar_layout(source.format), and the source's chroma is the layout's or one of the two is 4:0:0.
[[nodiscard]] bool gather(const AVFrame& source, const PictureFormat& layout, const PlaneTargets& out);

// As gather(), one sample at a time through the format's description: the plain twin.
[[nodiscard]] bool slow_gather(const AVFrame& source, const PictureFormat& layout, const PlaneTargets& out);

}  // namespace vmafbatch::io
