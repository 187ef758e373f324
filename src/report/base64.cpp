#include "report/base64.h"

#include <string_view>

namespace vmafbatch::report {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](size_t i) { return at + i < bytes.size() ? std::to_integer<unsigned>(bytes[at + i]) : 0U; };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += at + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    text += at + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return text;
}

}  // namespace vmafbatch::report
