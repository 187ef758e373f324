#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/video_reader.h"
#include "support/media_files.h"

namespace vmafbatch::io {
namespace {

using testing::TemporaryFolder;

constexpr const char* kFlags = "+accurate_rnd+full_chroma_int+bitexact";

struct Scaling {
  const char* name;
  const char* pixel_format;
  const char* scaler;
  const char* from;
  int width, height;
};

class EveryScaling : public ::testing::TestWithParam<Scaling> {};

TEST_P(EveryScaling, GivesTheSamplesOfFfmpegsScaleFilter) {
  if (!testing::has_encoder("ffv1")) GTEST_SKIP() << "no ffmpeg program with ffv1";
  const Scaling& s = GetParam();
  const TemporaryFolder folder;
  // A crop, as the test source itself makes even sizes only; a codec that keeps the full-range formats apart.
  const std::string size = s.from;
  const std::string source = "testsrc2=duration=0.12:rate=25:size=640x360,format=yuv444p,crop=" + size.substr(0, 3) + ":" + size.substr(4);
  const bool full_range = std::string(s.pixel_format).starts_with("yuvj");
  ASSERT_TRUE(testing::run_ffmpeg(
      {"-f", "lavfi", "-i", source, "-pix_fmt", s.pixel_format, "-c:v", full_range ? "mjpeg" : "rawvideo", folder.path("a.nut")}));
  const std::string filter = "scale=" + std::to_string(s.width) + ":" + std::to_string(s.height) + ":flags=" + s.scaler + kFlags;
  ASSERT_TRUE(
      testing::run_ffmpeg({"-i", folder.path("a.nut"), "-vf", filter, "-f", "rawvideo", "-pix_fmt", s.pixel_format, folder.path("raw")}));
  const auto reader = VideoReader::open(folder.path("a.nut"), {});
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  OutputFormat output{.format = (*reader)->info().source, .scaler = *parse_scaler(s.scaler)};
  output.format.width = s.width;
  output.format.height = s.height;
  ASSERT_TRUE((*reader)->set_output(output).ok());
  EXPECT_EQ((*reader)->done_to_pictures(),
            "scaled " + std::string(s.from) + " -> " + std::to_string(s.width) + "x" + std::to_string(s.height) + " " + s.scaler);
  const testing::Decoded decoded = testing::decode_all(**reader);
  EXPECT_EQ(decoded.frames, 3);
  EXPECT_TRUE(decoded.bytes == testing::file_bytes(folder.path("raw")));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, EveryScaling,
    ::testing::Values(
        Scaling{"up_420", "yuv420p", "bicubic", "320x180", 640, 360}, Scaling{"odd_420", "yuv420p", "bicubic", "177x99", 401, 299},
        Scaling{"down_420", "yuv420p", "bicubic", "640x360", 320, 180}, Scaling{"up_420_10", "yuv420p10le", "bicubic", "320x180", 640, 360},
        Scaling{"odd_422_12", "yuv422p12le", "bicubic", "177x99", 401, 299},
        Scaling{"up_444_16", "yuv444p16le", "bicubic", "320x180", 640, 360}, Scaling{"up_422", "yuv422p", "bicubic", "320x180", 640, 360},
        Scaling{"up_444", "yuv444p", "bicubic", "320x180", 480, 270}, Scaling{"up_gray", "gray", "bicubic", "320x180", 480, 270},
        Scaling{"up_gray_10", "gray10le", "bicubic", "320x180", 480, 270},
        Scaling{"full_range", "yuvj420p", "bicubic", "320x180", 640, 360}, Scaling{"bilinear", "yuv420p", "bilinear", "320x180", 640, 360},
        Scaling{"lanczos", "yuv420p", "lanczos", "320x180", 640, 360}, Scaling{"spline", "yuv420p10le", "spline", "320x180", 640, 360},
        Scaling{"area", "yuv420p", "area", "640x360", 320, 180}, Scaling{"gauss", "yuv420p", "gauss", "320x180", 640, 360},
        Scaling{"sinc", "yuv420p", "sinc", "320x180", 640, 360}, Scaling{"neighbor", "yuv420p", "neighbor", "320x180", 640, 360}),
    [](const auto& scaling) { return std::string(scaling.param.name); });

TEST(Scaling, OfRawVideoInAPackedFormatEqualsScalingItsPlanes) {
  if (!testing::has_encoder("rawvideo")) GTEST_SKIP() << "no ffmpeg program";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_ffmpeg(
      {"-f", "lavfi", "-i", "testsrc2=duration=0.12:rate=25:size=64x48", "-pix_fmt", "nv12", "-f", "rawvideo", folder.path("a.yuv")}));
  ASSERT_TRUE(
      testing::run_ffmpeg({"-f", "rawvideo", "-s", "64x48", "-pix_fmt", "nv12", "-i", folder.path("a.yuv"), "-vf",
                           std::string("format=yuv420p,scale=128:96:flags=bicubic") + kFlags, "-f", "rawvideo", folder.path("raw")}));
  ReaderOptions options;
  options.raw = RawGeometry{64, 48, "nv12", std::nullopt, 25, 1};
  const auto reader = VideoReader::open(folder.path("a.yuv"), options);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_TRUE((*reader)->set_output({.format = {128, 96, Chroma::k420, 8}}).ok());
  EXPECT_TRUE(testing::decode_all(**reader).bytes == testing::file_bytes(folder.path("raw")));
}

TEST(Scaling, AnotherChromaLayoutIsResampledAsFfmpegDoesIt) {
  if (!testing::has_encoder("rawvideo")) GTEST_SKIP() << "no ffmpeg program";
  const TemporaryFolder folder;
  ASSERT_TRUE(
      testing::run_ffmpeg({"-f", "lavfi", "-i", "testsrc2=duration=0.12:rate=25:size=64x48", "-pix_fmt", "yuv422p", folder.path("a.y4m")}));
  ASSERT_TRUE(testing::run_ffmpeg({"-i", folder.path("a.y4m"), "-vf", std::string("scale=96:72:flags=bicubic") + kFlags + ",format=yuv420p",
                                   "-sws_flags", std::string("bicubic") + kFlags, "-f", "rawvideo", folder.path("raw")}));
  ReaderOptions options;
  options.convert = true;
  const auto reader = VideoReader::open(folder.path("a.y4m"), options);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_TRUE((*reader)->set_output({.format = {96, 72, Chroma::k420, 8}}).ok());
  EXPECT_EQ((*reader)->done_to_pictures(), "scaled 64x48 -> 96x72 bicubic; 4:2:2 -> 4:2:0");
  EXPECT_TRUE(testing::decode_all(**reader).bytes == testing::file_bytes(folder.path("raw")));
}

TEST(Scaling, RefusesWhatWasNotAskedFor) {
  const TemporaryFolder folder;
  testing::write_file(folder.path("a.yuv"), std::string(16 * 16 * 3 / 2, 'x'));
  ReaderOptions options;
  options.raw = RawGeometry{16, 16, "420", 8, 25, 1};
  const auto reader = VideoReader::open(folder.path("a.yuv"), options);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  const auto refusal = [&](const PictureFormat& format) {
    const Status status = (*reader)->set_output({.format = format, .scaler = Scaler::kNone});
    return status.ok() ? std::string() : status.error().message;
  };
  EXPECT_NE(refusal({32, 16, Chroma::k420, 8}).find("--scale none forbids scaling"), std::string::npos);
  EXPECT_NE(refusal({16, 16, Chroma::k422, 8}).find("its chroma layout 4:2:0 is not the reference's 4:2:2"), std::string::npos);
  EXPECT_NE(refusal({16, 16, Chroma::k420, 10}).find("its bit depth 8 is not the reference's 10"), std::string::npos);
  EXPECT_EQ(refusal({16, 16, Chroma::k420, 8}), "");
}

TEST(Scaling, NamesOfFiltersAreReadBack) {
  for (const char* name : {"none", "bicubic", "bilinear", "lanczos", "spline", "area", "gauss", "sinc", "neighbor"}) {
    ASSERT_TRUE(parse_scaler(name).ok());
    EXPECT_STREQ(scaler_name(*parse_scaler(name)), name);
  }
  EXPECT_EQ(parse_scaler("cubic").error().message, "scale 'cubic' is unknown; use one of " + scaler_names());
}

}  // namespace
}  // namespace vmafbatch::io
