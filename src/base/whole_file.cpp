#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/utf8.h"

namespace vmafbatch {
namespace {

Error cannot_write(const std::string& path, int error) {
  return Error{display_text(path) + ": cannot be written: " + std::strerror(error) + "; check the folder and the room there"};
}

// Who could read what was there can read what comes, and nobody else.
void keep_access(int descriptor, const struct stat& there) {
  constexpr mode_t kAccess = S_IRWXU | S_IRWXG | S_IRWXO;
  constexpr auto kSameOwner = static_cast<uid_t>(-1);
  const bool is_kept = ::fchown(descriptor, there.st_uid, there.st_gid) == 0 || ::fchown(descriptor, kSameOwner, there.st_gid) == 0;
  ::fchmod(descriptor, there.st_mode & (is_kept ? kAccess : kAccess & ~mode_t{S_IRWXG}));
}

}  // namespace

WholeFile::Buffer::Buffer(int descriptor) : descriptor_(descriptor) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

WholeFile::Buffer::~Buffer() { close(); }

int WholeFile::Buffer::sync() {
  for (const char* at = pbase(); at < pptr() && error_ == 0;) {
    const ssize_t written = ::write(descriptor_, at, static_cast<size_t>(pptr() - at));
    if (written >= 0) {
      at += written;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return error_ == 0 ? 0 : -1;
}

WholeFile::Buffer::int_type WholeFile::Buffer::overflow(int_type next) {
  if (sync() != 0) return traits_type::eof();
  return traits_type::eq_int_type(next, traits_type::eof()) ? traits_type::not_eof(next) : sputc(traits_type::to_char_type(next));
}

int WholeFile::Buffer::close() {
  if (descriptor_ < 0) return error_;
  sync();
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  return error_;
}

std::string WholeFile::unfinished_path(const std::string& path) { return path + "." + std::to_string(::getpid()) + ".part"; }

Result<std::unique_ptr<WholeFile>> WholeFile::create(const std::string& path) {
  struct stat there {};
  const bool is_there = ::stat(path.c_str(), &there) == 0;
  if (is_there && !S_ISREG(there.st_mode)) {
    return Error{display_text(path) + ": this is a folder, a pipe or a device and stays; name another file"};
  }
  const mode_t mode = is_there ? 0600 : 0666;  // 0666: less the user's umask
  const int descriptor = ::open(unfinished_path(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (descriptor < 0) return cannot_write(path, errno);
  if (is_there) keep_access(descriptor, there);
  return std::make_unique<WholeFile>(path, descriptor);
}

WholeFile::WholeFile(std::string path, int descriptor)
    : path_(std::move(path)), unfinished_(unfinished_path(path_)), gone_on_a_signal_(unfinished_), buffer_(descriptor), stream_(&buffer_) {}

WholeFile::~WholeFile() {
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

Status WholeFile::commit() {
  int error = buffer_.close();
  if (error == 0 && std::rename(unfinished_.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) return cannot_write(path_, error);
  unfinished_.clear();
  return {};
}

Status write_whole_file(const std::string& path, std::string_view bytes) {
  auto file = WholeFile::create(path);
  if (!file.ok()) return file.error();
  (*file)->stream() << bytes;
  return (*file)->commit();
}

}  // namespace vmafbatch
