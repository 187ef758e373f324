#include "io/video_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

using testing::Decoded;
using testing::SyntheticClip;
using testing::TemporaryFolder;
using Kind = ReadResult::Kind;

std::unique_ptr<VideoReader> open(const std::string& path, const ReaderOptions& options = {}) {
  auto reader = VideoReader::open(path, options);
  EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
  return reader.ok() ? std::move(*reader) : nullptr;
}

std::string error_of(const std::string& path, const ReaderOptions& options = {}) {
  const auto reader = VideoReader::open(path, options);
  EXPECT_FALSE(reader.ok()) << path;
  return reader.ok() ? "" : reader.error().message;
}

std::string expected_bytes(const SyntheticClip& clip) {
  std::string bytes;
  for (const auto& frame : testing::make_frames(clip)) bytes += testing::plane_bytes(*frame);
  return bytes;
}

ReaderOptions raw_options(const SyntheticClip& clip) {
  ReaderOptions options;
  options.raw = RawGeometry{clip.width, clip.height, clip.chroma, clip.depth, 25, 1};
  return options;
}

struct Layout {
  const char* chroma;
  int depth;
};

class EveryLayout : public ::testing::TestWithParam<Layout> {};

TEST_P(EveryLayout, OfRawVideoIsReadAsItIs) {
  const TemporaryFolder folder;
  for (const int width : {64, 33}) {
    SyntheticClip clip{
        .scene = "noise", .width = width, .height = width == 64 ? 48 : 17, .chroma = GetParam().chroma, .depth = GetParam().depth};
    testing::write_raw(clip, folder.path("clip.yuv"));
    const auto reader = open(folder.path("clip.yuv"), raw_options(clip));
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->info().format, testing::format_of(clip));
    EXPECT_EQ(reader->info().declared_frames, 3);
    const Decoded decoded = testing::decode_all(*reader);
    EXPECT_EQ(decoded.end.kind, Kind::kEnd) << decoded.end.text;
    EXPECT_EQ(decoded.frames, 3);
    EXPECT_TRUE(decoded.bytes == expected_bytes(clip));
  }
}

TEST_P(EveryLayout, OfY4mIsReadAsItIs) {
  const TemporaryFolder folder;
  const SyntheticClip clip{.scene = "noise", .width = 33, .height = 17, .chroma = GetParam().chroma, .depth = GetParam().depth};
  testing::write_y4m(clip, folder.path("clip.y4m"));
  const auto reader = open(folder.path("clip.y4m"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->info().format, testing::format_of(clip));
  const Decoded decoded = testing::decode_all(*reader);
  EXPECT_EQ(decoded.end.kind, Kind::kEnd) << decoded.end.text;
  EXPECT_TRUE(decoded.bytes == expected_bytes(clip));
}

INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         ::testing::Values(Layout{"400", 8}, Layout{"400", 10}, Layout{"400", 12}, Layout{"400", 16}, Layout{"420", 8},
                                           Layout{"420", 10}, Layout{"420", 12}, Layout{"420", 16}, Layout{"422", 8}, Layout{"422", 10},
                                           Layout{"422", 12}, Layout{"422", 16}, Layout{"444", 8}, Layout{"444", 10}, Layout{"444", 12},
                                           Layout{"444", 16}),
                         [](const auto& layout) { return std::string(layout.param.chroma) + "_" + std::to_string(layout.param.depth); });

struct Codec {
  const char* name;
  const char* encoder;
  const char* container;
  const char* pixel_format;
  int bit_depth;
  bool even;  // the encoder takes even sizes only
};

class EveryCodec : public ::testing::TestWithParam<Codec> {};

