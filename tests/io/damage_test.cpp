// Files that are cut short or hold garbage: never a crash, never a hang, always a sentence with the frame.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "io/container_size.h"
#include "io/video_reader.h"
#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

using testing::Decoded;
using testing::SyntheticClip;
using testing::TemporaryFolder;
using Kind = ReadResult::Kind;

Decoded decode(const std::string& path, const ReaderOptions& options = {}) {
  auto reader = VideoReader::open(path, options);
  if (reader) return testing::decode_all(**reader);
  Decoded failed;
  failed.end = {Kind::kDamage, nullptr, reader.error().message};
  return failed;
}

TEST(Damage, APartialRawPictureIsReportedAfterTheWholeOnes) {
  const TemporaryFolder folder;
  const SyntheticClip clip{.width = 32, .height = 16, .frames = 4};
  const std::string path = folder.path("a.yuv");
  testing::write_raw(clip, path);
  testing::cut_file(path, 32 * 16 * 3 / 2 * 3 - 1);
  ReaderOptions options;
  options.raw = RawGeometry{32, 16, "420", 8, 25, 1};
  const Decoded decoded = decode(path, options);
  EXPECT_EQ(decoded.frames, 2);
  EXPECT_EQ(decoded.end.kind, Kind::kDamage);
  EXPECT_NE(decoded.end.text.find("damaged at frame 2: a packet is damaged or cut short"), std::string::npos) << decoded.end.text;
}

TEST(Damage, APartialY4mPictureIsReportedAndACutInsideTheMarkerIsAnEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.y4m");
  testing::write_y4m({.width = 32, .height = 16, .frames = 3}, path);
  const auto whole = std::filesystem::file_size(path);
  const std::uintmax_t picture = 32 * 16 * 3 / 2;
  testing::cut_file(path, whole - 1);
  Decoded decoded = decode(path);
  EXPECT_EQ(decoded.frames, 2);
  EXPECT_NE(decoded.end.text.find("damaged at frame 2: the last picture of the file is not complete"), std::string::npos)
      << decoded.end.text;
  testing::cut_file(path, whole - picture - 2);
  decoded = decode(path);
  EXPECT_EQ(decoded.frames, 2);
  EXPECT_EQ(decoded.end.kind, Kind::kEnd) << decoded.end.text;
}

TEST(Damage, LostFramingOfY4mIsReported) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.y4m");
  testing::write_y4m({.width = 32, .height = 16, .frames = 3}, path);
  std::string bytes = testing::file_bytes(path);
  bytes[bytes.size() - 32 * 16 * 3 / 2 - 4] = 'X';  // inside the last "FRAME"
  testing::write_file(path, bytes);
  const Decoded decoded = decode(path);
  EXPECT_EQ(decoded.frames, 2);
  EXPECT_EQ(decoded.end.kind, Kind::kDamage);
}

struct Cut {
  const char* name;
  const char* encoder;
  const char* container;
};

