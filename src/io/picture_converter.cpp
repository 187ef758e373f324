#include "io/picture_converter.h"

#include <utility>

#include "io/pixel_formats.h"

extern "C" {
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

int scaler_flags(Scaler scaler) {
  // Without these flags the result depends on the processor.
  constexpr int kSameEverywhere = SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT;
  switch (scaler) {
    case Scaler::kBilinear: return SWS_BILINEAR | kSameEverywhere;
    case Scaler::kLanczos: return SWS_LANCZOS | kSameEverywhere;
    case Scaler::kSpline: return SWS_SPLINE | kSameEverywhere;
    case Scaler::kArea: return SWS_AREA | kSameEverywhere;
    case Scaler::kGauss: return SWS_GAUSS | kSameEverywhere;
    case Scaler::kSinc: return SWS_SINC | kSameEverywhere;
    case Scaler::kNeighbor: return SWS_POINT | kSameEverywhere;
    case Scaler::kNone:  // another chroma layout at the same size
    case Scaler::kBicubic: break;
  }
  return SWS_BICUBIC | kSameEverywhere;
}

std::string size_text(const PictureFormat& format) { return std::to_string(format.width) + "x" + std::to_string(format.height); }

std::string chroma_text(Chroma chroma) {
  const std::string digits = chroma_name(chroma);
  return digits.substr(0, 1) + ":" + digits.substr(1, 1) + ":" + digits.substr(2, 1);
}

bool same_size(const PictureFormat& a, const PictureFormat& b) { return a.width == b.width && a.height == b.height; }

void add(std::string& list, const std::string& item) { list += (list.empty() ? "" : "; ") + item; }

Status check_output(const PictureFormat& source, const OutputFormat& output, bool convert) {
  if (!same_size(source, output.format) && output.scaler == Scaler::kNone) {
    return Error{"its size " + size_text(source) + " is not the reference's " + size_text(output.format) +
                 ", and --scale none forbids scaling"};
  }
  if (source.chroma != output.format.chroma && !convert) {
    return Error{"its chroma layout " + chroma_text(source.chroma) + " is not the reference's " + chroma_text(output.format.chroma) +
                 "; --convert resamples it"};
  }
  if (source.bit_depth != output.format.bit_depth && !convert) {
    return Error{"its bit depth " + std::to_string(source.bit_depth) + " is not the reference's " +
                 std::to_string(output.format.bit_depth) + "; --convert shifts the shallower side up"};
  }
  if (source.bit_depth > output.format.bit_depth) return Error{"its bit depth cannot be lowered"};
  return {};
}

// How formats without planes of Y, Cb, Cr are brought there: RGB keeps its resolution, others the chroma layout above their own.
PictureFormat converted_layout(const AVPixFmtDescriptor& native) {
  const int depth = native.comp[0].depth;
  PictureFormat layout{.chroma = Chroma::k444, .bit_depth = depth <= 8 ? 8 : depth <= 10 ? 10 : depth <= 12 ? 12 : 16};
  if ((native.flags & AV_PIX_FMT_FLAG_RGB) == 0 && native.log2_chroma_w > 0) layout.chroma = Chroma::k422;
  return layout;
}

// BT.709 where the name says nothing: the matrix of today's video.
int matrix_of(const std::string& name) {
  const int matrix = name.empty() ? AVCOL_SPC_BT709 : av_color_space_from_name(name.c_str());
  return matrix < 0 || matrix == AVCOL_SPC_RGB || matrix == AVCOL_SPC_UNSPECIFIED ? AVCOL_SPC_BT709 : matrix;
}

}  // namespace

Result<PictureFormat> PictureConverter::source_format(AVPixelFormat native, int width, int height, bool convert) {
  const AVPixFmtDescriptor* description = av_pix_fmt_desc_get(native);
  if (description == nullptr) return Error{"its pixel format is unknown"};
  std::optional<PictureFormat> layout = planar_layout(native);
  if (!layout) {
    const std::string name = description->name;
    if (!convert)
      return Error{"its pixel format " + name + " has no planes of Y, Cb, Cr that can be scored as they are; --convert makes some"};
    if (sws_isSupportedInput(native) == 0) return Error{"its pixel format " + name + " cannot be converted"};
    layout = converted_layout(*description);
  }
  layout->width = width;
  layout->height = height;
  return *layout;
}

