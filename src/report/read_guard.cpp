#include "report/read_guard.h"

#include <fmt/format.h>
#include <sqlite3.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cctype>
#include <string_view>

#include "report/temporary_files.h"
#include "store/database.h"

namespace vmafbatch::report {
namespace {

// Some microseconds of usual steps; but a step that calls a function over the longest texts takes milliseconds.
constexpr int kStepsPerLook = 100;

// Calls that a statement may name. A row's calls are not interrupted: they take a second at most, all together.
constexpr int kMostCalls = 2'000;

// So much is sorted in one step, which nothing interrupts: 0.2 s where rows have hundreds of columns to compare, milliseconds where one.
// A file can ask for more of both, and is not asked.
constexpr int kSortedKib = 1'000;
constexpr int kLeastSortedPages = 16;

// SQLite's functions that compute something of their arguments (sqlite.org/lang_corefunc.html, lang_aggfunc.html, lang_mathfunc.html,
// lang_datefunc.html, windowfunctions.html, json1.html), but for those that make long blobs, load code, or tell of the library.
const std::set<std::string_view>& harmless_functions() {
  static const std::set<std::string_view> kNames = {
      "abs", "char", "coalesce", "format", "glob", "hex", "ifnull", "iif", "instr", "length", "like", "likelihood", "likely", "lower",
      "ltrim", "max", "min", "nullif", "printf", "quote", "random", "replace", "round", "rtrim", "sign", "substr", "substring", "trim",
      "typeof", "unicode", "unlikely", "upper",
      // aggregates and windows
      "avg", "count", "group_concat", "string_agg", "sum", "total", "median", "percentile", "row_number", "rank", "dense_rank",
      "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value", "nth_value",
      // mathematics
      "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp", "floor", "ln", "log",
      "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
      // time of day
      "date", "time", "datetime", "julianday", "strftime", "unixepoch", "timediff", "current_date", "current_time", "current_timestamp",
      // JSON
      "->", "->>", "json", "json_array", "json_array_length", "json_extract", "json_group_array", "json_group_object", "json_object",
      "json_patch", "json_quote", "json_type", "json_valid"};
  return kNames;
}

// How many calls of the usual functions (0.3 ms over the longest texts) one call takes as long as.
int calls_of(const std::string& function) {
  if (function == "json_patch") return 400;  // looks for each name of one object among those of the other
  if (function == "strftime") return 40;
  return function.starts_with("json") || function.starts_with("->") || function == "printf" || function == "format" ? 10 : 1;
}

std::string lower(const char* text) {
  std::string result;
  for (const char* at = text == nullptr ? "" : text; *at != '\0'; ++at) {
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
  }
  return result;
}

std::set<std::string> readable_tables(SQLite::Database& database) {
  std::set<std::string> names = {"sqlite_master", "sqlite_schema", "json_each", "json_tree"};
  SQLite::Statement statement(database,
                              "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND sql NOT LIKE 'CREATE VIRTUAL%'");
  while (statement.executeStep()) names.insert(lower(store::column_bytes(statement, 0).c_str()));
  return names;
}

void limit_statements(sqlite3* database) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLongestSqlText);
  sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, kLongestSqlText);
  sqlite3_limit(database, SQLITE_LIMIT_COLUMN, 500);
  sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 200);
  sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 100);
  sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 100'000);
  sqlite3_limit(database, SQLITE_LIMIT_FUNCTION_ARG, 50);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500);
  sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0);
}

int reads_only(void* /*unused*/, int action, const char* /*first*/, const char* /*second*/, const char* /*database*/,
               const char* /*trigger*/) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_TRANSACTION: return SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

}  // namespace

TimeGuard::TimeGuard(SQLite::Database& database, std::chrono::milliseconds limit, const std::atomic<bool>& stopping)
    : database_(database), limit_(limit), start_(std::chrono::steady_clock::now()), stopping_(stopping) {
  const auto look = [](void* self) { return static_cast<const TimeGuard*>(self)->is_over() ? 1 : 0; };
  sqlite3_progress_handler(database_.getHandle(), kStepsPerLook, look, this);
}

TimeGuard::~TimeGuard() { sqlite3_progress_handler(database_.getHandle(), 0, nullptr, nullptr); }

bool TimeGuard::is_over() const { return stopping_ || std::chrono::steady_clock::now() - start_ > limit_; }

double TimeGuard::seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

SqlGuard::SqlGuard(SQLite::Database& database) : database_(database), tables_(readable_tables(database)) {
  sqlite3* const handle = database.getHandle();
  database.exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE");
  database.exec(fmt::format("PRAGMA cache_size = -{}", kSortedKib));
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  // "x" is a name and never a text: a misspelt column is an error.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  limit_statements(handle);
  sqlite3_set_authorizer(handle, on_action, this);
}

SqlGuard::~SqlGuard() { sqlite3_set_authorizer(database_.getHandle(), nullptr, nullptr); }

int SqlGuard::on_action(void* self, int action, const char* first, const char* second, const char* /*database*/, const char* /*trigger*/) {
  // A table of a module declares itself by a change of the schema that is compiled and not run.
  if (action == SQLITE_UPDATE && lower(first) == "sqlite_master") return SQLITE_IGNORE;
  return static_cast<SqlGuard*>(self)->allows(action, first, second) ? SQLITE_OK : SQLITE_DENY;
}

bool SqlGuard::allows(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: return true;
    case SQLITE_READ:
      // Without a column it only asks whether there is a row; so do subqueries, whose names are of their own.
      if (second == nullptr || *second == '\0' || tables_.contains(lower(first))) return true;
      denied_ = fmt::format("the table {}", first);
      return false;
    case SQLITE_FUNCTION: return allows_function(second);
    case SQLITE_PRAGMA: denied_ = "PRAGMA"; return false;
    case SQLITE_ATTACH: denied_ = "ATTACH"; return false;
    case SQLITE_DETACH: denied_ = "DETACH"; return false;
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT: denied_ = "a transaction"; return false;
    default: denied_ = "a change"; return false;
  }
}

bool SqlGuard::allows_function(const char* name) {
  const std::string function = lower(name);
  calls_ += calls_of(function);
  if (harmless_functions().contains(function) && calls_ <= kMostCalls) return true;
  denied_ = calls_ > kMostCalls ? "a statement with so many functions" : fmt::format("the function {}", name);
  return false;
}

void SqlGuard::begin_statement() {
  denied_.clear();
  calls_ = 0;
}

void let_only_read(SQLite::Database& database) { sqlite3_set_authorizer(database.getHandle(), reads_only, nullptr); }

void limit_database_memory(long long bytes) {
  sqlite3_config(SQLITE_CONFIG_PMASZ, kLeastSortedPages);
  sqlite3_hard_heap_limit64(bytes);
  keep_temporary_files_in_memory();
#ifdef __GLIBC__
  constexpr int kHeaps = 2;  // glibc's usual number is eight for each processor, and each keeps what it had
  mallopt(M_ARENA_MAX, kHeaps);
#endif
}

void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace vmafbatch::report