class CutFile : public ::testing::TestWithParam<Cut> {
 protected:
  void SetUp() override {
    if (!testing::has_encoder(GetParam().encoder)) GTEST_SKIP() << "no ffmpeg program with " << GetParam().encoder;
    path_ = folder_.path(std::string("a.") + GetParam().container);
    std::vector<std::string> make = {"-f",       "lavfi",   "-i",   "testsrc2=duration=2:rate=25:size=176x144",
                                     "-pix_fmt", "yuv420p", "-c:v", GetParam().encoder};
    if (std::string(GetParam().encoder) == "ffv1") make.insert(make.end(), {"-level", "3", "-slicecrc", "1"});
    if (std::string(GetParam().container) != "avi") make.insert(make.end(), {"-movflags", "+faststart"});
    make.push_back(path_);
    ASSERT_TRUE(testing::run_ffmpeg(make));
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_P(CutFile, KeepsThePicturesBeforeTheCutAndSaysSo) {
  const Decoded whole = decode(path_);
  ASSERT_EQ(whole.end.kind, Kind::kEnd) << whole.end.text;
  ASSERT_EQ(whole.frames, 50);
  testing::cut_file(path_, std::filesystem::file_size(path_) * 6 / 10);
  ReaderOptions threads;
  threads.threads = 4;
  const Decoded one = decode(path_);
  const Decoded four = decode(path_, threads);
  EXPECT_EQ(one.end.kind, Kind::kDamage);
  EXPECT_GT(one.frames, 5);
  EXPECT_LT(one.frames, 50);
  EXPECT_TRUE(whole.bytes.substr(0, one.bytes.size()) == one.bytes);
  EXPECT_NE(one.end.text.find(path_ + ": damaged at frame " + std::to_string(one.frames) + ": "), std::string::npos) << one.end.text;
  EXPECT_EQ(one.frames, four.frames);
  EXPECT_TRUE(one.bytes == four.bytes);
  EXPECT_EQ(one.end.text, four.end.text);
}

TEST_P(CutFile, NeverCrashesWhereverItIsCut) {
  const std::string bytes = testing::file_bytes(path_);
  for (size_t part = 0; part < 12; ++part) {
    testing::write_file(path_, std::string_view(bytes).substr(0, bytes.size() * part / 12));
    EXPECT_LT(decode(path_).frames, 50);
  }
}

TEST_P(CutFile, DamagedBytesNeverPassForAWholeFile) {
  std::string bytes = testing::file_bytes(path_);
  const std::string whole = decode(path_).bytes;
  std::uint32_t state = 12345;
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 2000 && i < bytes.size(); ++i) {
    state = state * 1664525 + 1013904223;
    bytes[i] = static_cast<char>(state >> 24);
  }
  testing::write_file(path_, bytes);
  const Decoded decoded = decode(path_);
  EXPECT_EQ(decoded.end.kind, Kind::kDamage);
  EXPECT_LT(decoded.frames, 50);
  EXPECT_TRUE(whole.substr(0, decoded.bytes.size()) == decoded.bytes) << decoded.frames << " " << decoded.end.text;
}

INSTANTIATE_TEST_SUITE_P(Containers, CutFile,
                         ::testing::Values(Cut{"h264_mp4", "libx264", "mp4"}, Cut{"h264_mkv", "libx264", "mkv"},
                                           Cut{"ffv1_mkv", "ffv1", "mkv"}, Cut{"vp9_webm", "libvpx-vp9", "webm"},
                                           Cut{"mpeg4_avi", "mpeg4", "avi"}, Cut{"prores_mov", "prores", "mov"}),
                         [](const auto& cut) { return std::string(cut.param.name); });

TEST(Damage, AChangeOfSizeInsideTheStreamIsReported) {
  if (!testing::has_encoder("mpeg2video")) GTEST_SKIP() << "no ffmpeg program with mpeg2video";
  const TemporaryFolder folder;
  for (const char* size : {"64x48", "96x64"}) {
    ASSERT_TRUE(testing::run_ffmpeg({"-f", "lavfi", "-i", std::string("testsrc2=duration=0.4:rate=25:size=") + size, "-c:v", "mpeg2video",
                                     "-bf", "0", "-f", "mpeg2video", folder.path(std::string(size) + ".m2v")}));
  }
  testing::write_file(folder.path("both.m2v"),
                      testing::file_bytes(folder.path("64x48.m2v")) + testing::file_bytes(folder.path("96x64.m2v")));
  const Decoded decoded = decode(folder.path("both.m2v"));
  EXPECT_EQ(decoded.end.kind, Kind::kDamage);
  EXPECT_NE(decoded.end.text.find("the pictures change from 64x48 yuv420p to 96x64 yuv420p inside the stream"), std::string::npos)
      << decoded.end.text;
}

TEST(Damage, GarbageUnderEveryNameIsRefused) {
  const TemporaryFolder folder;
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525 + 1013904223;
    noise += static_cast<char>(state >> 24);
  }
  for (const char* name : {"a.mp4", "a.mkv", "a.m2v", "a.y4m", "a.avi", "a.h264", "a.ivf", "a.mxf"}) {
    testing::write_file(folder.path(name), noise);
    EXPECT_EQ(decode(folder.path(name)).end.kind, Kind::kDamage) << name;
  }
  testing::write_file(folder.path("head.y4m"), "YUV4MPEG2 W16 H16 F25:1\n" + noise);
  EXPECT_EQ(decode(folder.path("head.y4m")).end.kind, Kind::kDamage);
}

TEST(ContainerSize, KnowsMatroskaAndAviAndNothingElse) {
  const auto declared = [](std::string_view bytes) { return declared_file_bytes(std::as_bytes(std::span(bytes))); };
  using namespace std::string_view_literals;  // NOLINT(google-build-using-namespace): literals have no other way
  EXPECT_EQ(declared("\x1A\x45\xDF\xA3\x82zz\x18\x53\x80\x67\x81"sv), 12 + 1);
  EXPECT_EQ(declared("\x1A\x45\xDF\xA3\x82zz\x18\x53\x80\x67\xFF"sv), std::nullopt);  // live: not known
  EXPECT_EQ(declared("\x1A\x45\xDF\xA3\x82zz\x18\x53"sv), std::nullopt);
  EXPECT_EQ(declared("\x1A\x45\xDF\xA3\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFE"sv), std::nullopt);
  EXPECT_EQ(declared("RIFF\x10\x01\x00\x00"
                     "AVI rest"sv),
            0x110 + 8);
  EXPECT_EQ(declared("RIFF\x10\x01\x00\x00WAVErest"sv), std::nullopt);
  EXPECT_EQ(declared("abc"sv), std::nullopt);
}

}  // namespace
}  // namespace vmafbatch::io
