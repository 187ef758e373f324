#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/named_file.h"
#include "base/utf8.h"
#include "store/raw_statement.h"
#include "store/schema.h"
#include "store/schema_sql.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// How long a reader waits for a writer's checkpoint.
constexpr int kReadBusyMs = 10'000;

std::unique_ptr<SQLite::Database> open_uri(const std::string& path, const char* parameters) {
  auto database = std::make_unique<SQLite::Database>(uri_of(path) + parameters,
                                                     SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX, kReadBusyMs);
  database->exec("PRAGMA query_only = ON");
  database->execAndGet("SELECT count(*) FROM sqlite_master");  // the first read: only now SQLite looks at the file
  return database;
}

// SQLite follows links: its files lie beside the file, not beside a link.
std::string beside(const std::string& path, const char* suffix) {
  const auto real_path = followed_links(path);
  return (real_path.ok() ? *real_path : path) + suffix;
}

// A write-ahead log or a rollback journal that is not empty: the file alone is not the database.
bool has_journal(const std::string& path) {
  const auto holds_bytes = [&](const char* suffix) {
    std::error_code error;
    const auto size = std::filesystem::file_size(beside(path, suffix), error);
    return !error && size > 0;
  };
  return holds_bytes("-wal") || holds_bytes("-journal");
}

// The head of a database file (sqlite.org/fileformat.html).
using FileHead = std::array<char, 100>;
constexpr std::string_view kMagic("SQLite format 3\0", 16);  // with the zero behind it
constexpr std::size_t kApplicationIdPlace = 68;

// The first bytes of a file, zeros behind its end; nothing where it cannot be read.
std::optional<FileHead> read_head(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  FileHead head{};
  file.read(head.data(), head.size());
  if (!file.is_open() || (!file && !file.eof())) return std::nullopt;
  return head;
}

// WAL mode needs a shared-memory file. In a read-only folder there is none and none can be made; at rest the file alone is the database.
std::unique_ptr<SQLite::Database> open_at_rest_too(const std::string& path) {
  try {
    return open_uri(path, "?mode=ro");
  } catch (const SQLite::Exception& exception) {
    const int code = exception.getErrorCode();
    if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || has_journal(path)) throw;
    return open_uri(path, "?mode=ro&immutable=1");
  }
}

}  // namespace

std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  // "file:/a" is a path, "file://a" would be a host. A relative path begins with "./", or a file named ":memory:" would be no file.
  if (path.starts_with("//")) uri += "//";
  if (!path.starts_with("/")) uri += "./";
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/-_.~", c) != nullptr;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Error database_error(const std::string& path, const SQLite::Exception& exception) {
  const std::string name = display_text(path);
  const std::string what = line_text(exception.what());  // SQLite quotes what it found in the file
  if (exception.getExtendedErrorCode() == SQLITE_READONLY_DBMOVED || exception.getErrorCode() == SQLITE_READONLY_DBMOVED) {
    return Error{
        fmt::format("{}: the file or its folder was moved or deleted while it was written; put it back, or run again to begin anew", name)};
  }
  if (exception.getExtendedErrorCode() == SQLITE_READONLY_ROLLBACK) {
    return Error{fmt::format(
        "{}: a run was killed in the middle of a change to it; run `vmafbatch score` on it again, which takes the change back", name)};
  }
  switch (exception.getErrorCode()) {
    case SQLITE_FULL: return no_room_error(path, NoRoom::kDisk, "nothing was changed");
    case SQLITE_READONLY:
      return Error{fmt::format("{}: the database or its folder is read-only; choose a place that can be written", name)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return Error{fmt::format("{}: cannot be opened ({}); check its folder and its permissions", name, what)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Error{fmt::format("{}: another program has locked the database; close it there and run again", name)};
    case SQLITE_NOTADB: return Error{fmt::format("{}: this file is no vmafbatch database; name another one", name)};
    case SQLITE_CORRUPT: return Error{fmt::format("{}: the database is damaged ({}); restore it from a copy", name, what)};
    case SQLITE_IOERR: return Error{fmt::format("{}: reading or writing failed ({}); check the disk, then run again", name, what)};
    case SQLITE_CONSTRAINT:
      return Error{
          fmt::format("{}: what it holds contradicts what was to be stored ({}): it is damaged, or another program changed it; "
                      "`vmafbatch verify` looks what is wrong, use another database until then",
                      name, what)};
    case SQLITE_NOMEM: return Error{fmt::format("{}: there is not enough memory; end other programs and run again", name)};
    case SQLITE_ERROR:
      return Error{fmt::format(
          "{}: its tables are not those of a vmafbatch database ({}): another program changed it; restore it from a copy", name, what)};
    default: return Error{fmt::format("{}: the database cannot be used ({}); `vmafbatch verify` looks for damage", name, what)};
  }
}

std::optional<NoRoom> no_room(SQLite::Database& database, const SQLite::Exception& exception) {
  const int last_error = errno;
  switch (exception.getErrorCode()) {
    case SQLITE_FULL: return NoRoom::kDisk;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: {
      // SQLite 3.40 does not note the number where a COMMIT fails; nothing has failed in this thread since.
      const auto noted = no_room(sqlite3_system_errno(database.getHandle()));
      return noted ? noted : no_room(last_error);
    }
    default: return std::nullopt;
  }
}

void throw_damage(const std::string& what) { throw SQLite::Exception(what, SQLITE_CORRUPT); }

namespace {

[[noreturn]] void throw_frames(const std::string& frames) {
  throw_damage(fmt::format("a scoring has \"{}\" frames, which no clip has", line_text(frames)));
}

}  // namespace

std::int64_t checked_frames(std::int64_t frames) {
  if (frames < 0 || frames > kMostFrames) throw_frames(std::to_string(frames));
  return frames;
}

std::optional<std::int64_t> column_frames(const SQLite::Statement& statement, int index) {
  const SQLite::Column column = statement.getColumn(index);
  if (column.isNull()) return std::nullopt;
  if (!column.isInteger()) throw_frames(column_bytes(statement, index));
  return checked_frames(column.getInt64());
}

std::optional<std::int64_t> column_frames(const RawStatement& statement, int index) {
  if (statement.is_null(index)) return std::nullopt;
  if (!statement.is_integer(index)) throw_frames(statement.bytes(index));
  return checked_frames(statement.integer(index));
}

bool is_database_file(const std::string& path) {
  const auto head = read_head(path);
  return head && std::string_view(head->data(), kMagic.size()) == kMagic;
}

std::optional<std::int32_t> application_id_of(const std::string& path) {
  const auto head = read_head(path);
  if (!head || std::string_view(head->data(), kMagic.size()) != kMagic) return std::nullopt;
  std::uint32_t id = 0;  // big-endian
  for (std::size_t at = kApplicationIdPlace; at < kApplicationIdPlace + 4; ++at) id = id << 8 | static_cast<unsigned char>((*head)[at]);
  return static_cast<std::int32_t>(id);
}

Status check_file(const std::string& path) {
  if (path.empty()) return Error{"the name of the database is empty; name a file"};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return Error{fmt::format("{}: this is a folder; name a file for the database", display_text(path))};
  }
  if (Status status = refuse_special(path); !status.ok()) return status;
  for (const char* suffix : kJournals) {
    if (Status status = refuse_special(beside(path, suffix)); !status.ok()) return status;
  }
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return {};
  if (!read_head(path) || is_database_file(path)) return {};  // what cannot be read: SQLite will say why
  return Error{fmt::format("{}: this file is no vmafbatch database; name another one", display_text(path))};
}

