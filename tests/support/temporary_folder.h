// A folder that is empty at first and gone with its object.
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

  const std::filesystem::path& path() const { return folder_; }
  // Where a file of that name (any bytes) is in the folder.
  std::string path(std::string_view name) const { return (folder_ / name).native(); }

  // Writes a file, and the folders that it needs.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace vmafbatch::testing
