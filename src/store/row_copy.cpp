#include "store/row_copy.h"

#include <fmt/format.h>

#include <algorithm>

namespace vmafbatch::store {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

std::vector<std::string> columns_of(SQLite::Database& database, const std::string& table) {
  std::vector<std::string> columns;
  SQLite::Statement find(database, "SELECT name FROM pragma_table_info(?)");
  find.bind(1, table);
  while (find.executeStep()) columns.push_back(find.getColumn(0).getString());
  return columns;
}

RowCopy::RowCopy(SQLite::Database& from, SQLite::Database& to, const std::string& table, const std::string& key,
                 std::vector<std::string> given)
    : given_values_(given.size()) {
  const std::vector<std::string> here = columns_of(from, table);
  std::vector<std::string> columns;
  for (const std::string& column : columns_of(to, table)) {
    if (column != "id" && !contains(given, column) && contains(here, column)) columns.push_back(column);
  }
  copied_ = static_cast<int>(columns.size());
  // A table of given columns alone still has its rows.
  const std::string selected = columns.empty() ? "NULL" : fmt::format("{}", fmt::join(columns, ", "));
  columns.insert(columns.end(), given.begin(), given.end());
  const std::vector<std::string> marks(columns.size(), "?");
  select_.emplace(from, fmt::format("SELECT {} FROM {} WHERE {} = ?", selected, table, key));
  insert_.emplace(to, fmt::format("INSERT INTO {} ({}) VALUES ({})", table, fmt::join(columns, ", "), fmt::join(marks, ", ")));
}

void RowCopy::bind_given() {
  int index = copied_;
  for (const Given& value : given_values_) {
    ++index;
    if (const auto* number = std::get_if<std::int64_t>(&value)) insert_->bind(index, *number);
    if (const auto* bytes = std::get_if<std::string>(&value)) insert_->bind(index, *bytes);
  }
}

void RowCopy::run(std::int64_t key) {
  select_->reset();
  select_->bind(1, key);
  insert_->reset();
  bind_given();
  while (select_->step()) {
    for (int column = 0; column < copied_; ++column) insert_->bind(column + 1, *select_, column);
    insert_->step();
    insert_->restart();
  }
  select_->reset();
}

}  // namespace vmafbatch::store
