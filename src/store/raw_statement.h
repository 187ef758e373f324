// A prepared statement for loops over many rows: SQLite's own calls, without an object per value. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace vmafbatch::store {

class RawStatement {
 public:
  RawStatement(SQLite::Database& database, const std::string& sql);

  // Ready to be bound and stepped again; bound values are forgotten.
  void reset();
  // Ready to be stepped again with the values that are bound.
  void restart();
  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view bytes);  // as bind_bytes (database.h)
  // The value of a row of another statement, whatever its type. REQUIRES: `row` stands on a row.
  void bind(int index, const RawStatement& row, int column);
  // True: stands on a row. False: there are no more.
  bool step();
  // reset, one step, reset: for statements without rows.
  void exec();

  bool is_null(int column) const;
  bool is_integer(int column) const;
  bool is_real(int column) const;
  bool is_blob(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string bytes(int column) const;  // of a TEXT or BLOB, "" for NULL
  // Equal texts: equal types and bits.
  std::string image(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  SQLite::Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace vmafbatch::store
