// The values of one column in frame order, one at a time.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>

struct sqlite3_stmt;

namespace vmafbatch::store {

// Functions throw SQLite::Exception, also (SQLITE_CORRUPT) for frames that do not rise and values that are no doubles.
class ValueCursor {
 public:
  explicit ValueCursor(SQLite::Database& database);

  void start(std::int64_t column);  // stands before the first value
  bool next();                      // false: no more
  std::int64_t frame() const { return frame_; }
  double value() const { return value_; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void take_row();

  SQLite::Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  bool at_first_ = true;
  std::int64_t frame_ = 0;
  double value_ = 0;
};

}  // namespace vmafbatch::store
