#include "base/utf8.h"

#include <cstddef>

namespace vmafbatch {
namespace {

unsigned byte_at(std::string_view bytes, size_t at) { return static_cast<unsigned char>(bytes[at]); }

// The length of the UTF-8 character at `at`, 0 where there is none (Unicode 15, table 3-7).
size_t character_length(std::string_view bytes, size_t at) {
  const unsigned first = byte_at(bytes, at);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > bytes.size()) return 0;
  const unsigned second = byte_at(bytes, at + 1);
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < lowest || second > highest) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((byte_at(bytes, at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = character_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string escaped_byte(char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string display_text(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = character_length(bytes, at);
    if (length == 0) {
      text += escaped_byte(bytes[at]);
      ++at;
    } else {
      text += bytes.substr(at, length);
      at += length;
    }
  }
  return text;
}

std::string line_text(std::string_view bytes) {
  const std::string shown = display_text(bytes);
  std::string line;
  for (size_t at = 0; at < shown.size(); ++at) {
    // U+0080 to U+009F are controls as well (ECMA-48, C1): two bytes in UTF-8.
    const bool is_c1 = shown[at] == '\xC2' && at + 1 < shown.size() && byte_at(shown, at + 1) < 0xA0;
    const unsigned byte = byte_at(shown, at);
    line += byte < 0x20 || byte == 0x7F || is_c1 ? escaped_byte(shown[at]) : std::string(1, shown[at]);
    if (is_c1) line += escaped_byte(shown[++at]);
  }
  return line;
}

}  // namespace vmafbatch