Result<std::unique_ptr<PictureConverter>> PictureConverter::create(AVPixelFormat native, const PictureFormat& source,
                                                                   const OutputFormat& output, bool convert) {
  if (const Status ok = check_output(source, output, convert); !ok) return ok.error();
  std::unique_ptr<PictureConverter> converter(new PictureConverter);  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  converter->output_ = output.format;
  converter->gather_first_ = planar_layout(native).has_value();
  const bool gray = source.chroma == Chroma::k400 || output.format.chroma == Chroma::k400;
  const bool resample = !same_size(source, output.format) || (source.chroma != output.format.chroma && !gray);
  if (!converter->gather_first_) {
    const bool rgb = (av_pix_fmt_desc_get(native)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
    std::string what = std::string("converted ") + av_get_pix_fmt_name(native) + " -> " + chroma_text(source.chroma);
    if (rgb)
      what += std::string(" ") + av_color_space_name(static_cast<AVColorSpace>(matrix_of(output.rgb_matrix))) +
              (output.rgb_range == "pc" ? " full range" : " limited range");
    add(converter->done_, what);
  }
  if (resample || !converter->gather_first_) {
    const AVPixelFormat from = converter->gather_first_ ? planar_pixel_format(source) : native;
    if (const Status ok = converter->open_scaler(from, source, output); !ok) return ok.error();
  }
  if (!same_size(source, output.format)) {
    add(converter->done_, "scaled " + size_text(source) + " -> " + size_text(output.format) + " " + scaler_name(output.scaler));
  }
  if (source.chroma != output.format.chroma) {
    add(converter->done_, chroma_text(source.chroma) + " -> " + chroma_text(output.format.chroma));
  }
  const int native_depth = av_pix_fmt_desc_get(native)->comp[0].depth;
  if (native_depth < output.format.bit_depth && native_depth >= 8) {
    add(converter->done_, std::to_string(native_depth) + " -> " + std::to_string(output.format.bit_depth) + " bits by shift");
  }
  return converter;
}

Status PictureConverter::open_scaler(AVPixelFormat from, const PictureFormat& source, const OutputFormat& output) {
  PictureFormat made = output.format;  // depth and luma-only are settled by the gather that follows
  made.bit_depth = source.bit_depth;
  if (source.chroma == Chroma::k400 || output.format.chroma == Chroma::k400) made.chroma = source.chroma;
  const AVPixelFormat to = planar_pixel_format(made);
  scaled_ = new_picture(to, made.width, made.height);
  if (gather_first_) planar_ = new_picture(from, source.width, source.height);
  scaler_.reset(sws_alloc_context());
  if (!scaled_ || !scaler_ || (gather_first_ && !planar_)) return Error{"out of memory for pictures of " + size_text(made)};
  const auto set = [&](const char* option, int value) { av_opt_set_int(scaler_.get(), option, value, 0); };
  set("srcw", source.width);
  set("srch", source.height);
  set("src_format", from);
  set("dstw", made.width);
  set("dsth", made.height);
  set("dst_format", to);
  set("sws_flags", scaler_flags(output.scaler));
  // FFmpeg's scale filter takes 4:2:0 chroma at its place of MPEG-2: half way between two luma rows.
  constexpr int kHalfWay = 128;
  if (from == AV_PIX_FMT_YUV420P) set("src_v_chr_pos", kHalfWay);
  if (to == AV_PIX_FMT_YUV420P) set("dst_v_chr_pos", kHalfWay);
  const bool rgb = (av_pix_fmt_desc_get(from)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  if (sws_init_context(scaler_.get(), nullptr, nullptr) < 0) {
    return Error{"libswscale cannot bring " + size_text(source) + " " + av_get_pix_fmt_name(from) + " to " + size_text(made) + " " +
                 av_get_pix_fmt_name(to)};
  }
  if (rgb) {
    constexpr int kOne = 1 << 16;  // contrast and saturation of 1
    const int* matrix = sws_getCoefficients(matrix_of(output.rgb_matrix));
    sws_setColorspaceDetails(scaler_.get(), matrix, 1, matrix, output.rgb_range == "pc" ? 1 : 0, 0, kOne, kOne);
  }
  return {};
}

Result<std::shared_ptr<Frame>> PictureConverter::convert(const AVFrame& picture, FramePool& pool) {
  const Error too_big{"a sample is greater than its bit depth allows"};
  const AVFrame* current = &picture;
  if (scaler_) {
    if (gather_first_) {
      PictureFormat layout = *planar_layout(static_cast<AVPixelFormat>(planar_->format));
      layout.width = picture.width;
      layout.height = picture.height;
      if (!gather(picture, layout, plane_targets(*planar_))) return too_big;
      current = planar_.get();
    }
    const int rows = sws_scale(scaler_.get(), current->data, current->linesize, 0, current->height, scaled_->data, scaled_->linesize);
    if (rows != scaled_->height) return Error{"libswscale could not scale the picture"};
    current = scaled_.get();
  }
  std::shared_ptr<Frame> frame = pool.acquire(output_);
  if (!gather(*current, output_, plane_targets(*frame))) return too_big;
  return frame;
}

}  // namespace vmafbatch::io
