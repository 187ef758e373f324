#include "io/video_reader.h"

#include <cmath>
#include <utility>

#include "io/picture_converter.h"
#include "io/presentation_time.h"
#include "io/stream_decoder.h"

extern "C" {
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

std::string text_or_empty(const char* text) { return text != nullptr ? text : ""; }

// Tags of the first picture; where the decoder says nothing, the container's.
ColourTags colour_tags(const AVFrame& picture, const AVCodecParameters& stream) {
  const auto range = picture.color_range != AVCOL_RANGE_UNSPECIFIED ? picture.color_range : stream.color_range;
  const auto matrix = picture.colorspace != AVCOL_SPC_UNSPECIFIED ? picture.colorspace : stream.color_space;
  const auto primaries = picture.color_primaries != AVCOL_PRI_UNSPECIFIED ? picture.color_primaries : stream.color_primaries;
  const auto transfer = picture.color_trc != AVCOL_TRC_UNSPECIFIED ? picture.color_trc : stream.color_trc;
  ColourTags tags;
  if (range != AVCOL_RANGE_UNSPECIFIED) tags.range = text_or_empty(av_color_range_name(range));
  if (matrix != AVCOL_SPC_UNSPECIFIED) tags.matrix = text_or_empty(av_color_space_name(matrix));
  if (primaries != AVCOL_PRI_UNSPECIFIED) tags.primaries = text_or_empty(av_color_primaries_name(primaries));
  if (transfer != AVCOL_TRC_UNSPECIFIED) tags.transfer = text_or_empty(av_color_transfer_name(transfer));
  return tags;
}

double rotation_of(const AVStream& stream) {
  const auto* matrix = reinterpret_cast<const int32_t*>(av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, nullptr));
  if (matrix == nullptr) return 0;
  const double clockwise = -av_display_rotation_get(matrix);
  return clockwise == clockwise ? clockwise + 0.0 : 0;  // NaN: the matrix is singular; + 0.0: no negative zero
}

