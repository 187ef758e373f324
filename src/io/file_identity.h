// What tells two states of one file apart without reading it.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace vmafbatch::io {

struct FileIdentity {
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970-01-01 UTC

  bool operator==(const FileIdentity&) const = default;
};

Result<FileIdentity> file_identity(const std::string& path);

}  // namespace vmafbatch::io
