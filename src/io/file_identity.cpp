#include "io/file_identity.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace vmafbatch::io {

Result<FileIdentity> file_identity(const std::string& path) {
  struct stat state {};
  if (path.find('\0') != std::string::npos) return Error{"the path of a file holds a zero byte"};
  if (stat(path.c_str(), &state) != 0) return Error{path + ": " + std::strerror(errno)};
  if (S_ISDIR(state.st_mode)) return Error{path + ": is a folder, not a file"};
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  return FileIdentity{static_cast<std::uint64_t>(state.st_size),
                      std::int64_t{state.st_mtim.tv_sec} * kNanosecondsPerSecond + state.st_mtim.tv_nsec};
}

}  // namespace vmafbatch::io
