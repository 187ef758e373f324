#include "store/untrusted.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/utf8.h"
#include "store/database.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// A text or row of ours is far shorter: the longest is a command line, of which 64 KiB are kept (base/machine.h).
constexpr int kLongestBytes = 1'000'000;
// SQLite's progress handler ticks after so many steps of its machine; three hundred for one row are some seconds. Pages that
// point at each other in a ring would keep it busy for ever.
constexpr int kStepsPerTick = 1'000'000;
constexpr int kMostTicks = 300;

int count_tick(void* ticks) { return ++*static_cast<int*>(ticks) > kMostTicks ? 1 : 0; }

}  // namespace

Error untrusted_error(const std::string& path, const SQLite::Exception& exception) {
  switch (exception.getErrorCode()) {
    case SQLITE_INTERRUPT: return database_error(path, SQLite::Exception("reading it does not come to an end", SQLITE_CORRUPT));
    case SQLITE_TOOBIG: return database_error(path, SQLite::Exception("a text in it is too long", SQLITE_CORRUPT));
    case SQLITE_ERROR:
      return Error{fmt::format("{}: its tables are not those of a vmafbatch database ({}); name another one", display_text(path),
                               line_text(exception.what()))};
    default: return database_error(path, exception);
  }
}

UntrustedDatabase::UntrustedDatabase(std::string path, std::unique_ptr<SQLite::Database> database)
    : path_(std::move(path)), database_(std::move(database)) {
  sqlite3* handle = database_->getHandle();
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestBytes);
  sqlite3_progress_handler(handle, kStepsPerTick, count_tick, &ticks_);
  // sqlite.org/security.html: what a file of unknown origin wants.
  database_->exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

UntrustedDatabase::~UntrustedDatabase() = default;

Result<std::unique_ptr<UntrustedDatabase>> UntrustedDatabase::open(const std::string& path) {
  auto opened = open_read_only(path);
  if (!opened.ok()) return opened.error();
  try {
    auto database = std::make_unique<UntrustedDatabase>(path, std::move(*opened));
    if (Status status = database->check_content(); !status.ok()) return status.error();
    return database;
  } catch (const SQLite::Exception& exception) {
    return untrusted_error(path, exception);
  }
}

// A view in a table's place, or a computed column, would run whatever its author wrote.
Status UntrustedDatabase::check_content() {
  if (Status status = check_tables(*database_, path_); !status.ok()) return status;
  const auto wrong = [this](const std::string& what) {
    return Error{fmt::format("{}: {}; it is damaged or was changed by another program, restore it from a copy", display_text(path_), what)};
  };
  if (database_->execAndGet("PRAGMA encoding").getString() != "UTF-8") return wrong("its texts are not stored as UTF-8");
  SQLite::Statement computed(
      *database_, "SELECT t.name FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND c.hidden <> 0");
  if (computed.executeStep()) return wrong(fmt::format("its table {} has computed columns", line_text(column_bytes(computed, 0))));
  return {};
}

}  // namespace vmafbatch::store
