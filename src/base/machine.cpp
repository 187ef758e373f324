#include "base/machine.h"

#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace vmafbatch {

std::string c_library_text() { return std::string("glibc ") + gnu_get_libc_version(); }

namespace {

std::string read_processor_text() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

std::string processor_text() {
  // Asked for every clip; the system makes the text of all its processors anew at each reading.
  static const std::string text = read_processor_text();
  return text;
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string command_line_text() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.empty() && text.back() == '\0') text.pop_back();
  std::ranges::replace(text, '\0', ' ');
  constexpr std::size_t kMost = std::size_t{64} << 10;  // readers of a database take texts of up to a million bytes
  return shortened(std::move(text), kMost);
}

std::string shortened(std::string text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  const auto is_inside_character = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  std::size_t end = most_bytes;
  constexpr std::size_t kLongestCharacter = 4;
  while (end > 0 && most_bytes - end < kLongestCharacter && is_inside_character(end)) --end;
  const std::size_t rest = text.size() - end;
  text.resize(end);
  return text + "... (" + std::to_string(rest) + " more bytes)";
}

std::size_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes) : std::size_t{1} << 30;
}

std::optional<std::uint64_t> free_bytes_at(const std::string& path) {
  std::error_code error;
  std::filesystem::path place(path);
  if (!std::filesystem::exists(place, error)) place = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
  const std::filesystem::space_info space = std::filesystem::space(place, error);
  return error ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

}  // namespace vmafbatch
