// Reads the packets of one file's video stream and notices what libavformat passes over in silence: partial packets, missing
// packets, files that were cut short. Private to this room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/av_handles.h"
#include "io/av_log.h"
#include "io/file_input.h"
#include "io/raw_geometry.h"

namespace vmafbatch::io {

// One thread at a time.
class Demuxer {
 public:
  enum class Outcome { kPacket, kEnd, kDamage };

  // Opens the first video stream that is no attached picture. `log` must outlive the demuxer.
  static Result<std::unique_ptr<Demuxer>> open(const std::string& path, const std::optional<RawGeometry>& raw, const ReadLimits& limits,
                                               AvLogSink& log);

  // The next packet of the stream. After kDamage, damage_text() says what.
  Outcome read(AVPacket& packet);
  const std::string& damage_text() const { return damage_text_; }

  // Goes to a place at or before `timestamp` (in the stream's time base). False: the container cannot; nothing may be read any more.
  bool seek(std::int64_t timestamp);
  // Decoding time of the last whole packet, AV_NOPTS_VALUE where it is not known. A packet that is missing after it belongs to a
  // picture that is presented later than this.
  std::int64_t last_dts() const { return last_dts_; }

  // The file that it reads.
  FileInput& input() const { return *input_; }
  AVFormatContext& format() const { return *format_; }
  AVStream& stream() const { return *stream_; }
  // Pictures that the container declares, where that can be trusted.
  std::optional<std::int64_t> declared_frames() const;

 private:
  Demuxer(std::unique_ptr<FileInput> input, FormatContextPtr format, AVStream* stream, AvLogSink& log)
      : input_(std::move(input)), format_(std::move(format)), stream_(stream), log_(log) {}

  Outcome read_one(AVPacket& packet);
  Outcome delivered(const AVPacket& packet);
  Outcome at_end();
  Outcome damage(const std::string& text);
  // A sentence part where the end of the file comes too early.
  std::optional<std::string> cut_short() const;
  // A sentence part where the Matroska reader met damage: it looks for the next place that makes sense and says so in its log alone.
  std::optional<std::string> passed_over();
  bool container_is(const char* name) const;
  // How many packets lie before this one, the first after a seek; false where that cannot be known.
  bool count_packets_before(const AVPacket& packet);

  std::unique_ptr<FileInput> input_;  // first: it outlives the format
  FormatContextPtr format_;
  AVStream* stream_;
  AvLogSink& log_;
  std::int64_t packets_ = 0;  // from the start of the stream
  bool sought_ = false;       // the next packet is the first after a seek
  std::int64_t last_dts_ = AV_NOPTS_VALUE;
  std::int64_t end_of_last_packet_ = -1;  // byte position in the file
  PacketPtr held_;                        // read after a read failed, and not delivered yet
  std::string damage_text_;
};

// FFmpeg's name of the pixel format of a raw file.
Result<std::string> raw_pixel_format_name(const RawGeometry& raw);

}  // namespace vmafbatch::io
