#include "store/log_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/content_hash.h"
#include "base/named_file.h"
#include "base/utf8.h"
#include "store/log_builder.h"
#include "store/log_formats.h"

namespace vmafbatch::store {
namespace {

// The whole file, or one byte more than a log may have.
Result<std::string> read_bytes(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto too_large = Error{fmt::format("is larger than {} MiB; split it, or import a CSV log", kMaxLogBytes >> 20)};
  std::error_code unknown;
  if (const auto size = std::filesystem::file_size(path, unknown); !unknown && size > kMaxLogBytes) return too_large;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  while (file && bytes.size() <= kMaxLogBytes) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    file.read(bytes.data() + before, kPiece);
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && bytes.size() <= kMaxLogBytes) return Error{fmt::format("cannot be read ({})", std::strerror(errno))};
  if (bytes.size() > kMaxLogBytes) return too_large;
  return bytes;
}

}  // namespace

Result<ScoreLog> parse_log(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Error{"the log is empty"};
  const std::string_view content = text.substr(first);
  if (content.starts_with('{') && content.size() > 1 && content[1] >= '0' && content[1] <= '9') {
    return Error{"this is a subtitle log; import the JSON, XML or CSV log instead"};
  }
  if (content.front() == '{') return parse_json_log(text);
  if (content.front() == '<') return parse_xml_log(text);
  if (content.starts_with("Frame,") || content.starts_with("\"Frame\"")) return parse_csv_log(text);
  return Error{fmt::format("this is no log of libvmaf: it begins with {}, not with {{, < or Frame,", quoted(content.substr(0, 20)))};
}

Result<LogFile> read_log(const std::string& path) {
  if (Status status = refuse_special(path); !status.ok()) return status.error();
  const auto told = [&](const Error& error) { return Error{display_text(path) + ": " + error.message}; };
  const auto bytes = read_bytes(path);
  if (!bytes.ok()) return told(bytes.error());
  auto log = parse_log(*bytes);
  if (!log.ok()) return told(log.error());
  ContentHash hash;
  hash.update(*bytes);
  return LogFile{std::move(*log), hash.text()};
}

}  // namespace vmafbatch::store
