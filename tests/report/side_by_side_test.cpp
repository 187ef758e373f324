// What a picture of a pair shows, pixel by pixel.
#include "report/side_by_side.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "report/bitmap_font.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::report {
namespace {

using io::PictureFormat;
using io::RgbPicture;

const io::PairColours kColours{{"bt709", false, {}}, {"bt709", false, {}}};

// Flat pictures; the distorted one differs by `change` (plane, x, y).
io::FramePair pair_of(const PictureFormat& format, const std::function<int(int, int, int)>& change) {
  const int middle = 1 << (format.bit_depth - 1);
  return {testing::make_frame(format, [&](int, int, int) { return middle; }),
          testing::make_frame(format, [&](int plane, int x, int y) { return middle + change(plane, x, y); })};
}

Colour pixel(const RgbPicture& picture, int x, int y) {
  const std::uint8_t* at = picture.pixel(x, y);
  return {at[0], at[1], at[2]};
}

TEST(PanelSize, FitsThreeIntoTheWidth) {
  const auto expect = [](PanelSize size, int width, int height, int enlarge) {
    EXPECT_EQ(size.width, width);
    EXPECT_EQ(size.height, height);
    EXPECT_EQ(size.enlarge, enlarge);
  };
  expect(panel_size(640, 360, 1936), 640, 360, 1);
  expect(panel_size(48, 32, 1920), 48, 32, 5);
  expect(panel_size(16, 16, 1920), 16, 16, 15);
  expect(panel_size(16, 16, 320), 16, 16, 6);
  expect(panel_size(3840, 2160, 1920), 634, 357, 1);
  expect(panel_size(1, 1, 320), 1, 1, 104);
  expect(panel_size(8, 65000, 1920), 2, 16384, 1);
  expect(panel_size(65000, 8, 1920), 634, 1, 1);
}

TEST(DifferencePicture, IsGrayWhereLumaDiffersAndColouredWhereChromaDoes) {
  const io::FramePair pair = pair_of({.width = 8, .height = 8}, [](int plane, int x, int y) {
    if (plane == 0) return x == 1 && y == 1 ? -3 : x == 2 && y == 1 ? 100 : 0;
    if (plane == 1) return x == 2 && y == 2 ? 4 : 0;
    return x == 3 && y == 2 ? -5 : 0;
  });
  const RgbPicture picture = difference_picture(pair, 8, 8, 8);
  EXPECT_EQ(pixel(picture, 0, 0), (Colour{0, 0, 0}));
  EXPECT_EQ(pixel(picture, 1, 1), (Colour{24, 24, 24}));
  EXPECT_EQ(pixel(picture, 2, 1), (Colour{255, 255, 255}));
  EXPECT_EQ(pixel(picture, 5, 5), (Colour{0, 0, 32}));
  EXPECT_EQ(pixel(picture, 7, 4), (Colour{40, 0, 0}));
}

TEST(DifferencePicture, CountsDeepSamplesOnTheScaleOfEightBits) {
  const io::FramePair pair = pair_of({.width = 4, .height = 4, .chroma = io::Chroma::k400, .bit_depth = 12}, [](int, int x, int) {
    return x == 0 ? 16 : x == 1 ? 2 : x == 2 ? 2000 : 0;
  });
  const RgbPicture picture = difference_picture(pair, 8, 4, 4);
  EXPECT_EQ(pixel(picture, 0, 0), (Colour{8, 8, 8}));
  EXPECT_EQ(pixel(picture, 1, 0), (Colour{1, 1, 1}));
  EXPECT_EQ(pixel(picture, 2, 0), (Colour{255, 255, 255}));
  EXPECT_EQ(pixel(picture, 3, 0), (Colour{0, 0, 0}));
}

TEST(DifferencePicture, OfALargePictureStillShowsOneWrongSample) {
  for (const auto& [x, y] : {std::pair(0, 0), std::pair(1919, 1079), std::pair(777, 333)}) {
    const io::FramePair pair =
        pair_of({.width = 1920, .height = 1080}, [&](int plane, int i, int j) { return plane == 0 && i == x && j == y ? 9 : 0; });
    const RgbPicture picture = difference_picture(pair, 10, 100, 56);
    EXPECT_EQ(pixel(picture, x * 100 / 1920, y * 56 / 1080), (Colour{90, 90, 90}));
    EXPECT_EQ(std::ranges::count(picture.bytes, 90), 3);
  }
}

TEST(SideBySide, PutsTheThreeNextToEachOther) {
  const io::FramePair pair = pair_of({.width = 48, .height = 32}, [](int plane, int, int) { return plane == 0 ? 10 : 0; });
  const Result<RgbPicture> picture = side_by_side(pair, kColours, {"caption"}, {.amplify = 4, .max_width = 1920});
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(picture->width, 3 * 240 + 2 * 4);
  EXPECT_EQ(pixel(*picture, 120, 97), (Colour{130, 130, 130}));  // (128 - 16) * 255 / 219
  EXPECT_EQ(pixel(*picture, 244 + 120, 97), (Colour{142, 142, 142}));
  EXPECT_EQ(pixel(*picture, 488 + 120, 97), (Colour{40, 40, 40}));
  EXPECT_EQ(pixel(*picture, 242, 97), (Colour{24, 24, 24}));  // the gap
}

TEST(SideBySide, StaysWithinTheWidthAndGrowsWithTheCaption) {
  const io::FramePair pair = pair_of({.width = 1920, .height = 1080}, [](int, int, int) { return 0; });
  for (const int most : {320, 500, 1000, 1920, 5000}) {
    const Result<RgbPicture> one = side_by_side(pair, kColours, {"a"}, {.max_width = most});
    const Result<RgbPicture> two = side_by_side(pair, kColours, {"a", "b"}, {.max_width = most});
    ASSERT_TRUE(one.ok() && two.ok());
    EXPECT_LE(one->width, most);
    EXPECT_GE(one->width, most - 6);
    EXPECT_GT(two->height, one->height);
  }
  const io::FramePair narrow = pair_of({.width = 2, .height = 3000}, [](int, int, int) { return 0; });
  EXPECT_EQ(side_by_side(narrow, kColours, {std::string(100000, 'x')}, {}).value().width, kLeastWidth);
}

TEST(BitmapFont, DrawsWhatItCan) {
  EXPECT_EQ(drawable("a~ Z"), "a~ Z");
  EXPECT_EQ(drawable("\xC3\xA9t\xE2\x82\xAC!\xF0\x9F\x98\x80"), "?t?!?");
  EXPECT_EQ(drawable("a\n\t\x7F\xFF\x80z"), "a???\?\?z");
  RgbPicture picture(12, 9);
  draw_text(picture, 0, 0, "-_", 1, {1, 2, 3});
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 12; ++x) {
      const bool dot = (y == 3 && x < 5) || (y == 7 && x >= 6 && x < 11);
      EXPECT_EQ(pixel(picture, x, y), (dot ? Colour{1, 2, 3} : Colour{0, 0, 0})) << x << ' ' << y;
    }
  }
}

