// Opening and closing: the lock, the schema, the journal.
#include <fmt/format.h>
#include <sqlite3.h>

#include "base/utf8.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {

Writer::Impl::Impl(std::string path, OpenOptions options, std::unique_ptr<DatabaseLock> lock, std::unique_ptr<SQLite::Database> database)
    : path_(std::move(path)), options_(std::move(options)), lock_(std::move(lock)), database_(std::move(database)) {}

Result<std::unique_ptr<Writer>> Writer::open(const std::string& path, const OpenOptions& options) {
  if (Status status = check_file(path); !status.ok()) return status.error();
  auto lock = DatabaseLock::take(path);
  if (!lock.ok()) return lock.error();
  std::unique_ptr<SQLite::Database> database;
  try {
    // A writer is used by one thread at a time, so SQLite's own mutexes would only cost time.
    database =
        std::make_unique<SQLite::Database>(uri_of((*lock)->real_path()), SQLite::OPEN_READWRITE | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX,
                                           static_cast<int>(options.patience.count()));
  } catch (const SQLite::Exception& exception) {
    (*lock)->remove_if_made();
    return database_error(path, exception);
  }
  auto impl = std::make_unique<Impl>(path, options, std::move(*lock), std::move(database));
  if (Status status = impl->guard([&] { return impl->prepare(); }); !status.ok()) {
    impl->failed = status.error();
    impl->closed = true;
    impl->release();
    return status.error();
  }
  return std::make_unique<Writer>(std::move(impl));
}

Error Writer::Impl::error_of(const SQLite::Exception& exception) {
  const auto cause = database_ ? no_room(*database_, exception) : std::nullopt;
  if (!cause) return database_error(path_, exception);
  return no_room_error(path_, *cause, has_stored_ ? "what was stored up to the last checkpoint is kept" : "nothing of this run is stored");
}

Status Writer::Impl::prepare() {
  if (lock_->was_left_behind())
    notes.push_back(fmt::format("{}: an earlier run was killed; its lock file was taken over", display_text(path_)));
  const bool fresh = is_empty(*database_);
  if (!fresh) {
    if (Status status = check_schema(*database_, path_); !status.ok()) return status;
    if (Status status = check_tables(*database_, path_); !status.ok()) return status;
  }
  if (options_.max_pages > 0) database_->exec(fmt::format("PRAGMA max_page_count = {}", options_.max_pages));
  if (fresh) create_schema(*database_);
  set_journal();
  database_->exec("PRAGMA cache_size = -65536");  // 64 MiB: the inner pages and those that open columns end in
  finished_ = database_->execAndGet("SELECT coalesce(max(finished), 0) FROM scoring").getInt64();
  note_unfinished();
  return {};
}

void Writer::Impl::note_unfinished() {
  const int unfinished = database_->execAndGet("SELECT count(*) FROM scoring WHERE status = 'running'").getInt();
  if (unfinished == 0) return;
  notes.push_back(fmt::format("{}: {} of an earlier run did not end", display_text(path_),
                              unfinished == 1 ? "1 scoring" : fmt::format("{} scorings", unfinished)));
}

void Writer::Impl::close() {
  closed = true;
  statements_.clear();
  identities_.reset();
  transaction_.reset();                 // after close()'s commit, or nothing to keep
  if (is_kept_back_) return release();  // all is stored, in a single file
  try {
    database_->exec("PRAGMA incremental_vacuum");
    database_->exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  } catch (const SQLite::Exception& exception) {
    if (exception.getErrorCode() != SQLITE_BUSY && exception.getErrorCode() != SQLITE_LOCKED) throw;
    const std::string file = display_text(lock_->real_path());
    notes.push_back(fmt::format("{}: another program is reading the database, so {}-wal and {}-shm stay beside it; copy them with it",
                                display_text(path_), file, file));
  }
  release();
}

void Writer::Impl::release() {
  statements_.clear();
  identities_.reset();
  transaction_.reset();
  database_.reset();
  if (failed && !has_stored_ && lock_) lock_->remove_if_made();
  lock_.reset();
}

}  // namespace vmafbatch::store
