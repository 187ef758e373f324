#include "store/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/machine.h"
#include "base/utf8.h"
#include "store/clock.h"
#include "store/no_room.h"

namespace vmafbatch::store {
namespace {

std::string read_all(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size(), 0);
  return length > 0 ? std::string(text.data(), static_cast<size_t>(length)) : std::string();
}

// The file says "process 123 on host name, since 2026-01-31T12:34:56Z\n".
std::string holder(const std::string& content) {
  const std::string line = content.substr(0, content.find('\n'));
  return line.empty() ? std::string("another process") : display_text(line);
}

Error cannot_lock(const std::string& path) {
  if (errno == ENOENT)
    return Error{fmt::format("cannot write {}: its folder does not exist; make it or choose another place", display_text(path))};
  if (errno == ELOOP)
    return Error{fmt::format("cannot write {}: it is a symbolic link, which no run makes; remove it", display_text(path))};
  if (const auto cause = no_room(errno))
    return Error{fmt::format("cannot write {}: {}; {} and run again", display_text(path), no_room_text(*cause), no_room_remedy(*cause))};
  return Error{fmt::format("cannot write {}: {}; the database's folder must be writable", display_text(path), std::strerror(errno))};
}

// The file that is locked must be the one that the path names: its last holder may have removed it between open and lock.
bool is_at_path(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

bool write_holder(int descriptor) {
  const std::string text = fmt::format("process {} on host {}, since {}\n", ::getpid(), host_name(), utc_now());
  return ::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

// Who asks is_held() has the file for a moment; who writes the database has it for longer than all tries together.
bool lock(int descriptor) {
  constexpr int kTries = 5;
  constexpr std::chrono::milliseconds kPause(10);
  for (int tries = 1; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || tries == kTries) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

// An owner for a descriptor until the lock is complete.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
  int release() { return std::exchange(value, -1); }
};

}  // namespace

bool LockFile::is_held(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  return file.value >= 0 && ::flock(file.value, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<std::unique_ptr<LockFile>> LockFile::take(const std::string& path, bool shared_mount) {
  while (true) {
    Descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666)};
    if (file.value < 0) return cannot_lock(path);
    const std::string content = read_all(file.value);
    if (!lock(file.value)) {
      if (errno != EWOULDBLOCK) return cannot_lock(path);
      return Error{fmt::format("the database is being written by {} ({}); wait until it ends or use another database", holder(content),
                               display_text(path))};
    }
    if (!is_at_path(file.value, path)) continue;
    const bool other_host = !content.empty() && content.find(fmt::format(" on host {},", host_name())) == std::string::npos;
    if (shared_mount && other_host) {
      return Error{fmt::format("the database is being written by {}; if no such process runs any more, remove {}", holder(content),
                               display_text(path))};
    }
    if (!write_holder(file.value)) {
      const Error error = cannot_lock(path);
      ::unlink(path.c_str());
      return error;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): make_unique cannot reach the private constructor
    return std::unique_ptr<LockFile>(new LockFile(path, file.release(), !content.empty()));
  }
}

LockFile::~LockFile() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

bool is_network_mount(const std::string& path) {
  struct statfs info {};
  std::filesystem::path place(path);
  if (::statfs(place.c_str(), &info) != 0) {
    place = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
    if (::statfs(place.c_str(), &info) != 0) return false;
  }
  // statfs(2) and linux/magic.h: NFS, SMB, CIFS, SMB2, FUSE (sshfs and the like), AFS, Coda, 9P, Ceph, Lustre, GPFS.
  constexpr std::array<unsigned long, 11> kNetwork = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x65735546, 0x5346414F,
                                                      0x73757245, 0x01021997, 0x00C36400, 0x0BD00BD0, 0x47504653};
  const unsigned long type = static_cast<unsigned long>(info.f_type) & 0xFFFFFFFFUL;
  for (const unsigned long network : kNetwork) {
    if (type == network) return true;
  }
  return false;
}

}  // namespace vmafbatch::store
