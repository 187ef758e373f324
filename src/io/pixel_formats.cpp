#include "io/pixel_formats.h"

#include <algorithm>
#include <bit>
#include <cstring>

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the gathers below read little-endian words as they are");

int scored_depth(int depth) { return depth <= 8 ? 8 : depth <= 10 ? 10 : depth <= 12 ? 12 : 16; }

// How the samples of one component lie in one plane of the source.
struct Component {
  const std::uint8_t* data;
  ptrdiff_t row_bytes;
  int step;   // bytes from one sample to the next
  int shift;  // of the value in its word
  int depth;
  bool words;  // 16-bit containers
  bool swap;   // big endian
  int widen;   // shift up after the mask
};

Component component_of(const AVFrame& source, int index, int target_depth) {
  const AVPixFmtDescriptor& format = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(source.format));
  const AVComponentDescriptor& c = format.comp[index];
  return {.data = source.data[c.plane] + c.offset,
          .row_bytes = source.linesize[c.plane],
          .step = c.step,
          .shift = c.shift,
          .depth = c.depth,
          .words = c.depth + c.shift > 8,
          .swap = (format.flags & AV_PIX_FMT_FLAG_BE) != 0,
          .widen = target_depth - c.depth};
}

unsigned load_word(const std::uint8_t* p, bool swap) {
  std::uint16_t word = 0;
  std::memcpy(&word, p, sizeof word);
  return swap ? static_cast<std::uint16_t>(word >> 8 | word << 8) : word;
}

// One row through the description. Returns the OR of all values before the mask.
template <class Out>
unsigned gather_row(const Component& c, const std::uint8_t* in, Out* out, int width) {
  const unsigned mask = (1U << c.depth) - 1;
  unsigned seen = 0;
  for (int x = 0; x < width; ++x, in += c.step) {
    const unsigned value = (c.words ? load_word(in, c.swap) : *in) >> c.shift;
    seen |= value;
    out[x] = static_cast<Out>((value & mask) << c.widen);
  }
  return seen;
}

// The OR of a row of 16-bit samples, four at a time.
unsigned or_of_words(const std::uint8_t* row, int width) {
  std::uint64_t seen = 0;
  int x = 0;
  for (; x + 4 <= width; x += 4) {
    std::uint64_t four = 0;
    std::memcpy(&four, row + 2 * x, sizeof four);
    seen |= four;
  }
  for (; x < width; ++x) seen |= load_word(row + 2 * x, false);
  seen |= seen >> 32;
  return static_cast<unsigned>((seen | seen >> 16) & 0xFFFF);
}

bool is_plain_copy(const Component& c) { return c.shift == 0 && c.widen == 0 && !c.swap && c.step == (c.words ? 2 : 1); }

// A plane of samples that lie side by side as they are scored.
unsigned copy_plane(const Component& c, const io::Plane<std::uint8_t>& out_bytes, int width) {
  unsigned seen = 0;
  const size_t bytes = static_cast<size_t>(width) * (c.words ? 2 : 1);
  for (int y = 0; y < out_bytes.height; ++y) {
    const std::uint8_t* in = c.data + y * c.row_bytes;
    std::memcpy(out_bytes.row(y), in, bytes);
    if (c.words && c.depth < 16) seen |= or_of_words(out_bytes.row(y), width);
  }
  return seen;
}

void fill_middle(const PictureFormat& layout, const Plane<std::uint8_t>& out, int width) {
  for (int y = 0; y < out.height; ++y) {
    if (layout.bytes_per_sample() == 1) {
      std::memset(out.row(y), 1 << (layout.bit_depth - 1), static_cast<size_t>(width));
    } else {
      auto* row = reinterpret_cast<std::uint16_t*>(out.row(y));
      std::fill_n(row, width, static_cast<std::uint16_t>(1 << (layout.bit_depth - 1)));
    }
  }
}

