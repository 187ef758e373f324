#include "io/y4m_header.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
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

TEST(Y4mHeader, ANumberIsOneToItsEnd) {
  const std::string invalid = "its Y4M header is not valid: ";
  for (const char* width : {"W16x", "W+16", "W-16", "W0x10", "W16.0", "W1e2", "W", "W16:1", "W16\t", "W2147483648"}) {
    EXPECT_EQ(why(std::string(" ") + width + " H16 F25:1 C420"),
              invalid + "the width '" + line_text(width) + "' is no whole number greater than 0");
  }
  for (const char* height : {"H16x", "H+16", "H-16", "H 16", "H16\r"}) {
    EXPECT_NE(why(std::string(" W16 ") + height + " F25:1 C420").find("the height '"), std::string::npos) << height;
  }
  for (const char* rate : {"F25:1x", "F25x:1", "F25", "F25:", "F:1", "F", "F25.0:1", "F-25:1", "F25:-1", "F+25:1", "F25/1", "F25:1:1",
                           "F25:0", "F0:1", "F0x19:1", "F25: 1", "F99999999999:1", "Fnan:1"}) {
    const std::string said = why(std::string(" W16 H16 ") + rate + " C420");
    EXPECT_EQ(said, invalid + "the frame rate '" + std::string(rate).substr(0, std::string(rate).find(' ')) +
                        "' is no ratio of two whole numbers such as F25:1");
  }
  for (const char* aspect : {"A1:1x", "A1", "A", "A1.0:1", "A-1:1", "A1:1:1"}) {
    EXPECT_EQ(why(std::string(" W16 H16 F25:1 ") + aspect + " C420"),
              invalid + "the pixel aspect '" + aspect + "' is no ratio of two whole numbers such as A1:1");
  }
  for (const char* chroma :
       {"C420p99", "C420p", "C420p10x", "C4200", "C420ps", "C42", "C", "C444alphabet", "C422p11", "Cmono8", "C440", "C420\r"}) {
    const std::string said = why(std::string(" W16 H16 F25:1 ") + chroma);
    EXPECT_TRUE(said.starts_with(invalid + "the chroma format '" + line_text(chroma) + "' is unknown; known are C420")) << said;
  }
  for (const char* subsampling : {"444P99", "444x", "foo", "", "420JPEGS", "420jpeg", "422P10", "MONO"}) {
    const std::string said = why(std::string(" W16 H16 F25:1 XYSCSS=") + subsampling);
    EXPECT_TRUE(said.starts_with(invalid + "the chroma format 'XYSCSS=" + subsampling + "' is unknown; known are C420")) << said;
  }
  for (const char* interlacing : {"I", "Ipp", "Im", "I1"}) {
    EXPECT_EQ(why(std::string(" W16 H16 F25:1 C420 ") + interlacing),
              invalid + "the interlacing '" + interlacing + "' is not one of Ip, It, Ib and I?");
  }
}

TEST(Y4mHeader, WhatContradictsItselfIsRefused) {
  const std::string invalid = "its Y4M header is not valid: ";
  EXPECT_EQ(why(" W16 H16 W32 F25:1 C420"), invalid + "'W16' and 'W32' contradict each other");
  EXPECT_EQ(why(" W16 H16 H8 F25:1 C420"), invalid + "'H16' and 'H8' contradict each other");
  EXPECT_EQ(why(" W16 H16 C420 F25:1 C422"), invalid + "'C420' and 'C422' contradict each other");
  EXPECT_EQ(why(" W16 H16 F25:1 F30:1 C420"), invalid + "'F25:1' and 'F30:1' contradict each other");
  EXPECT_EQ(why(" W16 H16 F25:1 Ip It C420"), invalid + "'Ip' and 'It' contradict each other");
  EXPECT_EQ(why(" W16 H16 F25:1 A1:1 A2:1 C420"), invalid + "'A1:1' and 'A2:1' contradict each other");
  EXPECT_EQ(why(" W16 H16 F25:1 C420 XCOLORRANGE=FULL XCOLORRANGE=LIMITED"),
            invalid + "'XCOLORRANGE=FULL' and 'XCOLORRANGE=LIMITED' contradict each other");
  EXPECT_EQ(why(" W16 H16 F25:1 C420 XYSCSS=420JPEG XYSCSS=422"), invalid + "'XYSCSS=420JPEG' and 'XYSCSS=422' contradict each other");
}

TEST(Y4mHeader, WhatProgramsWriteIsRead) {
  for (const char* parameters : {" W16 H16", "  W16  H16  C420 ", " W16 H16 F25:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XCOLORRANGE=LIMITED",
                                 " H16 W16 F0:0 I? A0:0 C420mpeg2", " W016 H16 F30000:1001 A0:1 C420paldv XYSCSS=420PALDV",
                                 " W16 H16 W16 C420 C420 F25:1 F25:1", " W16 H16 F25:1 C420 Xa Xb XVENDOR=1 XVENDOR=2",
                                 " W16 H16 XYSCSS=420JPEG", " W16 H16 F25:1 XYSCSS=420", " W16 H16 C420 XYSCSS=foo"}) {
    EXPECT_EQ(why(parameters), "") << parameters;
  }
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
