#include "io/shown_picture.h"

#include <algorithm>
#include <utility>

namespace vmafbatch::io {
namespace {

// How much earlier than its time a picture counts: half of the shorter interval, where one is known, and never less than clocks round.
double tolerance_s(std::optional<double> own_s, std::optional<double> master_s) {
  if (!own_s || *own_s <= 0) own_s = master_s;
  const double shorter_s = std::min(own_s.value_or(0), master_s.value_or(own_s.value_or(0)));
  return std::max(shorter_s / 2, kClockTolerance_s);
}

}  // namespace

bool ShownPicture::next_is_due(double time_s, std::optional<double> interval_s) {
  const std::optional<double> next = side_.peek_time_s();
  if (!next) return false;
  const std::optional<double> own = frame_ ? std::optional(*next - time_s_) : std::nullopt;
  return *next < time_s + tolerance_s(own, interval_s);
}

ReadResult ShownPicture::advance(FramePool& pool) {
  const std::optional<double> next = side_.peek_time_s();
  ReadResult read = side_.next(pool);
  if (read.kind != ReadResult::Kind::kFrame) return read;
  if (!next) return {ReadResult::Kind::kDamage, nullptr, side_.no_times_text("sync timestamp cannot pair it")};
  if (frame_ && !used_) ++left_out_;
  if (frame_) interval_s_ = *next - time_s_;
  time_s_ = *next;
  frame_ = std::move(read.frame);
  used_ = false;
  return {ReadResult::Kind::kFrame, frame_, {}};
}

ReadResult ShownPicture::at(double time_s, std::optional<double> interval_s, FramePool& pool) {
  while (next_is_due(time_s, interval_s)) {
    ReadResult read = advance(pool);
    if (read.kind != ReadResult::Kind::kFrame) return read;
  }
  if (!frame_) {
    ReadResult read = advance(pool);
    if (read.kind != ReadResult::Kind::kFrame) return read;
  }
  if (!side_.peek_time_s()) {  // its end, its damage, or a picture without a time
    const double shown_for_s = interval_s_.value_or(interval_s.value_or(0));
    if (time_s + tolerance_s(shown_for_s, interval_s) > time_s_ + shown_for_s) return advance(pool);
  }
  if (used_) ++repeated_;
  used_ = true;
  return {ReadResult::Kind::kFrame, frame_, {}};
}

ReadResult ShownPicture::goes_on_at(double end_s, std::optional<double> interval_s, FramePool& pool) {
  while (true) {
    const std::optional<double> next = side_.peek_time_s();
    if (next && *next + tolerance_s(interval_s_, interval_s) > end_s) return {ReadResult::Kind::kFrame, frame_, {}};
    ReadResult read = advance(pool);
    if (read.kind != ReadResult::Kind::kFrame) return read;
  }
}

}  // namespace vmafbatch::io
