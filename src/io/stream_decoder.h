// Decodes the video stream of one file into libav frames, in presentation order, and stops at the first damage. Private to this room.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/av_handles.h"
#include "io/av_log.h"
#include "io/demuxer.h"
#include "io/raw_geometry.h"

namespace vmafbatch::io {

// One thread at a time. The sequence of pictures and the place of a damage do not depend on the number of threads.
class StreamDecoder {
 public:
  enum class Outcome { kFrame, kEnd, kDamage };

  static Result<std::unique_ptr<StreamDecoder>> open(const std::string& path, const std::optional<RawGeometry>& raw, int threads,
                                                     const ReadLimits& limits);

  // Fills `frame`. After kEnd or kDamage every further call repeats it.
  Outcome next(AVFrame& frame);
  // What is damaged, without file and frame number. REQUIRES: next() returned kDamage
  const std::string& damage_text() const { return damage_text_; }

  // Goes to a key picture that was coded at or before `timestamp` (in the stream's time base), from which on every picture that is
  // presented later is whole. False: the stream has no such place that can be told for sure; nothing may be read any more.
  bool seek(std::int64_t timestamp);
  // Decoding time of that key picture.
  std::int64_t key_dts() const { return key_dts_; }

  // True where it stopped because reading took too long (ReadLimits).
  bool late() const { return demuxer_->input().failure() && demuxer_->input().failure()->late; }
  // Of the whole file (base/content_hash.h), after kEnd; nothing where the pass left out too much of it.
  const std::optional<std::string>& content_hash() const { return content_hash_; }
  // A sentence part where the file is not what it was when it was opened. kEnd has seen to it.
  std::optional<std::string> changed() const { return demuxer_->input().changed(); }

  const Demuxer& demuxer() const { return *demuxer_; }

 private:
  StreamDecoder() = default;

  Status open_codec(int threads);
  // Gives the decoder one packet, or the end of its input.
  Outcome feed();
  Outcome accept(AVFrame& frame);
  // After a seek: reads on to a packet that decoding can begin with.
  Demuxer::Outcome read_key_packet();
  Outcome stop(Outcome outcome, std::string text);

  // First: they outlive the contexts below.
  std::unique_ptr<AvLogSink> demuxer_log_ = std::make_unique<AvLogSink>();
  std::unique_ptr<AvLogSink> log_ = std::make_unique<AvLogSink>();
  std::unique_ptr<Demuxer> demuxer_;
  CodecContextPtr codec_;
  PacketPtr packet_;
  bool reorders_ = false;           // the codec may present pictures in another order than it codes them
  bool conceals_silently_ = false;  // the decoder marks damage in its log alone
  bool awaits_key_ = false;         // after a seek
  std::int64_t key_dts_ = 0;
  std::optional<std::string> cut_text_;  // the demuxer met damage: the decoder only gives what it holds
  std::optional<Outcome> stopped_;
  std::string damage_text_;
  std::optional<std::string> content_hash_;
  // Size and pixel format of the first picture.
  int width_ = 0;
  int height_ = 0;
  int pixel_format_ = -1;
};

}  // namespace vmafbatch::io
