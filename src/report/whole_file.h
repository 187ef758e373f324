// A file that is there whole or not at all: it is written beside its place and renamed into it.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::report {

class WholeFile {
 public:
  // Error: the folder cannot be written, or `path` is a database or no regular file.
  static Result<std::unique_ptr<WholeFile>> create(const std::string& path);
  explicit WholeFile(std::string path);  // for create()
  ~WholeFile();                          // removes what was not committed
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // Errors show in commit().
  void write(std::string_view text);
  // Kept in a second file until release(), in order.
  void write_later(std::string_view text);
  void release();
  std::uint64_t bytes() const { return bytes_; }

  // Puts the file into its place.
  Status commit();

 private:
  std::string path_, unfinished_path_, later_path_;
  std::ofstream file_;
  std::fstream later_;
  std::uint64_t bytes_ = 0;
  bool committed_ = false;
};

}  // namespace vmafbatch::report
