#include "io/stream_decoder.h"

#include <utility>

#include "io/random_access.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

// A decoder that runs on the CPU; libavcodec lists the ones of its choice first.
const AVCodec* software_decoder(AVCodecID id) {
  void* position = nullptr;
  while (const AVCodec* codec = av_codec_iterate(&position)) {
    constexpr int kUnwanted = AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_EXPERIMENTAL;
    if (codec->id == id && av_codec_is_decoder(codec) != 0 && (codec->capabilities & kUnwanted) == 0) return codec;
  }
  return nullptr;
}

// The first offer that lies in main memory.
AVPixelFormat software_format(AVCodecContext* /*codec*/, const AVPixelFormat* offers) {
  for (; *offers != AV_PIX_FMT_NONE; ++offers) {
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(*offers);
    if (format != nullptr && (format->flags & AV_PIX_FMT_FLAG_HWACCEL) == 0) return *offers;
  }
  return AV_PIX_FMT_NONE;
}

std::string picture_text(int width, int height, int format) {
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(format));
  return std::to_string(width) + "x" + std::to_string(height) + " " + (name != nullptr ? name : "unknown");
}

}  // namespace

Result<std::unique_ptr<StreamDecoder>> StreamDecoder::open(const std::string& path, const std::optional<RawGeometry>& raw, int threads,
                                                           const ReadLimits& limits) {
  std::unique_ptr<StreamDecoder> decoder(new StreamDecoder);  // NOLINT(cppcoreguidelines-owning-memory): private constructor
  auto demuxer = Demuxer::open(path, raw, limits, *decoder->demuxer_log_);
  if (!demuxer) return demuxer.error();
  decoder->demuxer_ = std::move(*demuxer);
  decoder->packet_.reset(av_packet_alloc());
  if (!decoder->packet_) return Error{path + ": out of memory"};
  if (const Status ok = decoder->open_codec(threads); !ok) return Error{path + ": " + ok.error().message};
  return decoder;
}

Status StreamDecoder::open_codec(int threads) {
  const AVCodecParameters& parameters = *demuxer_->stream().codecpar;
  const AVCodec* codec = software_decoder(parameters.codec_id);
  if (codec == nullptr) return Error{std::string("libavcodec has no software decoder for ") + avcodec_get_name(parameters.codec_id)};
  codec_.reset(avcodec_alloc_context3(codec));
  if (!codec_ || avcodec_parameters_to_context(codec_.get(), &parameters) < 0) return Error{"out of memory"};
  codec_->opaque = log_.get();
  codec_->pkt_timebase = demuxer_->stream().time_base;
  codec_->thread_count = threads;
  codec_->get_format = software_format;
  // Unaligned: crop exactly as the stream says, not to a multiple of a vector's width. Bit-exact: the plain inverse transforms.
  codec_->flags |= AV_CODEC_FLAG_UNALIGNED | AV_CODEC_FLAG_BITEXACT;
  // Check sums are compared where the codec has them; "explode" stays off, it drops pictures and so shifts the pairing.
  codec_->err_recognition = AV_EF_CRCCHECK;
  const AVCodecDescriptor* properties = avcodec_descriptor_get(parameters.codec_id);
  reorders_ = properties == nullptr || (properties->props & AV_CODEC_PROP_REORDER) != 0;
  conceals_silently_ = parameters.codec_id == AV_CODEC_ID_FFV1;
  if (conceals_silently_) codec_->thread_type = FF_THREAD_SLICE;  // one picture at a time: a message belongs to the picture that follows
  const int code = avcodec_open2(codec_.get(), codec, nullptr);
  if (code < 0)
    return Error{with_log_text(std::string("the decoder ") + codec->name + " refuses the stream: " + av_error_text(code), *log_)};
  return {};
}

StreamDecoder::Outcome StreamDecoder::next(AVFrame& frame) {
  if (stopped_) return *stopped_;
  while (true) {
    const int code = avcodec_receive_frame(codec_.get(), &frame);
    if (code == 0) return accept(frame);
    if (code == AVERROR_EOF) return cut_text_ ? stop(Outcome::kDamage, *cut_text_) : stop(Outcome::kEnd, {});
    if (code != AVERROR(EAGAIN)) return stop(Outcome::kDamage, with_log_text("decoding failed: " + av_error_text(code), *log_));
    if (const Outcome outcome = feed(); outcome != Outcome::kFrame) return outcome;
  }
}

StreamDecoder::Outcome StreamDecoder::feed() {
  const Demuxer::Outcome read = awaits_key_ ? read_key_packet() : demuxer_->read(*packet_);
  if (read == Demuxer::Outcome::kDamage) cut_text_ = demuxer_->damage_text();
  const int code = avcodec_send_packet(codec_.get(), read == Demuxer::Outcome::kPacket ? packet_.get() : nullptr);
  av_packet_unref(packet_.get());
  if (code < 0) return stop(Outcome::kDamage, with_log_text("decoding failed: " + av_error_text(code), *log_));
  return Outcome::kFrame;
}

bool StreamDecoder::seek(std::int64_t timestamp) {
  if (stopped_ || cut_text_ || !has_random_access(*demuxer_->stream().codecpar) || !demuxer_->seek(timestamp)) return false;
  avcodec_flush_buffers(codec_.get());
  log_->take();
  awaits_key_ = true;
  return true;
}

Demuxer::Outcome StreamDecoder::read_key_packet() {
  while (true) {
    const Demuxer::Outcome read = demuxer_->read(*packet_);
    if (read != Demuxer::Outcome::kPacket) return read;
    if (!is_random_access_point(*packet_, *demuxer_->stream().codecpar)) continue;
    awaits_key_ = false;
    key_dts_ = packet_->dts;
    return read;
  }
}

StreamDecoder::Outcome StreamDecoder::accept(AVFrame& frame) {
  // After a cut the decoder gives up what it holds. A picture may then lack one that belongs before it, unless it is presented
  // before everything that can be missing.
  const std::int64_t last_dts = demuxer_->last_dts();
  const bool certain = frame.pts != AV_NOPTS_VALUE && last_dts != AV_NOPTS_VALUE && frame.pts <= last_dts;
  if (cut_text_ && reorders_ && !certain) return stop(Outcome::kDamage, *cut_text_);
  if (frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0) {
    return stop(Outcome::kDamage, with_log_text("the decoder had to conceal damage", *log_));
  }
  if (const std::string said = conceals_silently_ ? log_->take() : std::string(); !said.empty()) {
    return stop(Outcome::kDamage, "the decoder had to conceal damage (libav says: " + said + ")");
  }
  if (pixel_format_ < 0) {
    width_ = frame.width;
    height_ = frame.height;
    pixel_format_ = frame.format;
  } else if (frame.width != width_ || frame.height != height_ || frame.format != pixel_format_) {
    return stop(Outcome::kDamage, "the pictures change from " + picture_text(width_, height_, pixel_format_) + " to " +
                                      picture_text(frame.width, frame.height, frame.format) + " inside the stream");
  }
  return Outcome::kFrame;
}

StreamDecoder::Outcome StreamDecoder::stop(Outcome outcome, std::string text) {
  stopped_ = outcome;
  damage_text_ = std::move(text);
  if (const auto changed = demuxer_->input().changed()) {  // the reason for whatever else was found
    stopped_ = Outcome::kDamage;
    damage_text_ = *changed;
  }
  if (stopped_ == Outcome::kEnd) content_hash_ = demuxer_->input().content_hash();
  return *stopped_;
}

}  // namespace vmafbatch::io
