// Scored frames in the colours that people see.
#include "io/rgb_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

const DisplayColour kBt709{"bt709", false, {}};

struct Rgb {
  double red, green, blue;
};

// ITU-R BT.709, BT.601: R'G'B' from Y'CbCr with the weights of red and blue; samples of 8 bits.
Rgb formula(double y, double cb, double cr, double red_weight, double blue_weight, bool full) {
  const double level = full ? y : (y - 16) * 255 / 219;
  const double scale = full ? 1 : 255.0 / 224;
  const double b = (cb - 128) * scale * 2 * (1 - blue_weight);
  const double r = (cr - 128) * scale * 2 * (1 - red_weight);
  return {level + r, level - (red_weight * r + blue_weight * b) / (1 - red_weight - blue_weight), level + b};
}

std::shared_ptr<const Frame> flat(const PictureFormat& format, int y, int cb, int cr) {
  return testing::make_frame(format, [&](int plane, int, int) { return plane == 0 ? y : plane == 1 ? cb : cr; });
}

void expect_near(const std::uint8_t* pixel, const Rgb& wanted) {
  EXPECT_NEAR(pixel[0], std::clamp(wanted.red, 0.0, 255.0), 1.5);
  EXPECT_NEAR(pixel[1], std::clamp(wanted.green, 0.0, 255.0), 1.5);
  EXPECT_NEAR(pixel[2], std::clamp(wanted.blue, 0.0, 255.0), 1.5);
}

RgbPicture shown(const Frame& frame, const DisplayColour& colour) {
  const Result<RgbPicture> picture = rgb_picture(frame, colour, frame.format().width, frame.format().height);
  EXPECT_TRUE(picture.ok());
  return picture.ok() ? *picture : RgbPicture(1, 1);
}

TEST(RgbPicture, FollowsMatrixAndRange) {
  for (const int cr : {60, 128, 200}) {
    const auto frame = flat({.width = 18, .height = 10}, 120, 90, cr);
    expect_near(shown(*frame, kBt709).pixel(9, 5), formula(120, 90, cr, 0.2126, 0.0722, false));
    expect_near(shown(*frame, {"smpte170m", false, {}}).pixel(9, 5), formula(120, 90, cr, 0.299, 0.114, false));
    expect_near(shown(*frame, {"bt2020nc", false, {}}).pixel(9, 5), formula(120, 90, cr, 0.2627, 0.0593, false));
    expect_near(shown(*frame, {"bt709", true, {}}).pixel(9, 5), formula(120, 90, cr, 0.2126, 0.0722, true));
  }
}

TEST(RgbPicture, ShowsEveryLayoutAndDepthAlike) {
  for (const Chroma chroma : {Chroma::k420, Chroma::k422, Chroma::k444}) {
    for (const int depth : {8, 10, 12, 16}) {
      const int up = 1 << (depth - 8);
      const auto frame = flat({.width = 17, .height = 9, .chroma = chroma, .bit_depth = depth}, 120 * up, 90 * up, 170 * up);
      expect_near(shown(*frame, kBt709).pixel(16, 8), formula(120, 90, 170, 0.2126, 0.0722, false));
    }
  }
}

TEST(RgbPicture, OfGrayHasEqualParts) {
  for (const int depth : {8, 10, 16}) {
    for (const bool full : {false, true}) {
      const auto frame = flat({.width = 16, .height = 16, .chroma = Chroma::k400, .bit_depth = depth}, 100 << (depth - 8), 0, 0);
      const RgbPicture picture = shown(*frame, {"bt709", full, {}});
      expect_near(picture.pixel(3, 3), formula(100, 128, 128, 0.2126, 0.0722, full));
      EXPECT_EQ(picture.pixel(3, 3)[0], picture.pixel(3, 3)[1]);
    }
  }
}

TEST(RgbPicture, ScalesDownAndKeepsItsPlace) {
  const auto frame = testing::make_frame({.width = 64, .height = 32}, [](int plane, int x, int) {
    return plane > 0 ? 128 : x < 32 ? 16 : 235;
  });
  const Result<RgbPicture> picture = rgb_picture(*frame, kBt709, 16, 8);
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(picture->width, 16);
  EXPECT_EQ(picture->height, 8);
  EXPECT_LE(picture->pixel(2, 4)[0], 1);
  EXPECT_GE(picture->pixel(13, 4)[0], 254);
}

TEST(DisplayColour, IsWhatTheTagsSay) {
  const DisplayColour colour = display_colour({"pc", "bt2020nc", "bt2020", "smpte2084"}, {}, {.width = 64, .height = 48});
  EXPECT_EQ(colour.matrix, "bt2020nc");
  EXPECT_TRUE(colour.full_range);
  EXPECT_EQ(colour.text, "bt2020nc full, PQ shown as stored");
  EXPECT_EQ(display_colour({"tv", "bt709", "", "arib-std-b67"}, {}, {}).text, "bt709 limited, HLG shown as stored");
}

TEST(DisplayColour, OfAnUntaggedSideIsTheOtherOnesOrAssumedBySize) {
  const PictureFormat small{.width = 640, .height = 360};
  const PictureFormat large{.width = 1280, .height = 720};
  EXPECT_EQ(display_colour({}, {}, small).text, "smpte170m limited (assumed)");
  EXPECT_EQ(display_colour({}, {}, large).text, "bt709 limited (assumed)");
  EXPECT_EQ(display_colour({}, {"pc", "bt2020nc", "", ""}, small).text, "bt2020nc full (assumed)");
  EXPECT_EQ(display_colour({"tv", "bt709", "", ""}, {"pc", "bt2020nc", "", ""}, small).text, "bt709 limited");
  EXPECT_EQ(display_colour({"tv", "ycgco", "", ""}, {}, large).text, "bt709 limited instead of ycgco");
}

TEST(DisplayColour, OfRgbIsWhatItWasConvertedTo) {
  StreamInfo rgb;
  rgb.rgb = true;
  rgb.colour = {"pc", "gbr", "", ""};
  StreamInfo tagged;
  tagged.colour = {"pc", "bt2020nc", "", ""};
  EXPECT_EQ(display_colours(rgb, rgb).reference.text, "bt709 limited");
  EXPECT_EQ(display_colours(tagged, rgb).distorted.text, "bt2020nc full");
  EXPECT_EQ(display_colours(rgb, tagged).distorted.text, "bt2020nc full");
}

}  // namespace
}  // namespace vmafbatch::io
