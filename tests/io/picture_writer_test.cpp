// Pictures for people as files.
#include "io/picture_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/image_file.h"
#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch::io {
namespace {

using testing::decode_image;
using testing::file_bytes;
using testing::TemporaryFolder;

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

TEST(WriteWholeFile, ReplacesAFileAndLeavesNoOther) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.png");
  ASSERT_TRUE(write_whole_file(path, "old").ok());
  ASSERT_TRUE(write_whole_file(path, std::string(1 << 20, 'x')).ok());
  EXPECT_EQ(file_bytes(path), std::string(1 << 20, 'x'));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteWholeFile, SaysWhereItCannotWrite) {
  const TemporaryFolder folder;
  const Status status = write_whole_file(folder.path("none/a.png"), "x");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("none/a.png: cannot be written: No such file"), std::string::npos) << status.error().message;
  std::filesystem::create_directory(folder.path("a.png"));
  EXPECT_FALSE(write_whole_file(folder.path("a.png"), "x").ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "the unfinished file is gone";
  EXPECT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(write_whole_file(folder.path("pipe"), "x").ok());
  EXPECT_TRUE(std::filesystem::is_fifo(folder.path("pipe"))) << "what is no file stays";
}

TEST(WriteWholeFile, OnAFullDiskKeepsTheOldFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder.path("a.png"), "old").ok());
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_whole_file(folder.path("a.png"), std::string(2000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, before);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(file_bytes(folder.path("a.png")), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

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
