// The values of one column between two frames, in order of frames. As store/value_cursor.h, which walks whole columns.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>

#include "report/column_scan.h"

struct sqlite3_stmt;

namespace vmafbatch::report {

// Functions throw SQLite::Exception, also (SQLITE_CORRUPT) for frames that do not rise and values that are no doubles.
class FrameCursor {
 public:
  explicit FrameCursor(SQLite::Database& database);

  void start(std::int64_t column, FrameRange range);  // stands before the first value
  bool next();                                        // false: no more
  const FrameValue& value() const { return value_; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  SQLite::Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::int64_t least_frame_ = 0;  // of the next value
  std::int64_t last_frame_ = 0;
  FrameValue value_;
};

}  // namespace vmafbatch::report
