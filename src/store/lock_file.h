// The lock file "<database>.lock": one process at a time writes a database, and the others can say which one does. It is of a name; that of
// the file is DatabaseLock.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"

namespace vmafbatch::store {

// Holds the lock from take() until it is destroyed; the file is removed then. The system gives the lock of a process that died back, so
// that a file left behind by a crash stops nobody.
class LockFile {
 public:
  // `path`: the lock file's. shared_mount: it lies on a network mount, where a lock may be invisible to other hosts; then a file that
  // another host left is believed. Error: who holds it, or why it cannot be made.
  static Result<std::unique_ptr<LockFile>> take(const std::string& path, bool shared_mount);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

  // Whether a process holds the lock now. `path` as for take().
  static bool is_held(const std::string& path);

  const std::string& path() const { return path_; }
  // A process left the file behind and holds it no more.
  bool was_left_behind() const { return left_behind_; }

 private:
  LockFile(std::string path, int descriptor, bool left_behind)
      : path_(std::move(path)), descriptor_(descriptor), left_behind_(left_behind) {}
  std::string path_;
  int descriptor_;
  bool left_behind_;
};

// True where `path`, or the folder it will lie in, is on a network or user-space file system; SQLite's WAL needs memory that all its
// readers share, which these do not give.
bool is_network_mount(const std::string& path);

}  // namespace vmafbatch::store
