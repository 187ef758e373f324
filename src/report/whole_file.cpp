#include "report/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/kept_files.h"
#include "base/utf8.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMarkBytes = 4096;

Error cannot_write(const std::string& path) {
  return Error{fmt::format("{}: the report cannot be written; check its folder and the room there", display_text(path))};
}

// Empty, or with `mark` in its beginning.
bool is_free(const std::string& path, std::string_view mark) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMarkBytes, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return file.is_open() && !file.bad() && (begin.empty() || begin.find(mark) != std::string::npos);
}

}  // namespace

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)), unfinished_path_(unfinished_path(path_)), file_(unfinished_path_, std::ios::binary | std::ios::trunc) {
  const std::string later = fmt::format("{}.{}.later", path_, ::getpid());
  later_.open(later, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
  std::error_code error;
  std::filesystem::remove(later, error);  // the open file stays, and goes with the program, however that ends
}

std::string WholeFile::unfinished_path(const std::string& path) { return fmt::format("{}.{}.part", resolved_path(path), ::getpid()); }

Result<std::unique_ptr<WholeFile>> WholeFile::create(const std::string& path, std::string_view mark) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found) {
    return Error{fmt::format("{}: this is no regular file; name a file for the report", display_text(path))};
  }
  if (type == std::filesystem::file_type::regular && !is_free(path, mark)) {
    return Error{fmt::format("{}: this is no report of vmafbatch, and is not replaced; name another file", display_text(path))};
  }
  auto file = std::make_unique<WholeFile>(resolved_path(path));
  if (!file->file_ || !file->later_) return cannot_write(path);
  return file;
}

WholeFile::~WholeFile() {
  std::error_code error;
  if (!committed_) std::filesystem::remove(unfinished_path_, error);
}

void WholeFile::write(std::string_view text) {
  file_ << text;
  bytes_ += text.size();
}

void WholeFile::write_later(std::string_view text) { later_ << text; }

void WholeFile::release() {
  later_.seekg(0);
  std::array<char, 65536> piece{};
  while (later_) {
    later_.read(piece.data(), piece.size());
    write({piece.data(), static_cast<std::size_t>(later_.gcount())});
  }
  if (later_.eof() && !later_.bad()) later_.clear();
}

Status WholeFile::commit() {
  file_.close();
  if (!file_ || !later_ || std::rename(unfinished_path_.c_str(), path_.c_str()) != 0) return cannot_write(path_);
  committed_ = true;
  return {};
}

}  // namespace vmafbatch::report
