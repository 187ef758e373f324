#include "store/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace vmafbatch::store {
namespace {

TEST(JsonString, IsAlwaysValidJson) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_NO_THROW({ const auto parsed = nlohmann::json::parse(json_string(all)); });
  EXPECT_EQ(json_string("a\"b\\\n"), R"("a\"b\\\n")");
}

TEST(JsonNumber, ReadsBackAsTheSameDouble) {
  EXPECT_EQ(json_number(60.0), "60.0");
  EXPECT_EQ(json_number(-0.0), "-0.0");
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(1e300), "1e+300");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

TEST(CsvField, QuotesOnlyWhereItMust) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\"b\n"), "\"a\"\"b\n\"");
  EXPECT_EQ(csv_field("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_field("=1+1"), "=1+1") << "what a spreadsheet makes of it is the spreadsheet's";
}

TEST(CsvField, HasOnlyTextThatReadersTake) {
  EXPECT_EQ(csv_field("a\x1B[0m\tb"), "a\x1B[0m\tb");
  EXPECT_EQ(csv_field(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(csv_field(std::string_view(",\0\xE9", 3)), "\",\\x00\\xE9\"");
}

TEST(CsvLine, IsARowAlsoWhereItIsEmpty) {
  EXPECT_EQ(csv_line({"a", "", "1"}), "a,,1\n");
  EXPECT_EQ(csv_line({"", ""}), ",\n");
  EXPECT_EQ(csv_line({""}), "\"\"\n");
}

TEST(LineText, HasNoControlCharacters) { EXPECT_EQ(line_text("a\n\x1B\x7F\xE9\xC3\xA9"), "a\\x0A\\x1B\\x7F\\xE9\xC3\xA9"); }

TEST(Xml, HasNoCharacterThatXmlForbids) {
  EXPECT_EQ(xml_escape("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD\xEF\xBE\xBF"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBE\xBF");
}

TEST(Xml, EscapesValuesAndNames) {
  EXPECT_EQ(xml_escape("<a & \"b\">\x01"), "&lt;a &amp; &quot;b&quot;&gt; ");
  EXPECT_EQ(xml_name("vmaf_v0.6.1"), "vmaf_v0.6.1");
  EXPECT_EQ(xml_name("4k model"), "_4k_model");
  EXPECT_EQ(xml_name(""), "_");
}

}  // namespace
}  // namespace vmafbatch::store
