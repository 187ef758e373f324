// Journals and commits. In WAL mode no reader keeps a commit back. But a database at rest is not in WAL mode (it is a single file that
// any client reads), and to enter it nobody may be reading. So a reader that was there before the run would stop it: a commit has to
// wait for all readers outside WAL mode. Instead the run goes on in one open transaction, which readers do not mind, until they are gone.
#include <fmt/format.h>
#include <sqlite3.h>

#include <thread>

#include "base/utf8.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {
namespace {

// How long a commit waits for readers on a network mount.
constexpr int kSharedWriteBusyMs = 600'000;
constexpr std::chrono::milliseconds kPoll{100};

bool is_busy(const SQLite::Exception& exception) {
  return exception.getErrorCode() == SQLITE_BUSY || exception.getErrorCode() == SQLITE_LOCKED;
}

}  // namespace

void Writer::Impl::set_journal() {
  const bool network = is_network_mount(lock_->real_path());
  if (network) {
    notes.push_back(
        fmt::format("{}: the database is on a network mount; it is written without WAL, so readers may have to wait", display_text(path_)));
  }
  database_->exec("PRAGMA synchronous = FULL");
  if (network || options_.avoid_wal) {
    database_->exec("PRAGMA journal_mode = DELETE");
    database_->setBusyTimeout(kSharedWriteBusyMs);
  } else if (!enter_wal()) {
    wait_for_readers_from_now_on();
  }
}

// False where somebody reads or writes.
bool Writer::Impl::enter_wal() {
  try {
    database_->exec("PRAGMA journal_mode = WAL");
  } catch (const SQLite::Exception& exception) {
    if (!is_busy(exception)) throw;
    return false;
  }
  // NORMAL would sync the write-ahead log only when it is copied into the database: a power cut would take back the commits since then.
  if (!options_.sync_commits) database_->exec("PRAGMA synchronous = NORMAL");
  database_->exec("PRAGMA wal_autocheckpoint = 8192");  // 32 MiB of pages: fewer, longer writes than the default of 4 MiB
  database_->exec("PRAGMA cache_spill = ON");
  is_kept_back_ = false;
  return true;
}

void Writer::Impl::wait_for_readers_from_now_on() {
  database_->exec("PRAGMA cache_spill = OFF");  // pages that do not fit the cache would have to go to the file, under the readers
  ensure_transaction();                         // throws where it is no reader that is there but somebody who writes
  is_kept_back_ = true;
  notes.push_back(
      fmt::format("{}: {} reads the database since before this run; what is scored waits in memory until it is done, and is lost "
                  "if this run is killed before",
                  display_text(path_), lock_->reader().value_or("another program")));
}

void Writer::Impl::commit_transaction() {
  if (!transaction_) return;
  // SQLite itself would write on into a file that has lost its name.
  int moved = 0;
  sqlite3_file_control(database_->getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0) throw SQLite::Exception("the file has moved", SQLITE_READONLY_DBMOVED);
  for (auto& [sql, prepared] : statements_) prepared.reset();  // an unfinished SELECT would hold the journal
  const auto start = std::chrono::steady_clock::now();
  bool is_told = !options_.tell;
  while (!try_commit()) {
    if (!must_wait()) return;
    if (!is_told && std::chrono::steady_clock::now() - start >= options_.patience) {
      options_.tell(
          fmt::format("{}: {} reads the database; what was scored waits in memory and is stored as soon as it is done, so close it "
                      "there",
                      display_text(path_), lock_->reader().value_or("another program")));
      is_told = true;
    }
    std::this_thread::sleep_for(kPoll);
  }
  transaction_.reset();
  has_stored_ = has_stored_ || run_ != 0;
  if (is_kept_back_ && !closing) enter_wal();
}

// False where readers keep the commit back; the transaction is still open then.
bool Writer::Impl::try_commit() {
  if (is_kept_back_ && lock_->reader()) return false;  // a try would keep new readers out
  try {
    transaction_->commit();
  } catch (const SQLite::Exception& exception) {
    if (!is_kept_back_ || !is_busy(exception)) throw;
    return false;
  }
  return true;
}

bool Writer::Impl::must_wait() const {
  int bytes = 0;
  int most = 0;
  sqlite3_db_status(database_->getHandle(), SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0);
  return closing || bytes >= options_.most_waiting_bytes;
}

}  // namespace vmafbatch::store