bool is_empty(SQLite::Database& database) { return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0; }

Status check_schema(SQLite::Database& database, const std::string& path) {
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  if (database.execAndGet("PRAGMA application_id").getInt() == kUnfinishedMergeId) {
    return Error{fmt::format("{}: a merge is writing this file, or was ended while it did; merge again", display_text(path))};
  }
  if (database.execAndGet("PRAGMA application_id").getInt() != kApplicationId || version < 1) {
    return Error{fmt::format("{}: this is a database of another program; name another one", display_text(path))};
  }
  if (version > kSchemaVersion) {
    return Error{fmt::format("{}: the database has schema version {}, this program knows versions up to {}; use a newer vmafbatch",
                             display_text(path), version, kSchemaVersion)};
  }
  return {};
}

Status check_tables(SQLite::Database& database, const std::string& path) {
  SQLite::Statement find(database, "SELECT count(*) FROM sqlite_master WHERE name = ? AND type = 'table' AND sql LIKE 'CREATE TABLE%'");
  for (const char* table :
       {"run", "clip", "tag", "scoring", "scoring_model", "scoring_extractor", "feature", "scoring_feature", "frame_score",
        "aggregate_score", "pooled_score", "measurement", "frame_time", "feature_backend", "failure", "warning"}) {
    find.reset();
    find.bind(1, table);
    if (find.executeStep() && find.getColumn(0).getInt() == 1) continue;
    return Error{
        fmt::format("{}: the database has no table \"{}\"; it is damaged or was changed by another program, restore it from a copy",
                    display_text(path), table)};
  }
  return {};
}

void create_schema(SQLite::Database& database, int application_id) {
  // Pages that a finished scoring's measurements leave free go back to the file system at close.
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  database.exec(std::string(kSchemaSql));
  database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, kSchemaVersion));
  transaction.commit();
}

Result<std::unique_ptr<SQLite::Database>> open_read_only(const std::string& path) {
  if (Status status = check_file(path); !status.ok()) return status.error();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Error{fmt::format("{}: there is no such file; check the name of the database", display_text(path))};
  }
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

static_assert(std::endian::native == std::endian::little, "measurement.words is little endian");

std::vector<std::uint64_t> column_words(const SQLite::Statement& statement, int index) {
  const SQLite::Column column = statement.getColumn(index);
  const void* const bytes = column.getBlob();
  std::vector<std::uint64_t> words(static_cast<size_t>(column.getBytes()) / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes, words.size() * sizeof(std::uint64_t));
  return words;
}

}  // namespace vmafbatch::store