StreamInfo describe(const StreamDecoder& decoder, const AVFrame& picture, const PictureFormat& source) {
  const Demuxer& demuxer = decoder.demuxer();
  const AVStream& stream = demuxer.stream();
  const auto native = static_cast<AVPixelFormat>(picture.format);
  StreamInfo info;
  info.format = info.source = source;
  info.native_format = text_or_empty(av_get_pix_fmt_name(native));
  info.rgb = (av_pix_fmt_desc_get(native)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  info.native_bit_depth = av_pix_fmt_desc_get(native)->comp[0].depth;
  info.codec = avcodec_get_name(stream.codecpar->codec_id);
  info.container = demuxer.format().iformat->name;
  info.file = demuxer.input().identity();
  info.colour = colour_tags(picture, *stream.codecpar);
  info.rotation_degrees = rotation_of(stream);
  const AVRational rate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : stream.r_frame_rate;
  if (rate.num > 0 && rate.den > 0) {
    info.fps_numerator = rate.num;
    info.fps_denominator = rate.den;
  }
  info.declared_frames = demuxer.declared_frames();
  if (stream.duration > 0) {
    info.duration_s = static_cast<double>(stream.duration) * av_q2d(stream.time_base);
  } else if (demuxer.format().duration > 0) {
    info.duration_s = static_cast<double>(demuxer.format().duration) / AV_TIME_BASE;
  }
  return info;
}

class FileVideoReader final : public VideoReader {
 public:
  FileVideoReader(std::string path, bool convert, std::unique_ptr<StreamDecoder> decoder, FramePtr picture)
      : path_(std::move(path)), convert_(convert), decoder_(std::move(decoder)), picture_(std::move(picture)) {}

  // Decodes the first picture: what the stream is, is known from it alone.
  Status start() {
    peek();
    if (outcome_ == StreamDecoder::Outcome::kEnd) return Error{path_ + ": holds no picture"};
    if (outcome_ == StreamDecoder::Outcome::kDamage) return Error{damage_sentence(decoder_->damage_text())};
    const auto native = static_cast<AVPixelFormat>(picture_->format);
    const auto source = PictureConverter::source_format(native, picture_->width, picture_->height, convert_);
    if (!source) return Error{path_ + ": " + source.error().message};
    info_ = describe(*decoder_, *picture_, *source);
    first_timestamp_ = picture_->best_effort_timestamp;
    return set_output({.format = *source, .scaler = Scaler::kNone});
  }

  const StreamInfo& info() const override { return info_; }
  const std::string& done_to_pictures() const override { return converter_->done(); }

  Status set_output(const OutputFormat& output) override {
    const AVPixelFormat native = av_get_pix_fmt(info_.native_format.c_str());
    auto converter = PictureConverter::create(native, info_.source, output, convert_);
    if (!converter) return Error{path_ + ": " + converter.error().message};
    converter_ = std::move(*converter);
    info_.format = output.format;
    return {};
  }

  ReadResult next(FramePool& pool) override {
    peek();
    if (!damage_.empty() || outcome_ != StreamDecoder::Outcome::kFrame) return ending();
    Result<std::shared_ptr<Frame>> frame = converter_->convert(*picture_, pool);
    if (!frame) {
      damage_ = damage_sentence(frame.error().message);
      return ending();
    }
    (*frame)->time_s = time_s();
    consume();
    return {ReadResult::Kind::kFrame, std::move(*frame), {}};
  }

  ReadResult skip() override {
    peek();
    if (!damage_.empty() || outcome_ != StreamDecoder::Outcome::kFrame) return ending();
    consume();
    return {ReadResult::Kind::kFrame, nullptr, {}};
  }

  bool seek(std::int64_t number, std::int64_t time_ns) override {
    if (first_timestamp_ == AV_NOPTS_VALUE) return false;
    const double ticks_per_s = av_q2d(av_inv_q(decoder_->demuxer().stream().time_base));
    const std::int64_t target = first_timestamp_ + std::llround(static_cast<double>(time_ns) * 1e-9 * ticks_per_s);
    // A container can find a key picture by its decoding time, which may lie before the target while the picture is presented behind it.
    constexpr int kTries = 3;
    std::int64_t ask_for = target;
    for (int i = 0; i < kTries; ++i) {
      if (!seek_key_picture(ask_for)) return false;
      if (picture_->pts <= target) {
        if (!walk_to(target) || nanoseconds(time_s()) != time_ns) return false;
        frames_ = number;
        return true;
      }
      if (decoder_->key_dts() == AV_NOPTS_VALUE) return false;
      ask_for = decoder_->key_dts() - 1;
    }
    return false;
  }

  std::optional<double> peek_time_s() override {
    peek();
    return outcome_ == StreamDecoder::Outcome::kFrame ? time_s() : std::nullopt;
  }

  const std::optional<std::string>& content_hash() const override { return decoder_->content_hash(); }

  std::optional<std::string> changed() override {
    const std::optional<std::string> said = decoder_->changed();
    return said ? std::optional(path_ + ": " + *said) : std::nullopt;
  }

 private:
  // Has the decoder fill picture_, unless it is full already.
  void peek() {
    if (full_) return;
    outcome_ = decoder_->next(*picture_);
    full_ = true;
  }

  // Leaves the key picture in picture_. Pictures that come out before it may lack what they refer to.
  bool seek_key_picture(std::int64_t timestamp) {
    drop();
    if (!decoder_->seek(timestamp)) return false;
    while (true) {
      peek();
      if (outcome_ != StreamDecoder::Outcome::kFrame) return false;
      if (picture_->key_frame != 0) return has_exact_time();
      drop();
    }
  }

  // Drops what is presented before `timestamp`.
  bool walk_to(std::int64_t timestamp) {
    while (outcome_ == StreamDecoder::Outcome::kFrame && has_exact_time() && picture_->pts < timestamp) {
      drop();
      peek();
    }
    return outcome_ == StreamDecoder::Outcome::kFrame && has_exact_time() && picture_->pts == timestamp;
  }

  bool has_exact_time() const { return picture_->pts != AV_NOPTS_VALUE && picture_->pts == picture_->best_effort_timestamp; }

  void drop() {
    av_frame_unref(picture_.get());
    full_ = false;
  }

  void consume() {
    drop();
    ++frames_;
  }

  std::optional<double> time_s() const {
    if (picture_->best_effort_timestamp == AV_NOPTS_VALUE || first_timestamp_ == AV_NOPTS_VALUE) return std::nullopt;
    return static_cast<double>(picture_->best_effort_timestamp - first_timestamp_) * av_q2d(decoder_->demuxer().stream().time_base);
  }

  std::string damage_sentence(const std::string& what) const {
    if (decoder_->late()) return path_ + ": " + what + " (frame " + std::to_string(frames_) + ")";
    return path_ + ": damaged at frame " + std::to_string(frames_) + ": " + what;
  }

  ReadResult ending() const {
    if (!damage_.empty()) return {ReadResult::Kind::kDamage, nullptr, damage_};
    if (outcome_ == StreamDecoder::Outcome::kEnd) return {ReadResult::Kind::kEnd, nullptr, {}};
    return {ReadResult::Kind::kDamage, nullptr, damage_sentence(decoder_->damage_text())};
  }

  std::string path_;
  bool convert_;
  std::unique_ptr<StreamDecoder> decoder_;
  FramePtr picture_;
  std::unique_ptr<PictureConverter> converter_;
  StreamInfo info_;
  StreamDecoder::Outcome outcome_ = StreamDecoder::Outcome::kEnd;
  bool full_ = false;        // picture_ and outcome_ are the next result
  std::int64_t frames_ = 0;  // delivered or skipped
  std::int64_t first_timestamp_ = AV_NOPTS_VALUE;
  std::string damage_;  // met while converting
};

}  // namespace

Result<std::unique_ptr<VideoReader>> VideoReader::open(const std::string& path, const ReaderOptions& options) {
  auto decoder = StreamDecoder::open(path, options.raw, options.threads, options.limits);
  if (!decoder) return decoder.error();
  FramePtr picture(av_frame_alloc());
  if (!picture) return Error{path + ": out of memory"};
  auto reader = std::make_unique<FileVideoReader>(path, options.convert, std::move(*decoder), std::move(picture));
  if (const Status ok = reader->start(); !ok) return ok.error();
  return std::unique_ptr<VideoReader>(std::move(reader));
}

}  // namespace vmafbatch::io
