#include "store/value_cursor.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/database.h"

namespace vmafbatch::store {

ValueCursor::ValueCursor(SQLite::Database& database) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  database.check(sqlite3_prepare_v2(database.getHandle(), "SELECT frame, value FROM frame_score WHERE scoring_feature = ? ORDER BY frame",
                                    -1, &prepared, nullptr));
  statement_.reset(prepared);
}

void ValueCursor::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void ValueCursor::start(std::int64_t column) {
  sqlite3_reset(statement_.get());
  sqlite3_bind_int64(statement_.get(), 1, column);
  at_first_ = true;
}

bool ValueCursor::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE) database_.check(code);
    return false;
  }
  take_row();
  return true;
}

// Frames that do not rise could go on for ever: pages of a damaged file can point at each other in a ring.
void ValueCursor::take_row() {
  if (sqlite3_column_type(statement_.get(), 0) != SQLITE_INTEGER) throw_damage("a frame number in frame_score is no integer");
  const std::int64_t frame = sqlite3_column_int64(statement_.get(), 0);
  if (!at_first_ && frame <= frame_) throw_damage("the frames in frame_score are out of order");
  if (sqlite3_column_type(statement_.get(), 1) != SQLITE_FLOAT) {
    throw_damage(fmt::format("the value at frame {} in frame_score is no number", frame));
  }
  at_first_ = false;
  frame_ = frame;
  value_ = sqlite3_column_double(statement_.get(), 1);
}

}  // namespace vmafbatch::store
