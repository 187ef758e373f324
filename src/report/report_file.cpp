#include "report/report_file.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "base/kept_files.h"
#include "base/utf8.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMarkBytes = 4096;

// Empty, or with `mark` in its beginning.
bool is_free(const std::string& path, std::string_view mark) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(kMarkBytes, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return file.is_open() && !file.bad() && (begin.empty() || begin.find(mark) != std::string::npos);
}

}  // namespace

ReportFile::ReportFile(std::string path, std::unique_ptr<WholeFile> file) : path_(std::move(path)), file_(std::move(file)) {
  const std::string later = WholeFile::unfinished_path(path_ + ".later");
  later_.open(later, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
  std::error_code error;
  std::filesystem::remove(later, error);  // the open file stays, and goes with the program, however that ends
}

Result<std::unique_ptr<ReportFile>> ReportFile::create(const std::string& path, std::string_view mark) {
  const std::string place = resolved_path(path);
  auto file = WholeFile::create(place);
  if (!file.ok()) return file.error();
  std::error_code error;
  if (std::filesystem::exists(place, error) && !is_free(place, mark)) {
    return Error{fmt::format("{}: this is no report of vmafbatch, and is not replaced; name another file", display_text(path))};
  }
  return std::make_unique<ReportFile>(place, std::move(*file));
}

void ReportFile::write(std::string_view text) {
  file_->stream() << text;
  bytes_ += text.size();
}

void ReportFile::write_later(std::string_view text) { later_ << text; }

void ReportFile::release() {
  later_.seekg(0);
  std::array<char, 65536> piece{};
  while (later_) {
    later_.read(piece.data(), piece.size());
    write({piece.data(), static_cast<std::size_t>(later_.gcount())});
  }
  if (later_.eof() && !later_.bad()) later_.clear();
}

Status ReportFile::commit() {
  if (!later_) return Error{display_text(path_) + ": cannot be written; check the folder and the room there"};
  return file_->commit();
}

}  // namespace vmafbatch::report
