#include "base/machine.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace vmafbatch {
namespace {

TEST(Shortened, SaysHowMuchIsLeftOut) {
  EXPECT_EQ(shortened("vmafbatch", 9), "vmafbatch");
  EXPECT_EQ(shortened("vmafbatch", 4), "vmaf... (5 more bytes)");
  EXPECT_EQ(shortened("", 0), "");
}

TEST(Shortened, CutsBetweenCharacters) {
  const std::string text = "a\xE2\x82\xAC\xE2\x82\xAC";  // two euro signs
  for (size_t most = 0; most <= text.size(); ++most) EXPECT_TRUE(is_utf8(shortened(text, most))) << most;
  EXPECT_EQ(shortened(text, 3), "a... (6 more bytes)");
  EXPECT_EQ(shortened(text, 4), "a\xE2\x82\xAC... (3 more bytes)");
}

TEST(Shortened, BytesThatAreNoTextAreCutSomewhere) {
  EXPECT_LE(shortened(std::string(100, '\x80'), 50).size(), 50 + std::string("... (100 more bytes)").size());
}

}  // namespace
}  // namespace vmafbatch
