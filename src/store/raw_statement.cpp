#include "store/raw_statement.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>

#include "base/utf8.h"

namespace vmafbatch::store {

void RawStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

RawStatement::RawStatement(SQLite::Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  database.check(sqlite3_prepare_v2(database.getHandle(), sql.c_str(), static_cast<int>(sql.size()) + 1, &prepared, nullptr));
  statement_.reset(prepared);
}

void RawStatement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

void RawStatement::restart() { sqlite3_reset(statement_.get()); }

void RawStatement::bind(int index, std::int64_t value) { database_.check(sqlite3_bind_int64(statement_.get(), index, value)); }

void RawStatement::bind(int index, std::string_view bytes) {
  const auto size = static_cast<int>(bytes.size());
  const char* const data = bytes.empty() ? "" : bytes.data();  // no address would be NULL
  const bool is_text = bytes.find('\0') == std::string_view::npos && is_utf8(bytes);
  const auto copy = SQLITE_TRANSIENT;  // NOLINT(performance-no-int-to-ptr): SQLite's way to say "copy it" is a pointer made of -1
  database_.check(is_text ? sqlite3_bind_text(statement_.get(), index, data, size, copy)
                          : sqlite3_bind_blob(statement_.get(), index, data, size, copy));
}

void RawStatement::bind(int index, const RawStatement& row, int column) {
  database_.check(sqlite3_bind_value(statement_.get(), index, sqlite3_column_value(row.statement_.get(), column)));
}

bool RawStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.check(code);
  return false;
}

void RawStatement::exec() {
  step();
  reset();
}

bool RawStatement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
bool RawStatement::is_integer(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER; }
bool RawStatement::is_real(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT; }
bool RawStatement::is_blob(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB; }
std::int64_t RawStatement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double RawStatement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string RawStatement::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
  return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
}

std::string RawStatement::image(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL: return "null";
    case SQLITE_INTEGER: return fmt::format("{}", integer(column));
    case SQLITE_FLOAT: return fmt::format("real {:016x}", std::bit_cast<std::uint64_t>(real(column)));
    case SQLITE_BLOB: return "blob " + bytes(column);
    default: return "text " + bytes(column);
  }
}

}  // namespace vmafbatch::store
