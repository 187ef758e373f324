#include "report/sql_functions.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <string.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <unordered_set>

namespace vmafbatch::report {
namespace {

using Arguments = sqlite3_value**;

bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The value as a text; a blob's bytes are one.
std::string_view text_of(sqlite3_value* value) {
  const unsigned char* const text = sqlite3_value_text(value);
  if (text == nullptr) throw std::bad_alloc();  // no value is NULL here
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(sqlite3_value_bytes(value))};
}

std::string_view blob_of(sqlite3_value* value) {
  const void* const bytes = sqlite3_value_blob(value);
  return {bytes == nullptr ? "" : static_cast<const char*>(bytes), static_cast<size_t>(sqlite3_value_bytes(value))};
}

void give_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

// memmem() takes time linear in both; std::search and find() do not.
size_t find(std::string_view text, std::string_view wanted, size_t from = 0) {
  const void* const at = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  return at == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(at) - text.data());
}

std::string_view first_character(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && is_inside_character(text[length])) ++length;
  return text.substr(0, length);
}

std::string_view last_character(std::string_view text) {
  size_t begin = text.size() - 1;
  while (begin > 0 && is_inside_character(text[begin])) --begin;
  return text.substr(begin);
}

enum Sides { kLeft = 1, kRight = 2, kBoth = 3 };

template <Sides kSides>
void trim(sqlite3_context* context, int /*count*/, Arguments arguments) {
  std::string_view text = text_of(arguments[0]);
  std::string_view rest = text_of(arguments[1]);
  std::unordered_set<std::string_view> characters;
  while (!rest.empty()) {
    const std::string_view character = first_character(rest);
    characters.insert(character);
    rest.remove_prefix(character.size());
  }
  while ((kSides & kLeft) != 0 && !text.empty() && characters.contains(first_character(text))) {
    text.remove_prefix(first_character(text).size());
  }
  while ((kSides & kRight) != 0 && !text.empty() && characters.contains(last_character(text))) {
    text.remove_suffix(last_character(text).size());
  }
  give_text(context, text);
}

// Two blobs are compared by bytes, all else by characters.
void instr(sqlite3_context* context, int /*count*/, Arguments arguments) {
  const bool by_bytes = sqlite3_value_type(arguments[0]) == SQLITE_BLOB && sqlite3_value_type(arguments[1]) == SQLITE_BLOB;
  const std::string_view text = by_bytes ? blob_of(arguments[0]) : text_of(arguments[0]);
  const std::string_view wanted = by_bytes ? blob_of(arguments[1]) : text_of(arguments[1]);
  const size_t at = wanted.empty() ? 0 : find(text, wanted);
  if (at == std::string_view::npos) {
    sqlite3_result_int64(context, 0);
    return;
  }
  const std::string_view before = text.substr(0, at);
  const auto inside = by_bytes ? 0 : std::ranges::count_if(before, is_inside_character);
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(at) - inside + 1);
}

void replace(sqlite3_context* context, int /*count*/, Arguments arguments) {
  const std::string_view text = text_of(arguments[0]), wanted = text_of(arguments[1]), by = text_of(arguments[2]);
  if (wanted.empty()) {
    sqlite3_result_value(context, arguments[0]);
    return;
  }
  const auto longest = static_cast<size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
  std::string result;
  size_t done = 0;
  for (size_t at = find(text, wanted); at != std::string_view::npos && result.size() <= longest; at = find(text, wanted, done)) {
    result.append(text.substr(done, at - done)).append(by);
    done = at + wanted.size();
  }
  result.append(text.substr(done));
  if (result.size() > longest) {
    sqlite3_result_error_toobig(context);
  } else {
    give_text(context, result);
  }
}

// Where the library is built so that LIKE and GLOB match no blob.
bool is_no_text(Arguments arguments) {
  static const bool kNoBlobs = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") != 0;
  return kNoBlobs && (sqlite3_value_type(arguments[0]) == SQLITE_BLOB || sqlite3_value_type(arguments[1]) == SQLITE_BLOB);
}

// Whether the pattern, the first argument, may be looked for.
bool check_pattern(sqlite3_context* context, std::string_view pattern) {
  const int longest = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1);
  if (static_cast<int>(pattern.size()) <= longest) return true;
  sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  return false;
}

// The code point of a text that is one character.
bool read_escape(sqlite3_context* context, std::string_view text, unsigned int& escape) {
  if (text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80 && text != "%" && text != "_") {
    escape = static_cast<unsigned char>(text[0]);
    return true;
  }
  sqlite3_result_error(context, "ESCAPE must be one character of ASCII, and neither % nor _", -1);
  return false;
}

