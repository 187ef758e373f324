// What tells two states of one file apart without reading it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

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

  // What at() will be asked for next, in this order. Many of these are looked at in one call: to wait for a call costs far more than to
  // look.
  void expect(const std::vector<std::string>& paths);

  // As file_identity().
  Result<FileIdentity> at(const std::string& path, const ReadLimits& limits);

 private:
  struct Seen;
  Seen first_look(const std::string& path, const ReadLimits& limits);
  Seen look_once(const std::string& path, const ReadLimits& limits);
  // Looks at the next expected files. Where they are not all seen in time, at those before the one that hangs; at least one look is known
  // then.
  void look_ahead(const ReadLimits& limits);

  std::deque<std::string> expected_;
  std::deque<Seen> ahead_;              // of the first of expected_
  std::unique_ptr<CallThread> thread_;  // null: none yet, or the last one was left in a call
  bool patient_ = true;                 // false: all tries failed at the last file, so its mount is likely away; one try must do
};

}  // namespace vmafbatch::io
