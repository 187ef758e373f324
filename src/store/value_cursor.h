// The values of one column in frame order, one at a time.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <limits>

#include "store/raw_statement.h"

namespace vmafbatch::store {

// Functions throw SQLite::Exception, also (SQLITE_CORRUPT) for frames that do not rise and values that are no doubles.
class ValueCursor {
 public:
  explicit ValueCursor(SQLite::Database& database);

  // Stands before the first value at first .. last.
  void start(std::int64_t column, std::int64_t first = std::numeric_limits<std::int64_t>::min(),
             std::int64_t last = std::numeric_limits<std::int64_t>::max());
  bool next();  // false: no more
  std::int64_t frame() const { return frame_; }
  double value() const { return value_; }

 private:
  void take_row();

  RawStatement statement_;
  bool at_first_ = true;
  std::int64_t frame_ = 0;
  double value_ = 0;
};

}  // namespace vmafbatch::store