void like(sqlite3_context* context, int count, Arguments arguments) {
  const std::string_view pattern = text_of(arguments[0]), text = text_of(arguments[1]);
  unsigned int escape = 0;
  if (!check_pattern(context, pattern) || (count == 3 && !read_escape(context, text_of(arguments[2]), escape))) return;
  sqlite3_result_int(context, sqlite3_strlike(pattern.data(), text.data(), escape) == 0 ? 1 : 0);
}

void glob(sqlite3_context* context, int /*count*/, Arguments arguments) {
  const std::string_view pattern = text_of(arguments[0]), text = text_of(arguments[1]);
  if (check_pattern(context, pattern)) sqlite3_result_int(context, sqlite3_strglob(pattern.data(), text.data()) == 0 ? 1 : 0);
}

BoundFunctions& functions_of(sqlite3_context* context) { return *static_cast<BoundFunctions*>(sqlite3_user_data(context)); }

void format(sqlite3_context* context, int count, Arguments arguments) {
  if (count == 0) return;
  sqlite3_stmt* const statement = functions_of(context).format(count);
  for (int i = 0; i < count; ++i) sqlite3_bind_value(statement, i + 1, arguments[i]);
  const int code = sqlite3_step(statement);
  if (code != SQLITE_ROW) {
    sqlite3_result_error_code(context, code);
  } else if (sqlite3_column_int(statement, 1) != 0) {
    sqlite3_result_error_toobig(context);
  } else {
    sqlite3_result_value(context, sqlite3_column_value(statement, 0));
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

enum class Nulls { kGiveNull, kAreText };

// Of functions of texts: a pattern and a blob do not match, whatever the other is; else a NULL gives NULL.
template <void (*kCompute)(sqlite3_context*, int, Arguments), bool kIsPattern = false, Nulls kNulls = Nulls::kGiveNull>
void call(sqlite3_context* context, int count, Arguments arguments) {
  if (functions_of(context).is_over()) return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  if (kIsPattern && is_no_text(arguments)) return sqlite3_result_int(context, 0);
  const auto is_null = [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; };
  if (kNulls == Nulls::kGiveNull && std::any_of(arguments, arguments + count, is_null)) return;
  try {
    kCompute(context, count, arguments);
  } catch (const std::bad_alloc&) {  // must not go through SQLite
    sqlite3_result_error_nomem(context);
  } catch (const SQLite::Exception& exception) {
    sqlite3_result_error_code(context, exception.getErrorCode());
  }
}

struct Function {
  const char* name;
  int arguments;
  void (*call)(sqlite3_context*, int, Arguments);
};

constexpr int kAnyNumber = -1;
constexpr auto kFormat = call<format, false, Nulls::kAreText>;
constexpr Function kFunctions[] = {{"format", kAnyNumber, kFormat}, {"printf", kAnyNumber, kFormat},  {"trim", 2, call<trim<kBoth>>},
                                   {"ltrim", 2, call<trim<kLeft>>}, {"rtrim", 2, call<trim<kRight>>}, {"instr", 2, call<instr>},
                                   {"replace", 3, call<replace>},   {"like", 2, call<like, true>},    {"like", 3, call<like, true>},
                                   {"glob", 2, call<glob, true>}};

}  // namespace

void FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

BoundFunctions::BoundFunctions(SQLite::Database& database, const TimeGuard& time)
    : time_(time), plain_(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE) {
  sqlite3* const handle = database.getHandle();
  sqlite3_limit(plain_.getHandle(), SQLITE_LIMIT_LENGTH, sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1));
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const Function& function : kFunctions) {
    const int code =
        sqlite3_create_function_v2(handle, function.name, function.arguments, kFlags, this, function.call, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw SQLite::Exception(handle, code);
  }
}

// format() is NULL where its text is too long, and where it puts nothing into it: with a letter before it, only the former is left.
sqlite3_stmt* BoundFunctions::format(int parameters) {
  StatementOwner& statement = formats_[parameters];
  if (statement) return statement.get();
  std::string rest;
  for (int i = 2; i <= parameters; ++i) rest += fmt::format(", ?{}", i);
  const std::string sql = fmt::format(
      "SELECT made, made IS NULL AND ?1 IS NOT NULL AND format('x' || ?1{0}) IS NULL FROM (SELECT format(?1{0}) AS made)", rest);
  sqlite3_stmt* prepared = nullptr;
  plain_.check(sqlite3_prepare_v2(plain_.getHandle(), sql.c_str(), -1, &prepared, nullptr));
  statement.reset(prepared);
  return prepared;
}

}  // namespace vmafbatch::report
