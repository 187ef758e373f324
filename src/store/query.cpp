#include "store/query.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <ostream>
#include <set>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "store/database.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// Rows that a table looks at before it decides how wide its columns are.
constexpr size_t kTableSample = 1000;
// Digits of a number in a table; csv and json give all.
constexpr int kTableDigits = 8;

struct Cell {
  std::string text;
  bool is_number = false;
};
using Row = std::vector<Cell>;

std::vector<std::string> column_names(const SQLite::Statement& statement) {
  std::vector<std::string> names;
  for (int index = 0; index < statement.getColumnCount(); ++index) names.emplace_back(statement.getColumnName(index));
  return names;
}

// -- Table --------------------------------------------------------------------------------------------------------------------------

Row table_row(const SQLite::Statement& statement) {
  Row row;
  for (int index = 0; index < statement.getColumnCount(); ++index) {
    const SQLite::Column column = statement.getColumn(index);
    if (column.isInteger()) {
      row.push_back({std::to_string(column.getInt64()), true});
    } else if (column.isFloat()) {
      row.push_back({format_general(column.getDouble(), kTableDigits), true});
    } else {
      row.push_back({display_text(column.getString()), false});
    }
  }
  return row;
}

// Characters, not bytes: the continuation bytes of UTF-8 take no place.
size_t display_width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void print_table_row(const Row& row, const std::vector<size_t>& widths, std::ostream& out) {
  std::string line;
  for (size_t index = 0; index < row.size(); ++index) {
    const std::string padding(widths[index] - std::min(widths[index], display_width(row[index].text)), ' ');
    if (index > 0) line += "  ";
    line += row[index].is_number ? padding + row[index].text : row[index].text + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

void print_table(SQLite::Statement& statement, std::ostream& out) {
  Row header;
  std::vector<size_t> widths;
  for (const std::string& name : column_names(statement)) {
    header.push_back({display_text(name), false});
    widths.push_back(display_width(header.back().text));
  }
  std::vector<Row> sample;
  bool more = statement.executeStep();
  for (; more && sample.size() < kTableSample; more = statement.executeStep()) {
    sample.push_back(table_row(statement));
    for (size_t index = 0; index < widths.size(); ++index) {
      widths[index] = std::max(widths[index], display_width(sample.back()[index].text));
    }
  }
  for (size_t index = 0; index < widths.size() && !sample.empty(); ++index) header[index].is_number = sample.front()[index].is_number;
  print_table_row(header, widths, out);
  for (const Row& row : sample) print_table_row(row, widths, out);
  for (; more; more = statement.executeStep()) print_table_row(table_row(statement), widths, out);
}

// -- CSV ----------------------------------------------------------------------------------------------------------------------------

std::string csv_cell(const SQLite::Column& column) {
  if (column.isNull()) return {};
  if (column.isInteger()) return std::to_string(column.getInt64());
  if (column.isFloat()) return format_double(column.getDouble());
  return csv_field(column.getString());
}

void print_csv(SQLite::Statement& statement, std::ostream& out) {
  std::vector<std::string> fields;
  for (const std::string& name : column_names(statement)) fields.push_back(csv_field(name));
  out << csv_line(fields);
  while (statement.executeStep()) {
    for (size_t index = 0; index < fields.size(); ++index) fields[index] = csv_cell(statement.getColumn(static_cast<int>(index)));
    out << csv_line(fields);
  }
}

// -- JSON ---------------------------------------------------------------------------------------------------------------------------

std::string json_cell(const SQLite::Column& column) {
  if (column.isNull()) return "null";
  if (column.isInteger()) return std::to_string(column.getInt64());
  if (column.isFloat()) return json_number(column.getDouble());
  return json_string(column.getString());
}

// Two columns of one name would be two members of one name: the later ones get _2, _3 ...
std::vector<std::string> member_names(const SQLite::Statement& statement) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const std::string& name : column_names(statement)) {
    std::string unique = name;
    for (int number = 2; !seen.insert(unique).second; ++number) unique = fmt::format("{}_{}", name, number);
    names.push_back(json_string(unique));
  }
  return names;
}

void print_json(SQLite::Statement& statement, std::ostream& out) {
  const std::vector<std::string> names = member_names(statement);
  out << '[';
  const char* separator = "\n";
  while (statement.executeStep()) {
    std::string line = "  {";
    for (size_t index = 0; index < names.size(); ++index) {
      line += (index == 0 ? "" : ", ") + names[index] + ": " + json_cell(statement.getColumn(static_cast<int>(index)));
    }
    out << separator << line << '}';
    separator = ",\n";
  }
  out << "\n]\n";
}

// -- SQL ----------------------------------------------------------------------------------------------------------------------------

Error sql_error(std::string_view reason) { return Error{fmt::format("the SQL cannot be run: {}", reason)}; }

// One statement that reads, and nothing behind it.
Status check_sql(SQLite::Database& database, const std::string& sql) {
  sqlite3_stmt* prepared = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database.getHandle(), sql.c_str(), -1, &prepared, &rest);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> owner(prepared, sqlite3_finalize);
  if (code != SQLITE_OK) return sql_error(sqlite3_errmsg(database.getHandle()));
  if (prepared == nullptr) return sql_error("it is empty; write a SELECT");
  if (sqlite3_stmt_readonly(prepared) == 0) return sql_error("it writes, and query only reads");
  for (sqlite3_stmt* next = nullptr; *rest != '\0';) {  // what follows may be white space and comments
    const bool wrong = sqlite3_prepare_v2(database.getHandle(), rest, -1, &next, &rest) != SQLITE_OK;
    const bool another = next != nullptr;
    sqlite3_finalize(next);
    if (wrong || another) return sql_error("it is more than one statement; run them one by one");
  }
  return {};
}

}  // namespace

Status run_query(const std::string& database, const std::string& sql, OutputFormat format, std::ostream& out) {
  auto opened = open_read_only(database);
  if (!opened.ok()) return opened.error();
  if (Status status = check_sql(**opened, sql); !status.ok()) return status;
  try {
    SQLite::Statement statement(**opened, sql);
    switch (format) {
      case OutputFormat::kTable: print_table(statement, out); break;
      case OutputFormat::kCsv: print_csv(statement, out); break;
      case OutputFormat::kJson: print_json(statement, out); break;
    }
  } catch (const SQLite::Exception& exception) {
    const int code = exception.getErrorCode();
    const bool of_file = code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR || code == SQLITE_BUSY;
    return of_file ? database_error(database, exception) : sql_error(exception.what());
  }
  out.flush();
  if (!out) return Error{"the output cannot be written; check its place and the room there"};
  return {};
}

}  // namespace vmafbatch::store
