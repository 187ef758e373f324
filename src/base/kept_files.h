// Files that an output must not touch: a run's own database, its catalogue, the clips.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmafbatch {

// The file that a path names, also where links lead to it and where it is not there yet. A pipe without a name (/dev/stdout) stays as it
// is.
std::string resolved_path(const std::string& path);

class KeptFiles {
 public:
  // `what` it is, for the sentence: "the catalogue". It need not be there.
  void add(std::string path, std::string what);

  // Nothing wrong, or the sentence: `output` names a file of these. A file that is there is known by device and inode, so also through
  // links; one that is not by its resolved path.
  Status check(const std::string& output);

 private:
  struct File {
    std::string path;
    std::string what;
  };
  struct Known {
    std::pair<std::uint64_t, std::uint64_t> identity;  // device, inode
    size_t file;
    auto operator<=>(const Known&) const = default;  // NOLINT(modernize-use-nullptr): the check mistakes what the compiler makes of it
  };
  std::optional<size_t> find_there(std::pair<std::uint64_t, std::uint64_t> identity);
  std::optional<size_t> find_absent(const std::string& output) const;

  std::vector<File> files_;
  std::vector<Known> there_;  // sorted; of the first looked_at_ files
  size_t looked_at_ = 0;
};

}  // namespace vmafbatch
