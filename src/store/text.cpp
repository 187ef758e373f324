#include "store/text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::store {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

std::string json_string(std::string_view bytes) { return nlohmann::json(display_text(bytes)).dump(); }

std::string json_number(double value) {
  if (std::isnan(value)) return "null";
  std::string text = format_double(value);
  if (std::isinf(value)) return '"' + text + '"';
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string csv_field(std::string_view bytes) {
  std::string text = display_text(bytes);
  const bool is_quoted = text.find_first_of(",\"\r\n") != std::string::npos;
  std::string field;
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c == '\0' ? escaped_byte(c) : std::string(1, c);
  }
  return is_quoted ? '"' + field + '"' : field;
}

std::string csv_line(const std::vector<std::string>& fields) {
  if (fields.size() == 1 && fields.front().empty()) return "\"\"\n";
  return fmt::format("{}\n", fmt::join(fields, ","));
}

std::string xml_escape(std::string_view bytes) {
  std::string text = display_text(bytes);
  // EF BF BE and EF BF BF are the two characters that XML 1.0 forbids beside control characters; EF BF BD is the replacement character.
  for (size_t at = 0; (at = text.find("\xEF\xBF", at)) != std::string::npos; at += 3) {
    if (text[at + 2] == '\xBE' || text[at + 2] == '\xBF') text[at + 2] = '\xBD';
  }
  std::string escaped;
  for (const char c : text) {
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
