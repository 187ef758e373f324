// Owners for the objects of libav. Private to this room.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/error.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

namespace vmafbatch::io {

struct AvDeleter {
  void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
};
using FormatContextPtr = std::unique_ptr<AVFormatContext, AvDeleter>;
using CodecContextPtr = std::unique_ptr<AVCodecContext, AvDeleter>;
using FramePtr = std::unique_ptr<AVFrame, AvDeleter>;
using PacketPtr = std::unique_ptr<AVPacket, AvDeleter>;
using SwsContextPtr = std::unique_ptr<SwsContext, AvDeleter>;

// A picture with memory of its own; null where there is none left.
inline FramePtr new_picture(AVPixelFormat format, int width, int height) {
  FramePtr picture(av_frame_alloc());
  if (!picture) return nullptr;
  picture->format = format;
  picture->width = width;
  picture->height = height;
  if (av_frame_get_buffer(picture.get(), 0) < 0) return nullptr;
  return picture;
}

// Demuxers and decoders answer bad data with -1, EINVAL, EBUSY and other numbers of the system, of which none is about the system: what our
// reads met is known to FileInput.
inline std::string av_error_text(int code) {
  constexpr int kMostErrno = 4095;  // as the system call interface has them; libav's own are larger
  if (code < 0 && code >= -kMostErrno && code != AVERROR(ENOMEM)) code = AVERROR_INVALIDDATA;
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(code, text, sizeof text);
  return text;
}

}  // namespace vmafbatch::io
