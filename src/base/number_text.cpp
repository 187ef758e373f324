#include "base/number_text.h"

#include <locale.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace vmafbatch {
namespace {

// The C locale for the few C library calls that read the current one.
locale_t c_locale() {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string format_double(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string format_general(double value, int precision) {
  if (!std::isfinite(value)) return format_double(value);
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, precision).ptr;
  return {buffer, end};
}

std::optional<double> parse_double(std::string_view text) {
  if (text.empty() || is_space(text.front())) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = strtod_l(copy.c_str(), &end, c_locale());
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_decimal(std::string_view text) {
  std::string_view rest = text.substr(text.starts_with('-') ? 1 : 0);
  const auto skip_digits = [&] {
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    return digits > 0;
  };
  bool valid = skip_digits();
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    valid = skip_digits() || valid;
  }
  if (valid && (rest.starts_with('e') || rest.starts_with('E'))) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
    valid = skip_digits();
  }
  return valid && rest.empty() ? parse_double(text) : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string normalise_option_number(std::string_view text) {
  std::string_view inner = text;
  while (!inner.empty() && is_space(inner.front())) inner.remove_prefix(1);
  while (!inner.empty() && is_space(inner.back())) inner.remove_suffix(1);
  if (inner.empty()) return std::string(text);
  const std::string copy(inner);
  char* end = nullptr;
  const float value = strtof_l(copy.c_str(), &end, c_locale());
  if (end != copy.c_str() + copy.size()) return std::string(text);
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  return format_general(static_cast<double>(value), 6);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  int shift = 0;
  if (!unit.empty()) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
    const std::string_view letters = "KMGT";
    if (const auto at = letters.find(letter); at != std::string_view::npos) {
      shift = 10 * (static_cast<int>(at) + 1);
      unit.remove_prefix(1);
      if (unit == "iB" || unit == "ib") unit = {};
    }
    if (!unit.empty() && unit != "B" && unit != "b") return std::nullopt;
  }
  if (shift != 0 && value > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
  return value << shift;
}

std::optional<double> parse_seconds(std::string_view text) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789."));
  const std::string_view unit = text.substr(digits.size());
  const auto number = parse_double(digits);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  if (unit.empty() || unit == "s") return number;
  if (unit == "ms") return *number / 1000;
  if (unit == "m" || unit == "min") return *number * kMinute;
  if (unit == "h") return *number * kHour;
  return std::nullopt;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  // In tenths of a unit, so that 1023.97 KiB is 1.0 MiB.
  std::uint64_t tenths = (bytes * 10 + 512) / 1024;
  size_t unit = 0;
  for (; tenths >= 10240 && unit < 3; ++unit) tenths = (tenths + 512) / 1024;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + "KMGT"[unit] + "iB";
}

}  // namespace vmafbatch
