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
  // The file is put where `path` leads to through links. Error: the folder cannot be written, or a file is there that is no regular one,
  // or is not empty and has no `mark` in its first 4 KiB: nobody loses a catalogue by a wrong name.
  static Result<std::unique_ptr<WholeFile>> create(const std::string& path, std::string_view mark);
  // Where the file of create(path) is written until it is committed. A program that is ended by a signal removes it.
  static std::string unfinished_path(const std::string& path);
  explicit WholeFile(std::string path);  // for create()
  ~WholeFile();                          // removes what was not committed
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // Errors show in commit().
  void write(std::string_view text);
  // Kept in a second file, which has no name, until release(), in order.
  void write_later(std::string_view text);
  void release();
  std::uint64_t bytes() const { return bytes_; }

  // Puts the file into its place.
  Status commit();

 private:
  std::string path_, unfinished_path_;
  std::ofstream file_;
  std::fstream later_;
  std::uint64_t bytes_ = 0;
  bool committed_ = false;
};

}  // namespace vmafbatch::report
