#include "io/demuxer.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/container_size.h"
#include "io/y4m_header.h"

extern "C" {
#include <libavutil/dict.h>
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

// The options of one avformat_open_input.
class Dictionary {
 public:
  Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;
  ~Dictionary() { av_dict_free(&dictionary_); }
  void set(const char* key, const std::string& value) { av_dict_set(&dictionary_, key, value.c_str(), 0); }
  AVDictionary** get() { return &dictionary_; }

 private:
  AVDictionary* dictionary_ = nullptr;
};

Status set_raw_options(const RawGeometry& raw, Dictionary& options) {
  if (raw.width <= 0 || raw.height <= 0) return Error{"raw video needs a width and a height"};
  const Result<std::string> pixel_format = raw_pixel_format_name(raw);
  if (!pixel_format) return pixel_format.error();
  options.set("video_size", std::to_string(raw.width) + "x" + std::to_string(raw.height));
  options.set("pixel_format", *pixel_format);
  options.set("framerate", std::to_string(raw.fps_numerator) + "/" + std::to_string(raw.fps_denominator));
  return {};
}

// Demuxers that make a picture of any text file, or take the name of the file for a pattern.
bool is_no_video_container(const AVInputFormat* format) {
  const std::string_view name = format->name;
  return name == "tty" || name == "image2";
}

// What libavformat makes of a name without a look into the file: sequences of pictures and other things that open their files themselves.
const AVInputFormat* format_by_name_alone(const std::string& url) {
  AVProbeData probe = {};
  probe.filename = url.c_str();
  int score = AVPROBE_SCORE_RETRY;
  return av_probe_input_format2(&probe, 0, &score);
}

// Lists of other files, which libavformat would open past our reader: their pictures could change, or hang, without anybody seeing it.
bool is_list_of_files(std::span<const std::byte> head) {
  std::vector<unsigned char> bytes(head.size() + AVPROBE_PADDING_SIZE);  // zeros behind the head
  std::ranges::transform(head, bytes.begin(), [](std::byte byte) { return static_cast<unsigned char>(byte); });
  AVProbeData probe = {};
  probe.filename = "";
  probe.buf = bytes.data();
  probe.buf_size = static_cast<int>(head.size());
  const AVInputFormat* const format = av_probe_input_format(&probe, 1);
  if (format == nullptr) return false;
  constexpr std::array<std::string_view, 6> kLists = {"concat", "hls", "dash", "imf", "sdp", "vobsub"};
  const std::string_view names = format->name;
  return std::ranges::find(kLists, names.substr(0, names.find(','))) != kLists.end();
}

// Attached pictures (covers) are video streams for libavformat.
AVStream* first_video_stream(const AVFormatContext& format) {
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    AVStream* stream = format.streams[i];
    const bool cover = (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !cover) return stream;
  }
  return nullptr;
}

}  // namespace

Result<std::string> raw_pixel_format_name(const RawGeometry& raw) {
  const std::string& layout = raw.pixel_format;
  if (layout != "420" && layout != "422" && layout != "444" && layout != "400") {
    const AVPixelFormat named = av_get_pix_fmt(layout.c_str());
    if (named == AV_PIX_FMT_NONE) {
      return Error{"pixel_format '" + layout + "' is unknown; use 420, 422, 444, 400 or a name that 'ffmpeg -pix_fmts' lists"};
    }
    const int depth = av_pix_fmt_desc_get(named)->comp[0].depth;
    if (raw.bit_depth && *raw.bit_depth != depth) {
      return Error{"pixel_format '" + layout + "' has " + std::to_string(depth) + " bits, but bit_depth says " +
                   std::to_string(*raw.bit_depth)};
    }
    return layout;
  }
  const int depth = raw.bit_depth.value_or(8);
  if (depth != 8 && depth != 10 && depth != 12 && depth != 16) {
    return Error{"bit_depth " + std::to_string(depth) + " is not one of 8, 10, 12, 16"};
  }
  std::string name = layout == "400" ? "gray" : "yuv" + layout + "p";
  if (depth > 8) name += std::to_string(depth) + "le";
  return name;
}

