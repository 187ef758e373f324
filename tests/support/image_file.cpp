#include "support/image_file.h"

#include <algorithm>
#include <stdexcept>

#include "io/av_handles.h"
#include "io/av_log.h"

namespace vmafbatch::testing {

io::RgbPicture decode_image(const std::string& bytes, io::ImageFormat format) {
  io::install_av_log();
  const AVCodec* decoder = avcodec_find_decoder(format == io::ImageFormat::kPng ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG);
  const io::CodecContextPtr context(avcodec_alloc_context3(decoder));
  const io::PacketPtr packet(av_packet_alloc());
  const io::FramePtr frame(av_frame_alloc());
  if (av_new_packet(packet.get(), static_cast<int>(bytes.size())) < 0) throw std::runtime_error("out of memory");
  std::ranges::copy(bytes, packet->data);
  if (avcodec_open2(context.get(), decoder, nullptr) < 0 || avcodec_send_packet(context.get(), packet.get()) < 0 ||
      avcodec_send_packet(context.get(), nullptr) < 0 || avcodec_receive_frame(context.get(), frame.get()) < 0) {
    throw std::runtime_error("no image");
  }
  const io::FramePtr rgb = io::new_picture(AV_PIX_FMT_RGB24, frame->width, frame->height);
  const io::SwsContextPtr scaler(sws_getContext(frame->width, frame->height, static_cast<AVPixelFormat>(frame->format), frame->width,
                                                frame->height, AV_PIX_FMT_RGB24, SWS_BICUBIC | SWS_ACCURATE_RND, nullptr, nullptr,
                                                nullptr));
  if (!scaler) throw std::runtime_error("no scaler");
  sws_scale(scaler.get(), frame->data, frame->linesize, 0, frame->height, rgb->data, rgb->linesize);
  io::RgbPicture picture(frame->width, frame->height);
  for (int y = 0; y < picture.height; ++y) {
    std::copy_n(rgb->data[0] + static_cast<ptrdiff_t>(y) * rgb->linesize[0], 3 * picture.width, picture.pixel(0, y));
  }
  return picture;
}

}  // namespace vmafbatch::testing
