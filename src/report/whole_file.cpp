#include "report/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/utf8.h"
#include "store/database.h"

namespace vmafbatch::report {
namespace {

Error cannot_write(const std::string& path) {
  return Error{fmt::format("{}: the report cannot be written; check its folder and the room there", display_text(path))};
}

}  // namespace

WholeFile::WholeFile(std::string path)
    : path_(std::move(path)),
      unfinished_path_(fmt::format("{}.{}.part", path_, ::getpid())),
      later_path_(fmt::format("{}.{}.later", path_, ::getpid())),
      file_(unfinished_path_, std::ios::binary | std::ios::trunc),
      later_(later_path_, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc) {}

Result<std::unique_ptr<WholeFile>> WholeFile::create(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found) {
    return Error{fmt::format("{}: this is no regular file; name a file for the report", display_text(path))};
  }
  if (store::is_database_file(path)) {
    return Error{fmt::format("{}: this is a database; name another file for the report", display_text(path))};
  }
  auto file = std::make_unique<WholeFile>(path);
  if (!file->file_ || !file->later_) return cannot_write(path);
  return file;
}

WholeFile::~WholeFile() {
  std::error_code error;
  std::filesystem::remove(later_path_, error);
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