// Bit-exact: without that flag ffmpeg's MPEG-4 pictures differ from processor to processor. An odd width and height where the codec allows
// them; B-pictures where the encoder makes them.
TEST_P(EveryCodec, GivesTheSamplesThatFfmpegGives) {
  const Codec& codec = GetParam();
  if (!testing::has_encoder(codec.encoder)) GTEST_SKIP() << "no ffmpeg program with the encoder " << codec.encoder;
  const TemporaryFolder folder;
  const std::string clip = folder.path(std::string("clip.") + codec.container);
  const bool even = codec.even;
  std::vector<std::string> make = {
      "-f",       "lavfi",
      "-i",       std::string("testsrc2=duration=1:rate=25:size=178x98") + (even ? "" : ",format=yuv444p,crop=177:97"),
      "-pix_fmt", codec.pixel_format,
      "-c:v",     codec.encoder};
  if (std::string(codec.encoder) == "libaom-av1") make.insert(make.end(), {"-cpu-used", "8"});
  make.push_back(clip);
  ASSERT_TRUE(testing::run_ffmpeg(make));
  ASSERT_TRUE(testing::run_ffmpeg({"-flags", "bitexact+unaligned", "-i", clip, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt",
                                   codec.pixel_format, folder.path("raw")}));
  for (const int threads : {1, 3}) {
    ReaderOptions options;
    options.threads = threads;
    const auto reader = open(clip, options);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->info().format.bit_depth, codec.bit_depth);
    EXPECT_EQ(reader->info().native_format, codec.pixel_format);
    EXPECT_EQ(reader->info().format.width, even ? 178 : 177);
    EXPECT_EQ(reader->info().fps_numerator, 25);
    EXPECT_EQ(reader->done_to_pictures(), "");
    const Decoded decoded = testing::decode_all(*reader);
    EXPECT_EQ(decoded.end.kind, Kind::kEnd) << decoded.end.text;
    EXPECT_EQ(decoded.frames, 25);
    EXPECT_TRUE(decoded.bytes == testing::file_bytes(folder.path("raw")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Codecs, EveryCodec,
    ::testing::Values(
        Codec{"h264_mp4", "libx264", "mp4", "yuv420p", 8, true}, Codec{"h264_mkv_10", "libx264", "mkv", "yuv420p10le", 10, true},
        Codec{"h264_flv", "libx264", "flv", "yuv420p", 8, true}, Codec{"h264_444", "libx264", "mp4", "yuv444p", 8, false},
        Codec{"hevc_mkv", "libx265", "mkv", "yuv420p", 8, true}, Codec{"hevc_mp4_12", "libx265", "mp4", "yuv422p12le", 12, true},
        Codec{"vp9_webm", "libvpx-vp9", "webm", "yuv420p", 8, false}, Codec{"av1_mkv", "libaom-av1", "mkv", "yuv420p10le", 10, false},
        Codec{"mpeg2_ts", "mpeg2video", "ts", "yuv420p", 8, false}, Codec{"mpeg4_avi", "mpeg4", "avi", "yuv420p", 8, false},
        Codec{"prores_mov", "prores", "mov", "yuv422p10le", 10, true}, Codec{"ffv1_mkv", "ffv1", "mkv", "yuv444p16le", 16, false},
        Codec{"gray_ffv1", "ffv1", "mkv", "gray", 8, false}),
    [](const auto& codec) { return std::string(codec.param.name); });

TEST(VideoReader, AppliesTheCodecsCroppingExactly) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_ffmpeg({"-f", "lavfi", "-i", "testsrc2=duration=0.2:size=192x108", "-pix_fmt", "yuv420p", "-c:v", "libx264",
                                   "-bsf:v", "h264_metadata=crop_left=6:crop_right=10:crop_top=2:crop_bottom=4", folder.path("a.mp4")}));
  ASSERT_TRUE(testing::run_ffmpeg({"-flags", "unaligned", "-i", folder.path("a.mp4"), "-f", "rawvideo", folder.path("raw")}));
  const auto reader = open(folder.path("a.mp4"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->info().format.width, 176);
  EXPECT_EQ(reader->info().format.height, 106);  // the coded height is 112
  EXPECT_TRUE(testing::decode_all(*reader).bytes == testing::file_bytes(folder.path("raw")));
}

TEST(VideoReader, RecordsRotationAndColourTagsAndAppliesNeither) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_ffmpeg({"-f", "lavfi", "-i", "testsrc2=duration=0.2:size=64x48", "-pix_fmt", "yuv420p", "-c:v", "libx264",
                                   "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
                                   folder.path("plain.mp4")}));
  ASSERT_TRUE(testing::run_ffmpeg({"-i", folder.path("plain.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90", folder.path("turned.mp4")}));
  const auto plain = open(folder.path("plain.mp4"));
  const auto turned = open(folder.path("turned.mp4"));
  ASSERT_TRUE(plain && turned);
  EXPECT_EQ(plain->info().rotation_degrees, 0);
  ASSERT_TRUE(testing::run_ffmpeg({"-i", folder.path("turned.mp4"), "-f", "rawvideo", folder.path("turned.raw")}));
  ASSERT_TRUE(testing::run_ffmpeg(
      {"-noautorotate", "-i", folder.path("turned.mp4"), "-vf", "transpose=cclock", "-f", "rawvideo", folder.path("ccw.raw")}));
  ASSERT_TRUE(testing::file_bytes(folder.path("turned.raw")) == testing::file_bytes(folder.path("ccw.raw")));
  EXPECT_EQ(turned->info().rotation_degrees, -90);
  EXPECT_EQ(turned->info().colour, (ColourTags{"tv", "bt709", "bt2020", "smpte2084"}));
  EXPECT_EQ(turned->info().format, plain->info().format);
  EXPECT_TRUE(testing::decode_all(*plain).bytes == testing::decode_all(*turned).bytes);
}

