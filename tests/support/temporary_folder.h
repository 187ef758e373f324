// A folder that is gone with its object.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vmafbatch::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  // Where a file of that name (any bytes) is in the folder.
  std::string path(std::string_view name) const { return (folder_ / name).native(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace vmafbatch::testing
