#include "report/sql_console.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "report/read_guard.h"
#include "report/sql_functions.h"
#include "store/text.h"
#include "store/untrusted.h"

namespace vmafbatch::report {
namespace {

// Thrown inside this file.
using Failed = SqlProblem;

std::string_view bytes_of(sqlite3_stmt* statement, int column) {
  const void* const bytes = sqlite3_column_blob(statement, column);
  return {bytes == nullptr ? "" : static_cast<const char*>(bytes), static_cast<size_t>(sqlite3_column_bytes(statement, column))};
}

// Tabs and line ends stay: a cell may have several lines.
std::string cell_text(std::string_view bytes) {
  std::string text;
  for (const char c : display_text(bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 0x20 && byte != 0x7F) || c == '\t' || c == '\n' || c == '\r';
    text += plain ? std::string(1, c) : escaped_byte(c);
  }
  return text;
}

std::string json_cell(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return "null";
    case SQLITE_INTEGER: return std::to_string(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return store::json_number(sqlite3_column_double(statement, column));
    default: return store::json_string(cell_text(bytes_of(statement, column)));
  }
}

std::string csv_cell(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return "";
    case SQLITE_INTEGER: return std::to_string(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return format_double(sqlite3_column_double(statement, column));
    default: return store::csv_field(bytes_of(statement, column));
  }
}

std::string not_allowed(const std::string& what) {
  return what + " is not allowed here: only SELECT over the tables and views of this database is, with functions that compute a value";
}

// A statement on a connection of its own. Functions throw Failed, or SQLite::Exception.
class Console {
 public:
  Console(SQLite::Database& database, const std::string& sql, const SqlLimits& limits, const std::atomic<bool>& stopping)
      : database_(database),
        sql_(sql),
        limits_(limits),
        guard_(database),
        time_(database, limits.time, stopping),
        functions_(database, time_) {
    prepare();
  }

  std::string json() {
    std::string text = "{\"columns\": [";
    for (int column = 0; column < width(); ++column) text += (column == 0 ? "" : ", ") + store::json_string(cell_text(name(column)));
    text += "], \"rows\": [";
    size_t rows = 0;
    bool more = false;
    while (step()) {
      more = rows == limits_.rows || text.size() > limits_.bytes;
      if (more) break;
      const size_t row = text.size();
      text += rows == 0 ? "[" : ",\n[";
      for (int column = 0; column < width() && !more; ++column) {
        text += (column == 0 ? "" : ", ") + json_cell(statement_.get(), column);
        more = text.size() > limits_.bytes && column + 1 < width();  // the last cell may be the one that passes the limit
      }
      if (more) {  // a part of a row is none
        text.resize(row);
        break;
      }
      text += ']';
      ++rows;
    }
    return text + fmt::format("], \"more\": {}, \"seconds\": {:.6f}}}\n", more, time_.seconds());
  }

  std::string csv() {
    std::vector<std::string> fields;
    for (int column = 0; column < width(); ++column) fields.push_back(store::csv_field(name(column)));
    std::string text = store::csv_line(fields);
    for (size_t rows = 0; step(); ++rows) {
      if (rows == limits_.rows) fail_too_large();
      size_t bytes = text.size();
      for (int column = 0; column < width(); ++column) {
        if (bytes > limits_.bytes) fail_too_large();
        std::string& field = fields[static_cast<size_t>(column)];
        field = csv_cell(statement_.get(), column);
        bytes += field.size();
      }
      text += store::csv_line(fields);
    }
    return text;
  }

 private:
  [[noreturn]] void fail_too_large() const {
    throw Failed{fmt::format("the result has more than {} rows or {} MB; ask for less, or use `vmafbatch query --format csv`", limits_.rows,
                             limits_.bytes / 1'000'000),
                 {},
                 {}};
  }

  int width() const { return sqlite3_column_count(statement_.get()); }
  std::string_view name(int column) const {
    const char* const name = sqlite3_column_name(statement_.get(), column);
    return name == nullptr ? "" : name;
  }

