// One side of a group: a reader under its cut and skip. Private to this room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/frame_pool.h"
#include "io/video_reader.h"

namespace vmafbatch::io {

// Presentation times are rounded to the container's clock: a millisecond in Matroska.
inline constexpr double kClockTolerance_s = 0.001;

// One thread at a time.
class GroupSide {
 public:
  GroupSide(std::string path, std::unique_ptr<VideoReader> reader, std::optional<double> start_s, std::optional<double> duration_s,
            std::int64_t skip)
      : path_(std::move(path)), reader_(std::move(reader)), start_s_(start_s), duration_s_(duration_s), skip_(skip) {}

  VideoReader& reader() { return *reader_; }
  const VideoReader& reader() const { return *reader_; }

  // The next picture inside the cut; kEnd also where the cut ends.
  ReadResult next(FramePool& pool);
  // The same for a picture that nobody looks at: `frame` is null.
  ReadResult skip();

  // Goes on with the picture at `position`, presented `time_ns` after the file's first one. False where that cannot be done safely; the
  // side may then not be used any more. REQUIRES: nothing was read yet.
  bool seek(std::int64_t position, std::int64_t time_ns);

  // Presentation time in seconds of the picture that next() or skip() would deliver: from `start` on, or from the first picture where
  // there is none; a skip moves the zero to where it ends. Nothing at the end, at damage, or where the container has no times.
  std::optional<double> peek_time_s();
  // "a.mkv has no presentation times, so ..."
  std::string no_times_text(const std::string& consequence) const { return path_ + " has no presentation times, so " + consequence; }

  // Pictures decoded so far.
  std::int64_t decoded() const { return decoded_; }

 private:
  // Drops what lies before the cut and the skip. Not kFrame: there is nothing left.
  ReadResult::Kind advance_to_start(ReadResult& ending);
  bool past_the_cut();
  ReadResult counted(ReadResult result);

  std::string path_;  // for messages
  std::unique_ptr<VideoReader> reader_;
  std::optional<double> start_s_;
  std::optional<double> duration_s_;
  std::int64_t skip_;
  bool started_ = false;
  double zero_s_ = 0;            // the reader's time that peek_time_s() counts from
  std::optional<double> end_s_;  // pictures from this time on are cut off
  std::int64_t decoded_ = 0;
};

}  // namespace vmafbatch::io
