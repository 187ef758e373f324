// The file that a report is written to: there whole or not at all, and never in the place of something that is no report.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/whole_file.h"

namespace vmafbatch::report {

class ReportFile {
 public:
  // The file is put where `path` leads to through links. Error: as WholeFile::create(), or a file is there that is not empty and has no
  // `mark` in its first 4 KiB: nobody loses a catalogue by a wrong name.
  static Result<std::unique_ptr<ReportFile>> create(const std::string& path, std::string_view mark);
  explicit ReportFile(std::string path, std::unique_ptr<WholeFile> file);  // for create()

  // Errors show in commit().
  void write(std::string_view text);
  // Kept in a second file, which has no name, until release(), in order.
  void write_later(std::string_view text);
  void release();
  std::uint64_t bytes() const { return bytes_; }

  // Puts the file into its place.
  Status commit();

 private:
  std::string path_;
  std::unique_ptr<WholeFile> file_;
  std::fstream later_;
  std::uint64_t bytes_ = 0;
};

}  // namespace vmafbatch::report
