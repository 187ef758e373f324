#include "base/utf8.h"

#include <gtest/gtest.h>

namespace vmafbatch {
namespace {

TEST(Utf8, KnowsValidFromInvalid) {
  for (const char* valid : {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8E\xAC", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(valid)) << valid;
  for (const char* invalid :
       {"\xE9", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82"}) {
    EXPECT_FALSE(is_utf8(invalid)) << invalid;
  }
}

TEST(DisplayText, KeepsUtf8AndSpellsOutOtherBytes) {
  EXPECT_EQ(display_text("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(display_text("\xFF\xC0\x80x\xED\xA0\x80\xC3"), "\\xFF\\xC0\\x80x\\xED\\xA0\\x80\\xC3");
  EXPECT_EQ(display_text("caf\xE9 \xC3\xA9\xFF"), "caf\\xE9 \xC3\xA9\\xFF");
}

TEST(LineText, HoldsNothingThatATerminalObeys) {
  EXPECT_EQ(line_text("a\x1B[2J\n\x7F"), "a\\x1B[2J\\x0A\\x7F");
  EXPECT_EQ(line_text("\xC2\x9B\xC2\x80\xC2\xA0\xC3\x9B"), "\\xC2\\x9B\\xC2\\x80\xC2\xA0\xC3\x9B")
      << "C1 controls, and letters beside them";
  EXPECT_EQ(line_text("\xFF\xC2"), "\\xFF\\xC2");
}

}  // namespace
}  // namespace vmafbatch
