// Numbers as text, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vmafbatch {

// The shortest decimal text that reads back as the same double; "inf", "-inf", "nan" for the others; "-0" keeps its sign.
std::string format_double(double value);

// printf's "%.<precision>g" in the C locale. precision: 1..17.
std::string format_general(double value, int precision);

// The whole text as a double (decimal, exponent, "inf", "nan", 1e999 = inf), or nothing. No white space is accepted.
std::optional<double> parse_double(std::string_view text);

// The same of numbers that people write, "-12.5", "1e6": decimal, no '+' in front, no "inf", "nan" or hexadecimal. 1e999 is inf.
std::optional<double> parse_decimal(std::string_view text);

// The whole text as a decimal integer, optional sign, or nothing (also when it does not fit).
std::optional<std::int64_t> parse_integer(std::string_view text);

// The text of an option value as libvmaf sees it: where the whole text is one number in the sense of scanf("%f") (white space
// around it, hexadecimal, inf and nan included), that number as binary32 printed with "%g"; any other text unchanged.
// Option values therefore have six significant digits.
std::string normalise_option_number(std::string_view text);

// "1536", "256M", "4G", "512KiB": a number of bytes; K, M, G, T are powers of 1024. Nothing where the text is no such number.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// "90", "1.5", "250ms", "10s", "1.5m" or "1.5min", "2h": a time in seconds, without sign or exponent. Nothing where the text is no such
// time.
std::optional<double> parse_seconds(std::string_view text);

// "812 bytes", "1.5 KiB", "23.4 MiB", "2.0 TiB": for people.
std::string bytes_text(std::uint64_t bytes);

}  // namespace vmafbatch
