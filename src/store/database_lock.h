// The right to write a database. Two locks give it: the lock file beside it says who writes, and the lock of the file itself also holds
// where one file has several names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "store/lock_file.h"

namespace vmafbatch::store {

// Holds the right from take() until it is destroyed. REQUIRES: this process has closed the database before that, since the system takes
// all of SQLite's locks away when any descriptor of the file is closed (sqlite.org/howtocorrupt.html, 2.2).
class DatabaseLock {
 public:
  // Follows the symbolic links of `path`, takes "<file>.lock" and then the file, which is made, empty, where it is not there.
  // Error, one sentence: who holds it, it has hard links (each name would have a write-ahead log of its own), it cannot be written.
  static Result<std::unique_ptr<DatabaseLock>> take(const std::string& path);
  ~DatabaseLock();
  DatabaseLock(const DatabaseLock&) = delete;
  DatabaseLock& operator=(const DatabaseLock&) = delete;

  // Behind the links: SQLite's own files lie beside it.
  const std::string& real_path() const { return real_path_; }
  // A process that was killed had the lock before.
  bool was_left_behind() const { return lock_file_->was_left_behind(); }
  // Another process that has a lock of SQLite's on the file now, as a reader has all the time outside WAL mode: "process 7 (python3)".
  std::optional<std::string> reader() const;
  // Removes the file and what SQLite left beside it, where take() made it. REQUIRES: this process has it closed.
  void remove_if_made();

 private:
  DatabaseLock(std::string real_path, std::unique_ptr<LockFile> lock_file)
      : real_path_(std::move(real_path)), lock_file_(std::move(lock_file)) {}
  Status take_file(const std::string& path);

  const std::string real_path_;
  std::unique_ptr<LockFile> lock_file_;
  int descriptor_ = -1;
  bool is_made_ = false;
};

// Whether a process has the right to write `path` now. Takes no lock that a writer could meet for longer than a moment.
bool is_being_written(const std::string& path);

}  // namespace vmafbatch::store
