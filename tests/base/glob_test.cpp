#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace vmafbatch {
namespace {

TEST(Glob, APatternWithoutWildCardsIsTheName) {
  EXPECT_TRUE(glob_matches("psnr_y", "psnr_y"));
  EXPECT_FALSE(glob_matches("psnr_y", "psnr_y2"));
  EXPECT_FALSE(glob_matches("psnr_y", "xpsnr_y"));
  EXPECT_FALSE(glob_matches("Psnr_y", "psnr_y"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_TRUE(glob_matches("film [1].mp4", "film [1].mp4")) << "brackets stand for themselves";
  EXPECT_TRUE(glob_matches("a\\b", "a\\b"));
}

TEST(Glob, AStarIsAnyText) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*", "shows/a/b"));
  EXPECT_TRUE(glob_matches("psnr_*", "psnr_"));
  EXPECT_TRUE(glob_matches("*_y", "psnr_y_y"));
  EXPECT_TRUE(glob_matches("a*b*c", "abbcbc"));
  EXPECT_FALSE(glob_matches("a*b*c", "abbcb"));
  EXPECT_TRUE(glob_matches("**a**", "bab"));
  EXPECT_FALSE(glob_matches("*a", ""));
}

TEST(Glob, AQuestionMarkIsOneCharacter) {
  EXPECT_TRUE(glob_matches("psnr_?", "psnr_y"));
  EXPECT_FALSE(glob_matches("psnr_?", "psnr_"));
  EXPECT_FALSE(glob_matches("psnr_?", "psnr_yy"));
  EXPECT_TRUE(glob_matches("caf?", "caf\xC3\xA9"));
  EXPECT_TRUE(glob_matches("caf?", "caf\xE9")) << "a byte that is no UTF-8";
  EXPECT_TRUE(glob_matches("*?x", "aax"));
}

TEST(Glob, ManyStarsTakeNoLongTime) {
  std::string pattern;
  for (int count = 0; count < 200; ++count) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
}

}  // namespace
}  // namespace vmafbatch
