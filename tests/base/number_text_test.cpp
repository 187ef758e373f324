#include "base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace vmafbatch {
namespace {

TEST(NumberText, ADoubleReadsBackWithItsBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    const std::optional<double> back = parse_double(format_double(value));
    ASSERT_TRUE(back.has_value()) << format_double(value);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << format_double(value);
  }
}

TEST(NumberText, SignsOfZeroAndInfinityStay) {
  EXPECT_EQ(format_double(-0.0), "-0");
  EXPECT_TRUE(std::signbit(*parse_double("-0")));
  EXPECT_EQ(format_double(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(*parse_double("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(*parse_double("1e999"), std::numeric_limits<double>::infinity());
}

TEST(NumberText, OnlyAWholeTextIsANumber) {
  for (const char* text : {"", " 1", "1 ", "1x", "--1", "0x", "."}) EXPECT_FALSE(parse_double(text).has_value()) << text;
  for (const char* text : {"", "1.0", "+-1", "9223372036854775808", "1e3"}) EXPECT_FALSE(parse_integer(text).has_value()) << text;
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(NumberText, ADecimalIsWhatPeopleWrite) {
  for (const char* text : {"0", "-0", "007", "12.5", "-12.5", ".5", "5.", "1e6", "1E-3", "2.5e+2"}) {
    EXPECT_EQ(parse_decimal(text), parse_double(text)) << text;
    EXPECT_TRUE(parse_decimal(text).has_value()) << text;
  }
  for (const char* text : {"",         "-",   "+5",     ".",   "-.", "e5", "1e", "1e+", "0x10", "0X1p3", "inf",   "-inf",
                           "infinity", "nan", "nan(1)", "--1", "1x", " 1", "1 ", "\t1", "1,5",  "1.5.2", "1e5.5", "1_000"}) {
    EXPECT_FALSE(parse_decimal(text).has_value()) << text;
  }
}

TEST(NumberText, OptionNumbersAreBinary32WithSixDigits) {
  EXPECT_EQ(normalise_option_number("1.23456789"), "1.23457");
  EXPECT_EQ(normalise_option_number("18.000000001"), "18");
  EXPECT_EQ(normalise_option_number(" 0x2 "), "2");
  EXPECT_EQ(normalise_option_number("-0"), "-0");
  EXPECT_EQ(normalise_option_number("1e10"), "1e+10");
  EXPECT_EQ(normalise_option_number("infinity"), "inf");
  EXPECT_EQ(normalise_option_number("1.5x"), "1.5x");
  EXPECT_EQ(normalise_option_number(""), "");
}

TEST(NumberText, BytesHaveUnits) {
  EXPECT_EQ(parse_bytes("1536"), 1536u);
  EXPECT_EQ(parse_bytes("256M"), 256u << 20);
  EXPECT_EQ(parse_bytes("4GiB"), std::uint64_t{4} << 30);
  EXPECT_EQ(parse_bytes("1kb"), 1024u);
  for (const char* text : {"", "M", "-1", "1.5G", "1X", "20000000000000000000", "99999999999T"}) {
    EXPECT_FALSE(parse_bytes(text).has_value()) << text;
  }
}

TEST(NumberText, SecondsMayHaveAUnit) {
  EXPECT_EQ(parse_seconds("90"), 90.0);
  EXPECT_EQ(parse_seconds("10s"), 10.0);
  EXPECT_EQ(parse_seconds("250ms"), 0.25);
  EXPECT_EQ(parse_seconds("1.5m"), 90.0);
  EXPECT_EQ(parse_seconds("2min"), 120.0);
  EXPECT_EQ(parse_seconds("2h"), 7200.0);
  for (const std::string& text :
       {std::string(), std::string("s"), std::string("."), std::string("-1"), std::string("1e3"), std::string("0x10"), std::string("nan"),
        std::string("inf"), std::string("10 s"), std::string("10x"), std::string("1.2.3"), std::string(400, '9')}) {
    EXPECT_FALSE(parse_seconds(text).has_value()) << text;
  }
}

TEST(NumberText, BytesForPeople) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{23} << 30), "23.0 GiB");
  EXPECT_EQ(bytes_text(std::uint64_t{5000} << 40), "5000.0 TiB");
}

}  // namespace
}  // namespace vmafbatch
