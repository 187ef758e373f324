#include "base/option_word.h"

#include <cstddef>

namespace vmafbatch {

bool is_option_word(std::string_view word) {
  const size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end != 0 && end != std::string_view::npos && word[end] == '=';
}

bool ends_its_option(std::string_view value) {
  if (value.find(';') != std::string_view::npos) return true;
  for (size_t blank = value.find(' '); blank != std::string_view::npos; blank = value.find(' ', blank + 1)) {
    if (is_option_word(value.substr(blank + 1))) return true;
  }
  return false;
}

}  // namespace vmafbatch
