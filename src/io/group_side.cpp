#include "io/group_side.h"

namespace vmafbatch::io {

ReadResult GroupSide::counted(ReadResult result) {
  if (result.kind == ReadResult::Kind::kFrame) ++decoded_;
  return result;
}

ReadResult::Kind GroupSide::advance_to_start(ReadResult& ending) {
  if (started_) return ReadResult::Kind::kFrame;
  if ((start_s_ || duration_s_) && !reader_->peek_time_s()) {
    ending = reader_->skip();
    if (ending.kind != ReadResult::Kind::kFrame) return ending.kind;
    ending = {};
    ending.kind = ReadResult::Kind::kDamage;
    ending.text = no_times_text("start and duration cannot be applied; use skip_reference and skip_distorted");
    return ending.kind;
  }
  const auto drop = [&] {
    ending = counted(reader_->skip());
    return ending.kind == ReadResult::Kind::kFrame;
  };
  while (start_s_) {
    const std::optional<double> time = reader_->peek_time_s();
    if (!time || *time + kClockTolerance_s >= *start_s_) break;
    if (!drop()) return ending.kind;
  }
  const std::optional<double> cut_time = reader_->peek_time_s();
  for (std::int64_t n = 0; n < skip_; ++n) {
    if (!drop()) return ending.kind;
  }
  started_ = true;
  // The skip shifts the cut's end too, so that both sides keep equally many pictures.
  const std::optional<double> first_time = reader_->peek_time_s();
  if (cut_time && first_time) zero_s_ = start_s_.value_or(0) + (*first_time - *cut_time);
  if (duration_s_ && cut_time && first_time) end_s_ = zero_s_ + *duration_s_;
  return ReadResult::Kind::kFrame;
}

bool GroupSide::seek(std::int64_t position, std::int64_t time_ns) {
  if (start_s_ || duration_s_) return false;  // how many pictures lie before the cut is not known
  const std::int64_t number = skip_ + position;
  if (!reader_->seek(number, time_ns)) return false;
  started_ = true;
  decoded_ = number;
  return true;
}

bool GroupSide::past_the_cut() {
  if (!end_s_) return false;
  const std::optional<double> time = reader_->peek_time_s();
  return time && *time + kClockTolerance_s >= *end_s_;
}

std::optional<double> GroupSide::peek_time_s() {
  ReadResult ending;
  if (advance_to_start(ending) != ReadResult::Kind::kFrame || past_the_cut()) return std::nullopt;
  const std::optional<double> time = reader_->peek_time_s();
  return time ? std::optional(*time - zero_s_) : std::nullopt;
}

ReadResult GroupSide::next(FramePool& pool) {
  ReadResult ending;
  if (advance_to_start(ending) != ReadResult::Kind::kFrame) return ending;
  if (past_the_cut()) return {};
  return counted(reader_->next(pool));
}

ReadResult GroupSide::skip() {
  ReadResult ending;
  if (advance_to_start(ending) != ReadResult::Kind::kFrame) return ending;
  if (past_the_cut()) return {};
  return counted(reader_->skip());
}

}  // namespace vmafbatch::io