TEST(VideoReader, TakesAnyBytesAsAFileName) {
  const TemporaryFolder folder;
  const SyntheticClip clip{.width = 32, .height = 16};
  for (const std::string name : {"a b.y4m", "it's \"quoted\".y4m", "http:x:y.y4m", "co,mma;|.y4m", "line\nbreak.y4m", "%03d %s.y4m",
                                 "\xFF\xFE\x80.y4m", "concat:a|b.y4m", "-i.y4m", "*?[a].y4m", "#hash&x=1.y4m"}) {
    testing::write_y4m(clip, folder.path(name));
    const auto reader = open(folder.path(name));
    ASSERT_TRUE(reader) << name;
    EXPECT_TRUE(testing::decode_all(*reader).bytes == expected_bytes(clip)) << name;
  }
}

TEST(VideoReader, GivesTimesFromTheFirstPictureOn) {
  const TemporaryFolder folder;
  testing::write_y4m({.width = 32, .height = 16}, folder.path("a.y4m"));
  const auto reader = open(folder.path("a.y4m"));
  ASSERT_TRUE(reader);
  FramePool pool(0);
  EXPECT_EQ(reader->peek_time_s(), 0.0);
  EXPECT_EQ(reader->skip().kind, Kind::kFrame);
  EXPECT_EQ(reader->peek_time_s(), 0.04);
  EXPECT_EQ(reader->next(pool).frame->time_s, 0.04);
  EXPECT_EQ(reader->next(pool).frame->time_s, 0.08);
  EXPECT_EQ(reader->peek_time_s(), std::nullopt);
}

TEST(VideoReader, OpensNoOtherFileThanTheOneThatItIsGiven) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("f.ts").c_str(), 0600), 0);  // to open it would wait for ever
  const std::vector<std::pair<std::string, std::string>> lists = {
      {"list.ffconcat", "ffconcat version 1.0\nfile f.ts\n"},
      {"list.mp4", "ffconcat version 1.0\nfile 'f.ts'\nfile 'f.ts'\n"},
      {"list.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nf.ts\n#EXT-X-ENDLIST\n"},
      {"list.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n"},
      {"list.idx", "# VobSub index file, v7 (do not modify this line!)\n"}};
  for (const auto& [name, text] : lists) {
    testing::write_file(folder.path(name), text);
    EXPECT_EQ(error_of(folder.path(name)),
              folder.path(name) + ": is a list of other files, not a video; score the files, or join them into one");
  }
}

TEST(VideoReader, RefusesWhatIsNoVideoWithOneSentence) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder.path("missing.mp4")), folder.path("missing.mp4") + ": No such file or directory");
  testing::write_file(folder.path("empty.mp4"), "");
  EXPECT_EQ(error_of(folder.path("empty.mp4")), folder.path("empty.mp4") + ": the file is empty");
  std::string text;
  for (int i = 0; i < 500; ++i) text += "This is a text and no video. ";
  for (const char* name : {"text.mp4", "text.txt", "text.mkv", "text%d.png"}) {
    testing::write_file(folder.path(name), text);
    EXPECT_NE(error_of(folder.path(name)).find(folder.path(name)), std::string::npos);
  }
  EXPECT_NE(error_of(folder.path("")).find("is a folder"), std::string::npos);
}

