// Pictures for people as files.
#include "io/picture_writer.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/image_file.h"

namespace vmafbatch::io {
namespace {

using testing::decode_image;

RgbPicture noise(int width, int height) {
  RgbPicture picture(width, height);
  std::minstd_rand random(7);
  for (std::uint8_t& byte : picture.bytes) byte = static_cast<std::uint8_t>(random() >> 8);
  return picture;
}

TEST(EncodePicture, APngHoldsEveryByte) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(7, 3), std::pair(64, 48), std::pair(333, 2)}) {
    const RgbPicture picture = noise(width, height);
    const Result<std::string> file = encode_picture(picture, ImageFormat::kPng);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_TRUE(file->starts_with("\x89PNG\r\n"));
    const RgbPicture back = decode_image(*file, ImageFormat::kPng);
    EXPECT_EQ(back.width, width);
    EXPECT_EQ(back.height, height);
    EXPECT_EQ(back.bytes, picture.bytes);
  }
}

TEST(EncodePicture, AJpegIsNear) {
  RgbPicture picture(40, 24);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      picture.pixel(x, y)[0] = static_cast<std::uint8_t>(x < 20 ? 200 : 30);  // an edge in colour
      picture.pixel(x, y)[2] = static_cast<std::uint8_t>(4 * y);
    }
  }
  const Result<std::string> file = encode_picture(picture, ImageFormat::kJpeg);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file->starts_with("\xFF\xD8\xFF"));
  const RgbPicture back = decode_image(*file, ImageFormat::kJpeg);
  ASSERT_EQ(back.bytes.size(), picture.bytes.size());
  for (size_t i = 0; i < back.bytes.size(); ++i) EXPECT_NEAR(back.bytes[i], picture.bytes[i], 16) << i;
}

TEST(EncodePicture, APictureThatTheEncoderRefusesIsAnError) { EXPECT_FALSE(encode_picture(RgbPicture(70000, 1), ImageFormat::kJpeg).ok()); }

TEST(SafeFileName, KeepsPlainNames) {
  for (const char* name : {"film_720p", "a", "A.B-c_9"}) EXPECT_EQ(safe_file_name(name), name);
}

TEST(SafeFileName, OfTextsThatAreNoFileNamesIsOneAndItsOwn) {
  std::set<std::string> names;
  const std::vector<std::string> texts = {"",
                                          ".",
                                          "..",
                                          "../../etc/passwd",
                                          "a/b",
                                          "a\\b",
                                          "a b",
                                          "a\nb",
                                          "-rf",
                                          "a:b",
                                          "\xFF\xFE",
                                          ".hidden",
                                          "<img>",
                                          std::string("a\0b", 3),
                                          std::string(300, 'x'),
                                          std::string(301, 'x')};
  for (const std::string& text : texts) {
    const std::string name = safe_file_name(text);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_LE(name.size(), 120U);
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"), std::string::npos) << name;
    EXPECT_NE(name.front(), '.');
    EXPECT_EQ(name, safe_file_name(text));
  }
  EXPECT_TRUE(safe_file_name("-rf").starts_with("_rf-"));
}

}  // namespace
}  // namespace vmafbatch::io
