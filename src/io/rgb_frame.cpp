#include "io/rgb_frame.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "io/av_handles.h"
#include "io/pixel_formats.h"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

constexpr int kHdLines = 720;  // from here on untagged video is taken for BT.709, as players do

// The matrices that libswscale has coefficients for.
constexpr std::array<std::string_view, 7> kMatrices = {"bt709", "fcc", "bt470bg", "smpte170m", "smpte240m", "bt2020nc", "bt2020c"};

// The same samples in libav's memory, whose rows have the room behind them that libswscale reads; gray gets chroma without colour.
FramePtr copied(const Frame& frame) {
  PictureFormat layout = frame.format();
  if (layout.chroma == Chroma::k400) layout.chroma = Chroma::k420;
  FramePtr copy = new_picture(planar_pixel_format(layout), layout.width, layout.height);
  if (!copy) return nullptr;
  with_sample_type(layout, [&](auto sample) {
    using Sample = decltype(sample);
    for (int plane = 0; plane < layout.plane_count(); ++plane) {
      const auto width = static_cast<size_t>(layout.plane_width(plane));
      for (int y = 0; y < layout.plane_height(plane); ++y) {
        auto* const out = reinterpret_cast<Sample*>(copy->data[plane] + static_cast<ptrdiff_t>(y) * copy->linesize[plane]);
        if (plane < frame.format().plane_count()) {
          std::copy_n(frame.plane<Sample>(plane).row(y), width, out);
        } else {
          std::fill_n(out, width, static_cast<Sample>(1 << (layout.bit_depth - 1)));
        }
      }
    }
  });
  return copy;
}

SwsContextPtr open_scaler(const AVFrame& from, const AVFrame& to, const DisplayColour& colour) {
  SwsContextPtr scaler(sws_alloc_context());
  if (!scaler) return nullptr;
  const auto set = [&](const char* option, int value) { av_opt_set_int(scaler.get(), option, value, 0); };
  set("srcw", from.width);
  set("srch", from.height);
  set("src_format", from.format);
  set("dstw", to.width);
  set("dsth", to.height);
  set("dst_format", to.format);
  // The last three: the same picture on every processor.
  set("sws_flags", (from.width == to.width && from.height == to.height ? SWS_BICUBIC : SWS_AREA) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT |
                       SWS_FULL_CHR_H_INP | SWS_BITEXACT);
  if (sws_init_context(scaler.get(), nullptr, nullptr) < 0) return nullptr;
  constexpr int kOne = 1 << 16;  // contrast and saturation of 1
  const int* matrix = sws_getCoefficients(av_color_space_from_name(colour.matrix.c_str()));
  sws_setColorspaceDetails(scaler.get(), matrix, colour.full_range ? 1 : 0, matrix, 1, 0, kOne, kOne);
  return scaler;
}

const std::string& first_known(const std::string& own, const std::string& other) { return own.empty() ? other : own; }

// What the conversion from RGB made, in tags.
ColourTags tags_of(const StreamInfo& info, const ColourTags& asked_for) {
  if (!info.rgb) return info.colour;
  ColourTags tags = info.colour;
  tags.matrix = asked_for.matrix.empty() ? "bt709" : asked_for.matrix;
  tags.range = asked_for.range.empty() ? "tv" : asked_for.range;
  return tags;
}

}  // namespace

DisplayColour display_colour(const ColourTags& own, const ColourTags& other, const PictureFormat& format) {
  DisplayColour colour;
  const std::string& matrix = first_known(own.matrix, other.matrix);
  const std::string& range = first_known(own.range, other.range);
  const bool known = std::ranges::find(kMatrices, matrix) != kMatrices.end();
  colour.matrix = known ? matrix : format.height >= kHdLines ? "bt709" : "smpte170m";
  colour.full_range = range == "pc";
  colour.text = colour.matrix + (colour.full_range ? " full" : " limited");
  if (!known && !matrix.empty()) {
    colour.text += " instead of " + matrix;
  } else if (own.matrix.empty() || own.range.empty()) {
    colour.text += " (assumed)";
  }
  if (own.transfer == "smpte2084") colour.text += ", PQ shown as stored";
  if (own.transfer == "arib-std-b67") colour.text += ", HLG shown as stored";
  return colour;
}

PairColours display_colours(const StreamInfo& reference, const StreamInfo& distorted) {
  const ColourTags r = tags_of(reference, {});
  const ColourTags d = tags_of(distorted, reference.rgb ? ColourTags{} : reference.colour);
  return {display_colour(r, d, reference.format), display_colour(d, r, distorted.format)};
}

Result<RgbPicture> rgb_picture(const Frame& frame, const DisplayColour& colour, int width, int height) {
  const FramePtr from = copied(frame);
  const FramePtr to = new_picture(AV_PIX_FMT_RGB24, width, height);
  const SwsContextPtr scaler = from && to ? open_scaler(*from, *to, colour) : nullptr;
  if (!scaler || sws_scale(scaler.get(), from->data, from->linesize, 0, from->height, to->data, to->linesize) != height) {
    return Error{"libswscale cannot show a picture of " + frame.format().text() + " as " + std::to_string(width) + "x" +
                 std::to_string(height)};
  }
  RgbPicture picture(width, height);
  for (int y = 0; y < height; ++y) {
    std::memcpy(picture.pixel(0, y), to->data[0] + static_cast<ptrdiff_t>(y) * to->linesize[0], 3 * static_cast<size_t>(width));
  }
  return picture;
}

}  // namespace vmafbatch::io
