// Copies rows from one database to the same table of another: the columns that both have. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "store/raw_statement.h"

namespace vmafbatch::store {

// A table's columns in their order; none where there is no such table.
std::vector<std::string> columns_of(SQLite::Database& database, const std::string& table);

class RowCopy {
 public:
  // Rows whose column `key` has a value that is given later. The columns `given` get values from the caller instead of the row's, "id"
  // one from SQLite.
  RowCopy(SQLite::Database& from, SQLite::Database& to, const std::string& table, const std::string& key, std::vector<std::string> given);

  // A value for one of the columns `given`, by its place there, for the rows that run() copies.
  void give(int place, std::int64_t value) { given_values_[static_cast<size_t>(place)] = value; }
  void give(int place, std::string bytes) { given_values_[static_cast<size_t>(place)] = std::move(bytes); }
  void give_null(int place) { given_values_[static_cast<size_t>(place)] = std::monostate{}; }

  // All rows with this key. REQUIRES: every given column has its value.
  void run(std::int64_t key);

 private:
  using Given = std::variant<std::monostate, std::int64_t, std::string>;
  void bind_given();

  std::vector<Given> given_values_;
  int copied_ = 0;  // columns that the row gives; the given ones follow
  std::optional<RawStatement> select_;
  std::optional<RawStatement> insert_;
};

}  // namespace vmafbatch::store