TEST(VideoReader, RefusesAudioAlone) {
  if (!testing::has_encoder("pcm_s16le")) GTEST_SKIP() << "no ffmpeg program";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_ffmpeg({"-f", "lavfi", "-i", "sine=duration=0.2", folder.path("a.wav")}));
  EXPECT_EQ(error_of(folder.path("a.wav")), folder.path("a.wav") + ": has no video stream");
}

TEST(VideoReader, RefusesBadGeometryWithOneSentence) {
  const TemporaryFolder folder;
  const SyntheticClip clip{.width = 32, .height = 16};
  testing::write_raw(clip, folder.path("a.yuv"));
  ReaderOptions options = raw_options(clip);
  options.raw->pixel_format = "421";
  EXPECT_NE(error_of(folder.path("a.yuv"), options).find("pixel_format '421' is unknown"), std::string::npos);
  options = raw_options(clip);
  options.raw->bit_depth = 11;
  EXPECT_NE(error_of(folder.path("a.yuv"), options).find("bit_depth 11 is not one of"), std::string::npos);
  options.raw->pixel_format = "yuv420p10le";
  EXPECT_NE(error_of(folder.path("a.yuv"), options).find("has 10 bits, but bit_depth says 11"), std::string::npos);
  options = raw_options(clip);
  options.raw->width = 0;
  EXPECT_NE(error_of(folder.path("a.yuv"), options).find("needs a width and a height"), std::string::npos);
}

TEST(VideoReader, RefusesSamplesAboveTheBitDepth) {
  const TemporaryFolder folder;
  const SyntheticClip clip{.width = 35, .height = 16, .depth = 10};
  testing::write_raw(clip, folder.path("a.yuv"));
  std::string bytes = testing::file_bytes(folder.path("a.yuv"));
  bytes[bytes.size() - 1] = 4;  // the last sample of the last picture is at least 1024
  testing::write_file(folder.path("a.yuv"), bytes);
  const auto reader = open(folder.path("a.yuv"), raw_options(clip));
  ASSERT_TRUE(reader);
  const Decoded decoded = testing::decode_all(*reader);
  EXPECT_EQ(decoded.frames, 2);
  EXPECT_EQ(decoded.end.kind, Kind::kDamage);
  EXPECT_EQ(decoded.end.text, folder.path("a.yuv") + ": damaged at frame 2: a sample is greater than its bit depth allows");
  FramePool pool(0);
  EXPECT_EQ(reader->next(pool).text, decoded.end.text);
}

TEST(VideoReader, RefusesRgbUnlessToldToConvert) {
  if (!testing::has_encoder("ffv1")) GTEST_SKIP() << "no ffmpeg program with ffv1";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_ffmpeg(
      {"-f", "lavfi", "-i", "testsrc2=duration=0.2:size=64x48", "-pix_fmt", "bgr0", "-c:v", "ffv1", folder.path("a.mkv")}));
  EXPECT_NE(error_of(folder.path("a.mkv")).find("pixel format bgr0 has no planes"), std::string::npos);
  ReaderOptions options;
  options.convert = true;
  const auto reader = open(folder.path("a.mkv"), options);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->info().format, (PictureFormat{64, 48, Chroma::k444, 8}));
  EXPECT_EQ(reader->done_to_pictures(), "converted bgr0 -> 4:4:4 bt709 limited range");
  ASSERT_TRUE(
      testing::run_ffmpeg({"-i", folder.path("a.mkv"), "-vf",
                           "scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+bitexact,format=yuv444p",
                           "-f", "rawvideo", folder.path("raw")}));
  EXPECT_TRUE(testing::decode_all(*reader).bytes == testing::file_bytes(folder.path("raw")));
}

}  // namespace
}  // namespace vmafbatch::io