TEST(BitmapFont, HasADifferentGlyphForEveryCharacter) {
  std::vector<std::vector<std::uint8_t>> glyphs;
  for (char c = ' '; c <= '~'; ++c) {
    RgbPicture picture(kCellWidth, kCellHeight);
    draw_text(picture, 0, 0, std::string(1, c), 1, {255, 255, 255});
    EXPECT_EQ(std::ranges::find(glyphs, picture.bytes), glyphs.end()) << c;
    glyphs.push_back(picture.bytes);
  }
}

TEST(BitmapFont, DrawsNothingOutside) {
  RgbPicture picture(10, 10);
  draw_text(picture, -3, -3, "####", 2, {255, 0, 0});
  draw_text(picture, 9, 9, "#", 3, {255, 0, 0});
  EXPECT_GT(std::ranges::count(picture.bytes, 255), 0);
}

TEST(BitmapFont, LargerTextHasLargerDots) {
  RgbPicture picture(18, 27);
  draw_text(picture, 0, 0, "-", 3, {9, 9, 9});
  EXPECT_EQ(std::ranges::count(picture.bytes, 9), 3 * 5 * 9);
}

TEST(Wrapped, BreaksAtSpacesOrInsideLongWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("", 5), Lines{""});
  EXPECT_EQ(wrapped("abcde", 5), Lines{"abcde"});
  EXPECT_EQ(wrapped("ab cde fg", 6), (Lines{"ab cde", "fg"}));
  EXPECT_EQ(wrapped("abcdefg hi", 3), (Lines{"abc", "def", "g", "hi"}));
  EXPECT_EQ(wrapped("a    b", 2), (Lines{"a ", "b"}));
  EXPECT_EQ(wrapped("   ", 1).size(), 1U);
}

}  // namespace
}  // namespace vmafbatch::report
