#include "store/database_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/named_file.h"
#include "base/utf8.h"

namespace vmafbatch::store {
namespace {

Error cannot_write(const std::string& path) {
  if (errno == EACCES || errno == EROFS || errno == EPERM) {
    return Error{fmt::format("{}: the database or its folder is read-only; choose a place that can be written", display_text(path))};
  }
  return Error{fmt::format("{}: cannot be written ({}); check its folder and its permissions", display_text(path), std::strerror(errno))};
}

// Who locked the file, from lines such as "3: FLOCK  ADVISORY  WRITE 4711 08:01:131076 0 EOF" (proc_locks(5)).
std::string holder_of(const struct stat& file) {
  const std::string place = fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, strength, access, process, where;
    words >> number >> kind >> strength >> access >> process >> where;
    if (kind == "FLOCK" && access == "WRITE" && where == place) return "process " + process;
  }
  return "another process";
}

Error held_elsewhere(const std::string& path, const struct stat& file) {
  return Error{fmt::format("{}: the database is being written by {} under another name; wait until it ends or use another database",
                           display_text(path), holder_of(file))};
}

Error has_hard_links(const std::string& path, const struct stat& file) {
  return Error{
      fmt::format("{}: the file has {} names (hard links), and what is written through one of them damages it for the others; copy it to a "
                  "new file and use that, or remove the other names",
                  display_text(path), file.st_nlink)};
}

}  // namespace

Result<std::unique_ptr<DatabaseLock>> DatabaseLock::take(const std::string& path) {
  Result<std::string> real_path = followed_links(path);
  if (!real_path.ok()) return real_path.error();
  auto lock_file = LockFile::take(*real_path + ".lock", is_network_mount(*real_path));
  if (!lock_file.ok()) return lock_file.error();
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): make_unique cannot reach the private constructor
  std::unique_ptr<DatabaseLock> lock(new DatabaseLock(std::move(*real_path), std::move(*lock_file)));
  if (Status taken = lock->take_file(path); !taken.ok()) {
    lock->remove_if_made();
    return taken.error();
  }
  return lock;
}

Status DatabaseLock::take_file(const std::string& path) {
  constexpr mode_t kMode = 0644;  // as SQLite makes it
  constexpr int kFlags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  descriptor_ = ::open(real_path_.c_str(), kFlags);
  is_made_ = descriptor_ < 0 && errno == ENOENT;
  if (is_made_) descriptor_ = ::open(real_path_.c_str(), kFlags | O_CREAT, kMode);
  if (descriptor_ < 0) return cannot_write(path);
  struct stat file {};
  if (::fstat(descriptor_, &file) != 0) return cannot_write(path);
  if (file.st_nlink > 1) return has_hard_links(path, file);
  // A network file system makes SQLite's kind of lock of this one, and SQLite would then find the file locked.
  if (is_network_mount(real_path_)) return {};
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return {};
  return errno == EWOULDBLOCK ? held_elsewhere(path, file) : cannot_write(path);
}

bool is_being_written(const std::string& path) {
  const Result<std::string> real_path = followed_links(path);
  return real_path.ok() && LockFile::is_held(*real_path + ".lock");
}

std::optional<std::string> DatabaseLock::reader() const {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = 0x40000002;  // the bytes that readers lock (sqlite.org/lockingv3.html, os.h of SQLite: SHARED_FIRST, SHARED_SIZE)
  range.l_len = 510;
  if (::fcntl(descriptor_, F_GETLK, &range) != 0 || range.l_type == F_UNLCK) return std::nullopt;
  if (range.l_pid <= 0) return "another program";  // in a container of its own
  std::ifstream file(fmt::format("/proc/{}/comm", range.l_pid));
  std::string name;
  std::getline(file, name);
  return fmt::format("process {}{}", range.l_pid, name.empty() ? "" : fmt::format(" ({})", display_text(name)));
}

void DatabaseLock::remove_if_made() {
  struct stat opened {};
  struct stat named {};
  if (!is_made_ || ::fstat(descriptor_, &opened) != 0 || ::stat(real_path_.c_str(), &named) != 0) return;
  if (opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) return;  // it was moved: what is there now is not ours
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) ::unlink((real_path_ + suffix).c_str());
}

DatabaseLock::~DatabaseLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace vmafbatch::store