Result<std::unique_ptr<Demuxer>> Demuxer::open(const std::string& path, const std::optional<RawGeometry>& raw, const ReadLimits& limits,
                                               AvLogSink& log) {
  install_av_log();
  auto file = FileInput::open(path, limits);
  if (!file) return file.error();
  std::unique_ptr<FileInput> input = std::move(*file);
  // Where a read failed, that is the reason, whatever libavformat made of it.
  const auto no_video = [&](const std::string& what, int code) {
    return Error{input->failure() ? path + ": " + input->failure()->text : with_log_text(path + what + av_error_text(code), log)};
  };

  Dictionary options;
  options.set("protocol_whitelist", "file");  // a playlist must not make us open a connection
  const AVInputFormat* raw_format = nullptr;
  if (raw && !names_its_container(input->head())) {
    raw_format = av_find_input_format("rawvideo");
    if (const Status ok = set_raw_options(*raw, options); !ok) return Error{path + ": " + ok.error().message};
  }
  if (raw_format == nullptr && is_list_of_files(input->head())) {
    return Error{path + ": is a list of other files, not a video; score the files, or join them into one"};
  }
  // libavformat reads a number up to where it is none any more, and says nothing.
  if (raw_format == nullptr && !input->failure()) {
    if (const auto fault = y4m_header_fault(input->head())) return Error{path + ": its Y4M header is not valid: " + *fault};
  }
  AVFormatContext* context = avformat_alloc_context();
  if (context == nullptr) return Error{path + ": out of memory"};
  FormatContextPtr format(context);
  format->opaque = &log;
  input->attach(*format);
  // "file:" makes every byte of the path plain text: colons, percent signs and line breaks included.
  const std::string url = "file:" + path;
  const AVInputFormat* const named = raw_format == nullptr ? format_by_name_alone(url) : nullptr;
  if (named != nullptr) return Error{path + ": is no video file (libavformat takes it for " + named->name + ")"};
  context = format.release();  // freed where it cannot be opened
  const int opened = avformat_open_input(&context, url.c_str(), raw_format, options.get());
  if (opened < 0) return no_video(": is no video that libavformat can read: ", opened);
  format.reset(context);
  if (is_no_video_container(format->iformat))
    return Error{path + ": is no video file (libavformat takes it for " + format->iformat->name + ")"};
  const int probed = avformat_find_stream_info(format.get(), nullptr);
  if (probed < 0) return no_video(": its streams cannot be read: ", probed);
  AVStream* stream = first_video_stream(*format);
  if (stream == nullptr) return Error{path + ": has no video stream"};
  for (unsigned i = 0; i < format->nb_streams; ++i) {
    if (format->streams[i] != stream) format->streams[i]->discard = AVDISCARD_ALL;
  }
  log.take();  // what was said while probing is no verdict on the stream
  return std::unique_ptr<Demuxer>(
      new Demuxer(std::move(input), std::move(format), stream, log));  // NOLINT(cppcoreguidelines-owning-memory): private constructor
}

bool Demuxer::container_is(const char* name) const {
  const std::string_view names = format_->iformat->name;
  return names.substr(0, names.find(',')) == name;
}

std::optional<std::int64_t> Demuxer::declared_frames() const {
  if (container_is("mov") && stream_->nb_frames > 0) return stream_->nb_frames;
  if ((container_is("rawvideo") || container_is("yuv4mpegpipe")) && stream_->duration > 0) return stream_->duration;
  return std::nullopt;
}

// Once a read has failed, the last packet that libavformat gives may be a part of one. So none is delivered before another one follows.
Demuxer::Outcome Demuxer::read(AVPacket& packet) {
  if (!held_) {
    const Outcome outcome = read_one(packet);
    if (outcome != Outcome::kPacket) return outcome;
    if (!input_->failure()) return delivered(packet);
    held_.reset(av_packet_alloc());
    if (!held_) return damage("out of memory");
    av_packet_move_ref(held_.get(), &packet);
  }
  const Outcome outcome = read_one(packet);
  if (outcome != Outcome::kPacket) return outcome;
  std::swap(packet, *held_);
  return delivered(packet);
}

