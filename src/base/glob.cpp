#include "base/glob.h"

#include <algorithm>
#include <cstddef>

namespace vmafbatch {
namespace {

// Where the character that begins at `at` ends: a first byte takes the continuation bytes (10xxxxxx) behind it, at most three.
size_t next_character(std::string_view name, size_t at) {
  size_t end = at + 1;
  if ((static_cast<unsigned char>(name[at]) & 0xC0) != 0xC0) return end;
  while (end < name.size() && end < at + 4 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) ++end;
  return end;
}

}  // namespace

// Goes back to the last '*' alone: what an earlier one took can stay.
bool glob_matches(std::string_view pattern, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  size_t after_star = std::string_view::npos;
  size_t star_end = 0;  // the name's bytes up to here are taken by what stands before and by the last '*'
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      star_end = n;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      n = next_character(name, n);
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (after_star != std::string_view::npos) {
      p = after_star;
      n = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool is_chosen(std::string_view name, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) { return glob_matches(pattern, name); });
}

}  // namespace vmafbatch
