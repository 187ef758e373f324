#include "io/picture_writer.h"

#include <algorithm>
#include <cstring>

#include "base/content_hash.h"
#include "io/av_handles.h"
#include "io/av_log.h"

extern "C" {
#include <libavutil/opt.h>
}

namespace vmafbatch::io {
namespace {

// The quantiser scale of JPEGs, 1 (best) to 31: text and sharp edges stay clean.
constexpr int kJpegScale = 3;

FramePtr rgb_frame(const RgbPicture& picture) {
  FramePtr frame = new_picture(AV_PIX_FMT_RGB24, picture.width, picture.height);
  if (!frame) return nullptr;
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(frame->data[0] + static_cast<ptrdiff_t>(y) * frame->linesize[0], picture.pixel(0, y),
                3 * static_cast<size_t>(picture.width));
  }
  return frame;
}

// What a JPEG holds: Y, Cb, Cr of BT.601 in full range, chroma at full resolution.
FramePtr jpeg_frame(const AVFrame& rgb) {
  FramePtr frame = new_picture(AV_PIX_FMT_YUVJ444P, rgb.width, rgb.height);
  const SwsContextPtr scaler(sws_getContext(rgb.width, rgb.height, AV_PIX_FMT_RGB24, rgb.width, rgb.height, AV_PIX_FMT_YUVJ444P,
                                            SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr));
  if (!frame || !scaler) return nullptr;
  if (sws_scale(scaler.get(), rgb.data, rgb.linesize, 0, rgb.height, frame->data, frame->linesize) != rgb.height) return nullptr;
  frame->quality = FF_QP2LAMBDA * kJpegScale;
  return frame;
}

Result<CodecContextPtr> open_encoder(const AVFrame& frame, ImageFormat format, AvLogSink& log) {
  const AVCodec* encoder = avcodec_find_encoder(format == ImageFormat::kPng ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG);
  const std::string name = image_extension(format);
  if (encoder == nullptr) return Error{"libavcodec has no encoder for " + name + "; use the other format"};
  CodecContextPtr context(avcodec_alloc_context3(encoder));
  if (!context) return Error{"out of memory for a " + name};
  context->opaque = &log;
  context->width = frame.width;
  context->height = frame.height;
  context->pix_fmt = static_cast<AVPixelFormat>(frame.format);
  context->time_base = {1, 1};
  context->thread_count = 1;
  context->flags |= AV_CODEC_FLAG_BITEXACT;
  if (format == ImageFormat::kPng) {
    // Video with a little noise, 3840 wide: a fifth smaller than without prediction; level 3 takes 0.4 of level 6's time for 5 % more
    // bytes.
    av_opt_set(context->priv_data, "pred", "paeth", 0);
    context->compression_level = 3;
  } else {
    context->flags |= AV_CODEC_FLAG_QSCALE;
    context->global_quality = frame.quality;
  }
  if (avcodec_open2(context.get(), encoder, nullptr) < 0) return Error{with_log_text("libavcodec cannot encode a " + name, log)};
  return context;
}

}  // namespace

const char* image_extension(ImageFormat format) { return format == ImageFormat::kPng ? "png" : "jpeg"; }

const char* media_type(ImageFormat format) { return format == ImageFormat::kPng ? "image/png" : "image/jpeg"; }

Result<std::string> encode_picture(const RgbPicture& picture, ImageFormat format) {
  install_av_log();
  AvLogSink log;
  FramePtr frame = rgb_frame(picture);
  if (frame && format == ImageFormat::kJpeg) frame = jpeg_frame(*frame);
  if (!frame) return Error{"out of memory for a picture of " + std::to_string(picture.width) + "x" + std::to_string(picture.height)};
  frame->pts = 0;
  auto encoder = open_encoder(*frame, format, log);
  if (!encoder.ok()) return encoder.error();
  const PacketPtr packet(av_packet_alloc());
  if (!packet) return Error{"out of memory for a picture"};
  int code = avcodec_send_frame(encoder->get(), frame.get());
  if (code >= 0) code = avcodec_send_frame(encoder->get(), nullptr);
  if (code >= 0) code = avcodec_receive_packet(encoder->get(), packet.get());
  if (code < 0) return Error{with_log_text("libavcodec cannot encode the picture: " + av_error_text(code), log)};
  return std::string(reinterpret_cast<const char*>(packet->data), static_cast<size_t>(packet->size));
}

std::string safe_file_name(std::string_view text) {
  constexpr size_t kLongest = 100;  // and the hash
  constexpr size_t kHashDigits = 16;
  const auto is_safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  std::string name(text.substr(0, kLongest));
  std::ranges::replace_if(
      name, [&](char c) { return !is_safe(c); }, '_');
  if (name.starts_with('.') || name.starts_with('-')) name.front() = '_';  // hidden files, "..", options
  if (!name.empty() && name == text) return name;
  ContentHash hash;
  hash.update(text);
  const std::string digits = hash.text();
  return name + "-" + digits.substr(digits.find(':') + 1, kHashDigits);
}

}  // namespace vmafbatch::io
