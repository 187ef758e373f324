// What tells two states of one file apart without reading it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "io/read_limits.h"

struct stat;

namespace vmafbatch::io {

struct FileIdentity {
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970-01-01 UTC

  bool operator==(const FileIdentity&) const = default;
};

FileIdentity identity_of(const struct stat& state);

// Waits for as long as the file system takes to answer. The error is a sentence that begins with the path.
Result<FileIdentity> file_identity(const std::string& path);

class CallThread;

// Looks at many files, one at a time: an error that may pass is tried again, a file system that does not answer is given up.
class FileLook {
 public:
  FileLook();
  FileLook(const FileLook&) = delete;
  FileLook& operator=(const FileLook&) = delete;
  ~FileLook();

  // As file_identity().
  Result<FileIdentity> at(const std::string& path, const ReadLimits& limits);

 private:
  struct Seen;
  Seen look_once(const std::string& path, const ReadLimits& limits);

  std::unique_ptr<CallThread> thread_;  // null: none yet, or the last one was left in a call
  bool patient_ = true;                 // false: all tries failed at the last file, so its mount is likely away; one try must do
};

}  // namespace vmafbatch::io
