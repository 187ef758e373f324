#include "report/frame_cursor.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/database.h"

namespace vmafbatch::report {

// Not SQLiteCpp's Statement: its columns cost more than the row, and a report reads millions.
FrameCursor::FrameCursor(SQLite::Database& database) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  database.check(sqlite3_prepare_v2(
      database.getHandle(), "SELECT frame, value FROM frame_score WHERE scoring_feature = ? AND frame BETWEEN ? AND ? ORDER BY frame", -1,
      &prepared, nullptr));
  statement_.reset(prepared);
}

void FrameCursor::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void FrameCursor::start(std::int64_t column, FrameRange range) {
  sqlite3_reset(statement_.get());
  sqlite3_bind_int64(statement_.get(), 1, column);
  sqlite3_bind_int64(statement_.get(), 2, range.first);
  sqlite3_bind_int64(statement_.get(), 3, range.last);
  least_frame_ = range.first;
  last_frame_ = range.last;
}

bool FrameCursor::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE) database_.check(code);
    return false;
  }
  const std::int64_t frame = sqlite3_column_int64(statement_.get(), 0);
  // Pages of a damaged file can point at each other in a ring: frames that do not rise could go on for ever.
  if (sqlite3_column_type(statement_.get(), 0) != SQLITE_INTEGER || frame < least_frame_ || frame > last_frame_) {
    store::throw_damage("the frames in frame_score are out of order");
  }
  if (sqlite3_column_type(statement_.get(), 1) != SQLITE_FLOAT) {
    store::throw_damage(fmt::format("the value at frame {} in frame_score is no number", frame));
  }
  value_ = {frame, sqlite3_column_double(statement_.get(), 1)};
  least_frame_ = frame + 1;
  return true;
}

}  // namespace vmafbatch::report
