#include "io/y4m_header.h"

#include <gtest/gtest.h>

#include <string>

#include "io/video_reader.h"
#include "support/media_files.h"
#include "support/temporary_folder.h"

namespace vmafbatch::io {
namespace {

using vmafbatch::testing::TemporaryFolder;
using vmafbatch::testing::write_file;

// Why a file with this header line and one picture of 16x16 cannot be opened.
std::string why(const std::string& parameters) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.y4m");
  write_file(path, "YUV4MPEG2" + parameters + "\nFRAME\n" + std::string(384, 'x'));
  const auto reader = VideoReader::open(path, {});
  if (reader.ok()) return "";
  return reader.error().message.substr(path.size() + 2);
}

TEST(Y4mHeader, WhatIsWrongIsSaid) {
  const std::string invalid = "its Y4M header is not valid: ";
  EXPECT_EQ(why(" W0 H16 F25:1 C420"), invalid + "the width 'W0' is no whole number greater than 0");
  EXPECT_EQ(why(" W16 H-5 F25:1 C420"), invalid + "the height 'H-5' is no whole number greater than 0");
  EXPECT_EQ(why(" Wnan H16 F25:1 C420"), invalid + "the width 'Wnan' is no whole number greater than 0");
  EXPECT_EQ(why(" W99999999999999999999 H16 F25:1"), invalid + "the width 'W99999999999999999999' is no whole number greater than 0");
  EXPECT_EQ(why(" H16 F25:1 C420"), invalid + "the width (W) is missing");
  EXPECT_EQ(why(" W16 F25:1 C420"), invalid + "the height (H) is missing");
  EXPECT_EQ(why(" W65536 H65536 F25:1 Ip A1:1 C420"), invalid + "pictures of 65536x65536 are too large to be read");
  EXPECT_EQ(why(" W2000000000 H2000000000 F25:1"), invalid + "pictures of 2000000000x2000000000 are too large to be read");
  EXPECT_EQ(why(" W16 H16 F25:1 Iz C420"), invalid + "the interlacing 'Iz' is not one of Ip, It, Ib and I?");
  EXPECT_EQ(why(" W16 H16 F25:1 Ip C420"), "");
}

TEST(Y4mHeader, OfOtherFilesNothingIsSaid) {
  const auto fault = [](const std::string& text) { return y4m_header_fault(std::as_bytes(std::span(text))); };
  EXPECT_EQ(fault("RIFF"), std::nullopt);
  EXPECT_EQ(fault(""), std::nullopt);
  EXPECT_EQ(fault("YUV4MPEG2 W16 H16 C420\n"), std::nullopt);
  EXPECT_EQ(fault("YUV4MPEG2 W16 H16 C420"), "its first line does not end");
}

TEST(Y4mHeader, WhatLibavMakesOfBadDataIsNoErrorOfTheSystem) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.y4m");
  write_file(path, "YUV4MPEG2 W16 H16 F25:1 C420 X" + std::string(300, 'x') + "\nFRAME\n");
  const auto reader = VideoReader::open(path, {});
  ASSERT_FALSE(reader.ok());
  EXPECT_NE(reader.error().message.find("Invalid data found when processing input"), std::string::npos) << reader.error().message;
}

}  // namespace
}  // namespace vmafbatch::io
