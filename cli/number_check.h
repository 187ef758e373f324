// Checks of options that take a number. CLI11's own lets NaN, hexadecimal and octal pass and calls text that is no number "not in range".
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace vmafbatch::cli {

// Where no more is meant than "many".
inline constexpr std::int64_t kAnyNumber = 1'000'000'000'000;

// For Option::transform(): a whole number in decimal.
CLI::Validator whole_number(std::int64_t least, std::int64_t most = kAnyNumber);

// For Option::transform(): a time in seconds, or with a unit ("90", "1.5m"); it becomes seconds.
CLI::Validator seconds(double least, double most);

}  // namespace vmafbatch::cli
