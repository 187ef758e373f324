// Pairs by presentation time: which picture of one side is on the screen at a given time. Private to this room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "io/group_side.h"

namespace vmafbatch::io {

// A picture is on the screen from its time until the next one's, the last one for as long as the one before it. Where a time lies
// within half a frame (of the shorter of the two sides' intervals there) before the next picture's, that one counts: containers round.
// One thread at a time.
class ShownPicture {
 public:
  explicit ShownPicture(GroupSide& side) : side_(side) {}

  // The picture at that time; kEnd where the side is over by then. Before its first picture (a cut can fall between two) that one
  // stands in. `interval_s`: from this time to the other side's next picture; nothing: not known. REQUIRES: times never decrease.
  ReadResult at(double time_s, std::optional<double> interval_s, FramePool& pool);

  // After the other side's last picture, which is on the screen until `end_s`: kFrame where this side has pictures from then on.
  ReadResult goes_on_at(double end_s, std::optional<double> interval_s, FramePool& pool);

  std::int64_t repeated() const { return repeated_; }  // times that a picture was shown again
  std::int64_t left_out() const { return left_out_; }  // pictures that no time met

 private:
  // Whether the picture behind the present one counts at that time.
  bool next_is_due(double time_s, std::optional<double> interval_s);
  // Reads it.
  ReadResult advance(FramePool& pool);

  GroupSide& side_;
  std::shared_ptr<const Frame> frame_;  // on the screen
  bool used_ = false;                   // frame_ was given at least once
  double time_s_ = 0;
  std::optional<double> interval_s_;  // the newest between two pictures of this side
  std::int64_t repeated_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace vmafbatch::io