unsigned walk_plane(const Component& c, const PictureFormat& layout, const Plane<std::uint8_t>& out, int width) {
  unsigned seen = 0;
  for (int y = 0; y < out.height; ++y) {
    const std::uint8_t* in = c.data + y * c.row_bytes;
    seen |= layout.bytes_per_sample() == 1 ? gather_row(c, in, out.row(y), width)
                                           : gather_row(c, in, reinterpret_cast<std::uint16_t*>(out.row(y)), width);
  }
  return seen;
}

bool gather_planes(const AVFrame& source, const PictureFormat& layout, const PlaneTargets& targets, bool allow_copy) {
  const int components = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(source.format))->nb_components;
  bool in_range = true;
  for (int plane = 0; plane < layout.plane_count(); ++plane) {
    const auto i = static_cast<size_t>(plane);
    const int width = layout.plane_width(plane);
    const Plane<std::uint8_t> out{targets.data[i], targets.stride_bytes[i], width, layout.plane_height(plane)};
    if (plane > 0 && components < 3) {
      fill_middle(layout, out, width);
      continue;
    }
    const Component c = component_of(source, plane, layout.bit_depth);
    const unsigned seen = allow_copy && is_plain_copy(c) ? copy_plane(c, out, width) : walk_plane(c, layout, out, width);
    in_range = in_range && seen >> c.depth == 0;
  }
  return in_range;
}

}  // namespace

std::optional<PictureFormat> planar_layout(AVPixelFormat format) {
  const AVPixFmtDescriptor* d = av_pix_fmt_desc_get(format);
  constexpr std::uint64_t kUnwanted = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL |
                                      AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
  if (d == nullptr || (d->flags & kUnwanted) != 0 || d->comp[0].depth < 8 || d->comp[0].depth > 16) return std::nullopt;
  if (format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE) return std::nullopt;  // three planes, but no Y, Cb, Cr
  PictureFormat layout{.width = 0, .height = 0, .chroma = Chroma::k400, .bit_depth = scored_depth(d->comp[0].depth)};
  if (d->nb_components < 3) return layout;
  if (d->log2_chroma_w == 0 && d->log2_chroma_h == 0) {
    layout.chroma = Chroma::k444;
  } else if (d->log2_chroma_w == 1 && d->log2_chroma_h <= 1) {
    layout.chroma = d->log2_chroma_h == 0 ? Chroma::k422 : Chroma::k420;
  } else {
    return std::nullopt;
  }
  return layout;
}

AVPixelFormat planar_pixel_format(const PictureFormat& format) {
  std::string name = format.chroma == Chroma::k400 ? "gray" : std::string("yuv") + chroma_name(format.chroma) + "p";
  if (format.bit_depth > 8) name += std::to_string(format.bit_depth) + "le";
  return av_get_pix_fmt(name.c_str());
}

PlaneTargets plane_targets(Frame& frame) {
  PlaneTargets targets;
  for (int plane = 0; plane < frame.format().plane_count(); ++plane) {
    const auto i = static_cast<size_t>(plane);
    with_sample_type(frame.format(), [&](auto sample) {
      const auto view = frame.writable_plane<decltype(sample)>(plane);
      targets.data[i] = reinterpret_cast<std::uint8_t*>(view.data);
      targets.stride_bytes[i] = view.stride * static_cast<ptrdiff_t>(sizeof sample);
    });
  }
  return targets;
}

PlaneTargets plane_targets(AVFrame& frame) {
  PlaneTargets targets;
  for (size_t i = 0; i < 3; ++i) {
    targets.data[i] = frame.data[i];
    targets.stride_bytes[i] = frame.linesize[i];
  }
  return targets;
}

bool gather(const AVFrame& source, const PictureFormat& layout, const PlaneTargets& out) {
  return gather_planes(source, layout, out, true);
}

bool slow_gather(const AVFrame& source, const PictureFormat& layout, const PlaneTargets& out) {
  return gather_planes(source, layout, out, false);
}

}  // namespace vmafbatch::io
