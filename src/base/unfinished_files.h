// Files that are worth nothing until they are complete: a signal that ends the program takes them along (cli/interrupt.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace vmafbatch {

// From its construction until it is destroyed, remove_unfinished_files() removes the file. To be made once the file is there, and this
// program's own. Up to 16 at a time, of names that the system can take; others are left where a signal ends the program.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  std::optional<std::size_t> slot_;
};

// The last first. For a signal handler of any thread; the program has to end then.
void remove_unfinished_files() noexcept;

}  // namespace vmafbatch