  void prepare() {
    if (sql_.find('\0') != std::string::npos) throw Failed{"the SQL holds a zero byte", {}, {}};
    if (!is_utf8(sql_)) throw Failed{"the SQL is no UTF-8 text", {}, {}};
    const char* rest = sql_.c_str();
    statement_ = prepare_next(rest);
    if (!statement_) throw Failed{"there is no SQL; write a SELECT", {}, {}};
    while (*rest != '\0') {  // what follows may be white space and comments
      const int offset = static_cast<int>(rest - sql_.c_str());
      if (prepare_next(rest)) fail_at("this is more than one statement; run them one by one", offset);
    }
    if (sqlite3_stmt_readonly(statement_.get()) == 0) throw Failed{not_allowed("a change"), {}, {}};
  }

  StatementOwner prepare_next(const char*& rest) {
    guard_.begin_statement();
    const int begin = static_cast<int>(rest - sql_.c_str());
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(database_.getHandle(), rest, -1, &prepared, &rest);
    StatementOwner statement(prepared);
    if (code != SQLITE_OK) fail(code, begin);
    return statement;
  }

  bool step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) fail(code, 0);
    return false;
  }

  // begin: of the statement in the SQL.
  [[noreturn]] void fail(int code, int begin) {
    switch (code & 0xFF) {
      case SQLITE_INTERRUPT:
        throw Failed{
            fmt::format("the statement takes longer than {} s; ask for less", static_cast<double>(time_.limit().count()) / 1000), {}, {}};
      case SQLITE_NOMEM: throw Failed{"the statement needs too much memory; ask for less", {}, {}};
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
      case SQLITE_IOERR:
      case SQLITE_BUSY:
      case SQLITE_CANTOPEN: throw SQLite::Exception(database_.getHandle(), code);
      default: break;
    }
    const int offset = sqlite3_error_offset(database_.getHandle());
    const std::string sentence =
        guard_.denied().empty() ? store::line_text(sqlite3_errmsg(database_.getHandle())) : not_allowed(store::line_text(guard_.denied()));
    if (offset < 0) throw Failed{sentence, {}, {}};
    fail_at(sentence, begin + offset);
  }

  [[noreturn]] void fail_at(const std::string& sentence, int offset) const {
    const std::string_view before = std::string_view(sql_).substr(0, static_cast<size_t>(offset));
    const size_t line_end = before.rfind('\n');
    const std::string_view line = line_end == std::string_view::npos ? before : before.substr(line_end + 1);
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    throw Failed{sentence, static_cast<int>(std::ranges::count(before, '\n')) + 1,
                 static_cast<int>(std::ranges::count_if(line, begins_character)) + 1};
  }

  SQLite::Database& database_;
  const std::string& sql_;
  const SqlLimits& limits_;
  SqlGuard guard_;
  TimeGuard time_;
  BoundFunctions functions_;
  StatementOwner statement_;
};

template <class Make>
SqlAnswer answer(const std::string& database, const Make& make) {
  auto opened = store::UntrustedDatabase::open(database);
  if (!opened.ok()) return {"", SqlProblem{opened.error().message, {}, {}, true}};
  try {
    return {make((*opened)->database()), {}};
  } catch (const Failed& failed) {
    return {"", failed};
  } catch (const SQLite::Exception& exception) {
    return {"", SqlProblem{store::untrusted_error(database, exception).message, {}, {}, true}};
  }
}

}  // namespace

SqlAnswer sql_json(const std::string& database, const std::string& sql, const SqlLimits& limits, const std::atomic<bool>& stopping) {
  return answer(database, [&](SQLite::Database& opened) { return Console(opened, sql, limits, stopping).json(); });
}

SqlAnswer sql_csv(const std::string& database, const std::string& sql, const SqlLimits& limits, const std::atomic<bool>& stopping) {
  return answer(database, [&](SQLite::Database& opened) { return Console(opened, sql, limits, stopping).csv(); });
}

std::string problem_json(const SqlProblem& problem) {
  const auto number = [](const std::optional<int>& value) { return value ? std::to_string(*value) : "null"; };
  return fmt::format("{{\"error\": {}, \"line\": {}, \"column\": {}}}\n", store::json_string(problem.sentence), number(problem.line),
                     number(problem.column));
}

}  // namespace vmafbatch::report
