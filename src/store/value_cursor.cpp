#include "store/value_cursor.h"

#include <fmt/format.h>

#include "store/database.h"

namespace vmafbatch::store {

ValueCursor::ValueCursor(SQLite::Database& database)
    : statement_(database, "SELECT frame, value FROM frame_score WHERE scoring_feature = ? AND frame BETWEEN ? AND ? ORDER BY frame") {}

void ValueCursor::start(std::int64_t column, std::int64_t first, std::int64_t last) {
  statement_.reset();
  statement_.bind(1, column);
  statement_.bind(2, first);
  statement_.bind(3, last);
  at_first_ = true;
}

bool ValueCursor::next() {
  if (!statement_.step()) return false;
  take_row();
  return true;
}

// Frames that do not rise could go on for ever: pages of a damaged file can point at each other in a ring.
void ValueCursor::take_row() {
  if (!statement_.is_integer(0)) throw_damage("a frame number in frame_score is no integer");
  const std::int64_t frame = statement_.integer(0);
  if (!at_first_ && frame <= frame_) throw_damage("the frames in frame_score are out of order");
  if (!statement_.is_real(1)) throw_damage(fmt::format("the value at frame {} in frame_score is no number", frame));
  at_first_ = false;
  frame_ = frame;
  value_ = statement_.real(1);
}

}  // namespace vmafbatch::store