Demuxer::Outcome Demuxer::delivered(const AVPacket& packet) {
  ++packets_;
  last_dts_ = packet.dts;
  if (packet.pos >= 0) end_of_last_packet_ = packet.pos + packet.size;
  return Outcome::kPacket;
}

Demuxer::Outcome Demuxer::read_one(AVPacket& packet) {
  while (true) {
    av_packet_unref(&packet);
    const int code = av_read_frame(format_.get(), &packet);
    if (code == AVERROR(EAGAIN)) continue;
    if (code == AVERROR_EOF) return at_end();
    if (code < 0) return damage(with_log_text("the container cannot be read any further: " + av_error_text(code), log_));
    if (packet.stream_index != stream_->index) continue;
    if ((packet.flags & AV_PKT_FLAG_CORRUPT) != 0) {
      return damage(with_log_text("a packet is damaged or cut short", log_));
    }
    if (const auto said = passed_over()) return damage(*said);
    if (sought_ && !count_packets_before(packet)) return damage("the place of a packet in the stream is not known");
    sought_ = false;
    return Outcome::kPacket;
  }
}

bool Demuxer::seek(std::int64_t timestamp) {
  if (av_seek_frame(format_.get(), stream_->index, timestamp, AVSEEK_FLAG_BACKWARD) < 0) return false;
  log_.take();
  held_.reset();
  sought_ = true;
  last_dts_ = AV_NOPTS_VALUE;
  end_of_last_packet_ = -1;
  return true;
}

bool Demuxer::count_packets_before(const AVPacket& packet) {
  if (!container_is("mov")) return true;  // at_end() counts there alone
  const int entries = avformat_index_get_entries_count(stream_);
  for (int i = 0; i < entries; ++i) {
    if (avformat_index_get_entry(stream_, i)->pos != packet.pos) continue;
    packets_ = i;
    return true;
  }
  return false;
}

Demuxer::Outcome Demuxer::at_end() {
  const int error = format_->pb != nullptr ? format_->pb->error : 0;
  if (error < 0 && error != AVERROR_EOF) return damage("reading failed: " + std::generic_category().message(AVUNERROR(error)));
  if (const auto why = cut_short()) return damage(*why);
  if (const auto said = passed_over()) return damage(*said);
  return Outcome::kEnd;
}

std::optional<std::string> Demuxer::passed_over() {
  if (!container_is("matroska")) return std::nullopt;
  const std::string said = log_.take();
  if (said.empty()) return std::nullopt;
  return "the container is damaged (libav says: " + said + ")";
}

std::optional<std::string> Demuxer::cut_short() const {
  const std::int64_t size = format_->pb != nullptr ? avio_size(format_->pb) : -1;
  // The index is what remains of the sample table after the edit list.
  const int indexed = container_is("mov") ? avformat_index_get_entries_count(stream_) : 0;
  if (packets_ < indexed) {
    return "the file ends after " + std::to_string(packets_) + " of the " + std::to_string(indexed) + " pictures that it declares";
  }
  constexpr std::int64_t kFrameMarkerBytes = 6;  // "FRAME\n": a cut inside the marker counts as a clean end
  if (container_is("yuv4mpegpipe") && end_of_last_packet_ >= 0 && size - end_of_last_packet_ >= kFrameMarkerBytes) {
    return std::string("the last picture of the file is not complete");
  }
  if (container_is("matroska") || container_is("avi")) {
    const auto declared = declared_file_bytes(input_->head());
    if (declared && size >= 0 && static_cast<std::uint64_t>(size) < *declared) {
      return "the file is cut short: it has " + std::to_string(size) + " of the " + std::to_string(*declared) + " bytes that it declares";
    }
  }
  return std::nullopt;
}

Demuxer::Outcome Demuxer::damage(const std::string& text) {
  damage_text_ = input_->failure() ? input_->failure()->text : text;
  return Outcome::kDamage;
}

}  // namespace vmafbatch::io
