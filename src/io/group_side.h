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

// One thread at a time.
class GroupSide {
 public:
  GroupSide(std::string path, std::unique_ptr<VideoReader> reader, std::optional<double> start_s, std::optional<double> duration_s,
            std::int64_t skip)
      : path_(std::move(path)), reader_(std::move(reader)), start_s_(start_s), duration_s_(duration_s), skip_(skip) {}

  VideoReader& reader() { return *reader_; }

  // The next picture inside the cut; kEnd also where the cut ends.
  ReadResult next(FramePool& pool);
  // The same for a picture that nobody looks at: `frame` is null.
  ReadResult skip();

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
  std::optional<double> end_s_;  // pictures from this time on are cut off
  std::int64_t decoded_ = 0;
};

}  // namespace vmafbatch::io
