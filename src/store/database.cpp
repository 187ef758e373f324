#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "store/schema.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// How long a reader waits for a writer's checkpoint.
constexpr int kReadBusyMs = 10'000;

// A path as a "file:" URI (sqlite.org/uri.html): what has a meaning there is written as %HH.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  // "file:a" and "file:/a" are paths; "file://a" would be a host.
  if (path.starts_with("//")) uri += "//";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-_.~", c) != nullptr;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::unique_ptr<SQLite::Database> open_uri(const std::string& path, const char* parameters) {
  auto database = std::make_unique<SQLite::Database>(uri_of(path) + parameters,
                                                     SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX, kReadBusyMs);
  database->exec("PRAGMA query_only = ON");
  database->execAndGet("SELECT count(*) FROM sqlite_master");  // the first read: only now SQLite looks at the file
  return database;
}

bool has_wal(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path + "-wal", error);
  return !error && size > 0;
}

// WAL mode needs a shared-memory file. In a read-only folder there is none and none can be made; at rest the file alone is the database.
std::unique_ptr<SQLite::Database> open_at_rest_too(const std::string& path) {
  try {
    return open_uri(path, "?mode=ro");
  } catch (const SQLite::Exception& exception) {
    const int code = exception.getErrorCode();
    if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || has_wal(path)) throw;
    return open_uri(path, "?mode=ro&immutable=1");
  }
}

}  // namespace

Error database_error(const std::string& path, const SQLite::Exception& exception) {
  const std::string name = display_text(path);
  switch (exception.getErrorCode()) {
    case SQLITE_FULL:
      return Error{fmt::format("{}: the disk is full; what was stored up to the last checkpoint is kept, make room and run again", name)};
    case SQLITE_READONLY:
      return Error{fmt::format("{}: the database or its folder is read-only; choose a place that can be written", name)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return Error{fmt::format("{}: cannot be opened ({}); check its folder and its permissions", name, exception.what())};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Error{fmt::format("{}: another program has locked the database; close it there and run again", name)};
    case SQLITE_NOTADB: return Error{fmt::format("{}: this file is no vmafbatch database; name another one", name)};
    case SQLITE_CORRUPT: return Error{fmt::format("{}: the database is damaged ({}); restore it from a copy", name, exception.what())};
    case SQLITE_IOERR:
      return Error{fmt::format("{}: reading or writing failed ({}); check the disk, then run again", name, exception.what())};
    default: return Error{fmt::format("{}: {}", name, exception.what())};
  }
}

Status check_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error{fmt::format("{}: this is a folder; name a file for the database", display_text(path))};
  }
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return {};
  std::ifstream file(path, std::ios::binary);
  std::array<char, 16> head{};
  file.read(head.data(), head.size());
  if (!file && !file.eof()) return {};  // SQLite will say why it cannot be read
  if (!file.is_open()) return {};
  // sqlite.org/fileformat.html: the first 16 bytes.
  if (std::memcmp(head.data(), "SQLite format 3", head.size()) == 0) return {};
  return Error{fmt::format("{}: this file is no vmafbatch database; name another one", display_text(path))};
}

bool is_empty(SQLite::Database& database) { return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0; }

Status check_schema(SQLite::Database& database, const std::string& path) {
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (database.execAndGet("PRAGMA application_id").getInt() != kApplicationId || version < 1) {
    return Error{fmt::format("{}: this is a database of another program; name another one", display_text(path))};
  }
  if (version > kSchemaVersion) {
    return Error{fmt::format("{}: the database has schema version {}, this program knows versions up to {}; use a newer vmafbatch",
                             display_text(path), version, kSchemaVersion)};
  }
  return {};
}

Result<std::unique_ptr<SQLite::Database>> open_read_only(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Error{fmt::format("{}: there is no such file; check the name of the database", display_text(path))};
  }
  if (Status status = check_file(path); !status.ok()) return status.error();
  try {
    auto database = open_at_rest_too(path);
    if (is_empty(*database)) {
      return Error{fmt::format("{}: the database is empty; `vmafbatch score` fills one", display_text(path))};
    }
    if (Status status = check_schema(*database, path); !status.ok()) return status.error();
    return database;
  } catch (const SQLite::Exception& exception) {
    return database_error(path, exception);
  }
}

void bind_bytes(SQLite::Statement& statement, int index, std::string_view bytes) {
  if (bytes.find('\0') == std::string_view::npos && is_utf8(bytes)) {
    statement.bind(index, std::string(bytes));
  } else {
    statement.bind(index, bytes.data(), static_cast<int>(bytes.size()));
  }
}

std::string column_bytes(const SQLite::Statement& statement, int index) { return statement.getColumn(index).getString(); }

}  // namespace vmafbatch::store
