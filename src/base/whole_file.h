// A file that is there whole or not at all: it is written beside its place and renamed into it. A signal that ends the program takes along
// what is unfinished.
#pragma once

#include <array>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unfinished_files.h"

namespace vmafbatch {

class WholeFile {
 public:
  // Begins the file that will be at `path`; a file that is there stays as it is until commit(), and is replaced then. So is a link: who
  // wants the file it leads to gives resolved_path() (base/kept_files.h). The new file has the permissions of the old one, and its owner
  // and group where this user may give them. Error: the folder cannot be written, or a folder, pipe or device is there, or a link to one.
  static Result<std::unique_ptr<WholeFile>> create(const std::string& path);
  // Where the file of create(path) is until it is committed.
  static std::string unfinished_path(const std::string& path);
  WholeFile(std::string path, int descriptor);  // for create()
  ~WholeFile();                                 // removes what was not committed
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // The file's bytes. Errors show in commit() at the latest.
  std::ostream& stream() { return stream_; }

  // Puts the file into its place. Error: it could not be written; the place is as it was. REQUIRES: called once.
  Status commit();

 private:
  // Of a file; keeps the first error.
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(int descriptor);
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() override;
    int close();  // 0, or the errno of what failed

   private:
    int_type overflow(int_type next) override;
    int sync() override;
    int descriptor_;
    int error_ = 0;
    std::array<char, 65536> bytes_;
  };

  std::string path_, unfinished_;
  UnfinishedFile gone_on_a_signal_;
  Buffer buffer_;
  std::ostream stream_;
};

// A WholeFile of these bytes.
Status write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace vmafbatch
