#include "cli/number_check.h"

#include <fmt/format.h>

#include <string>

#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::cli {

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](std::string& text) {
    const auto number = parse_integer(text);
    if (!number || *number < least || *number > most) {
      return fmt::format("\"{}\" is no whole number from {} to {}", line_text(text), least, most);
    }
    text = std::to_string(*number);  // CLI11 takes 010 for eight
    return std::string();
  };
  return {check, most == kAnyNumber ? "" : fmt::format("INT in [{} - {}]", least, most)};
}

CLI::Validator seconds(double least, double most) {
  const auto check = [least, most](std::string& text) {
    const auto time = parse_seconds(text);
    if (!time || *time < least || *time > most) {
      return fmt::format("\"{}\" is no time from {} to {} seconds; write seconds or a unit: 90, 10s, 1.5m, 2h", line_text(text),
                         format_double(least), format_double(most));
    }
    text = format_double(*time);
    return std::string();
  };
  return {check, ""};
}

}  // namespace vmafbatch::cli
