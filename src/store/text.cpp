#include "store/text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/number_text.h"

namespace vmafbatch::store {
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

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = character_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string display_text(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = character_length(bytes, at);
    if (length == 0) {
      text += fmt::format("\\x{:02X}", byte_at(bytes, at));
      ++at;
    } else {
      text += bytes.substr(at, length);
      at += length;
    }
  }
  return text;
}

std::string json_string(std::string_view bytes) { return nlohmann::json(display_text(bytes)).dump(); }

std::string json_number(double value) {
  if (std::isnan(value)) return "null";
  std::string text = format_double(value);
  if (std::isinf(value)) return '"' + text + '"';
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string csv_field(std::string_view bytes) {
  const std::string text = display_text(bytes);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string xml_escape(std::string_view bytes) {
  std::string escaped;
  for (const char c : display_text(bytes)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      // XML 1.0 has no other control characters, not even escaped.
      default: escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

std::string xml_name(std::string_view bytes) {
  std::string name;
  for (const char c : bytes) {
    const bool inner = is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    name += inner ? c : '_';
  }
  if (name.empty() || !is_letter(name.front())) name.insert(name.begin(), '_');
  return name;
}

}  // namespace vmafbatch::store
