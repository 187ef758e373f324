#include "io/pixel_formats.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/video_reader.h"
#include "support/media_files.h"

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

namespace vmafbatch::io {
namespace {

using testing::TemporaryFolder;

FramePtr random_picture(AVPixelFormat format, int width, int height, std::mt19937& random, bool full_words) {
  FramePtr picture(av_frame_alloc());
  picture->format = format;
  picture->width = width;
  picture->height = height;
  EXPECT_EQ(av_frame_get_buffer(picture.get(), 0), 0);
  const int depth = av_pix_fmt_desc_get(format)->comp[0].depth;
  const bool high_bits = av_pix_fmt_desc_get(format)->comp[0].shift > 0;
  const bool big_endian = (av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_BE) != 0;
  for (const AVBufferRef* buffer : picture->buf) {
    if (buffer == nullptr) continue;
    for (size_t i = 0; i + 1 < buffer->size; i += 2) {
      unsigned word = random() & 0xFFFF;
      if (depth > 8 && !full_words && !high_bits) word &= (1U << depth) - 1;
      buffer->data[i + (big_endian ? 1 : 0)] = static_cast<std::uint8_t>(word);
      buffer->data[i + (big_endian ? 0 : 1)] = static_cast<std::uint8_t>(word >> 8);
    }
  }
  return picture;
}

std::vector<AVPixelFormat> gathered_formats() {
  std::vector<AVPixelFormat> formats;
  for (const AVPixFmtDescriptor* d = av_pix_fmt_desc_next(nullptr); d != nullptr; d = av_pix_fmt_desc_next(d)) {
    if (planar_layout(av_pix_fmt_desc_get_id(d))) formats.push_back(av_pix_fmt_desc_get_id(d));
  }
  return formats;
}

TEST(PixelFormats, TheFastGatherEqualsItsPlainTwin) {
  std::mt19937 random(7);
  for (const AVPixelFormat format : gathered_formats()) {
    for (const int width : {16, 33}) {
      PictureFormat layout = *planar_layout(format);
      layout.width = width;
      layout.height = width / 2;
      for (const bool full_words : {false, true}) {
        const FramePtr picture = random_picture(format, layout.width, layout.height, random, full_words);
        FramePool pool(0);
        const auto fast = pool.acquire(layout);
        const auto slow = pool.acquire(layout);
        const bool fast_fits = gather(*picture, layout, plane_targets(*fast));
        EXPECT_EQ(fast_fits, slow_gather(*picture, layout, plane_targets(*slow))) << av_get_pix_fmt_name(format);
        EXPECT_TRUE(fast_fits || full_words) << av_get_pix_fmt_name(format);
        EXPECT_TRUE(!fast_fits || testing::plane_bytes(*fast) == testing::plane_bytes(*slow)) << av_get_pix_fmt_name(format);
      }
    }
  }
}

TEST(PixelFormats, ReadsPicturesThatAreStoredBottomUp) {
  std::mt19937 random(8);
  const PictureFormat layout{16, 8, Chroma::k444, 8};
  const FramePtr picture = random_picture(AV_PIX_FMT_YUV444P, 16, 8, random, false);
  FramePool pool(0);
  const auto down = pool.acquire(layout);
  const auto up = pool.acquire(layout);
  ASSERT_TRUE(gather(*picture, layout, plane_targets(*down)));
  for (size_t i = 0; i < 3; ++i) {
    picture->data[i] += 7 * picture->linesize[i];
    picture->linesize[i] = -picture->linesize[i];
  }
  ASSERT_TRUE(gather(*picture, layout, plane_targets(*up)));
  for (int plane = 0; plane < 3; ++plane) {
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 16; ++x) EXPECT_EQ(up->plane<std::uint8_t>(plane).row(y)[x], down->plane<std::uint8_t>(plane).row(7 - y)[x]);
    }
  }
}

TEST(PixelFormats, RefusesLayoutsThatAreNoPlanesOfLumaAndChroma) {
  for (const AVPixelFormat format :
       {AV_PIX_FMT_RGB24, AV_PIX_FMT_GBRP, AV_PIX_FMT_GBRP10LE, AV_PIX_FMT_PAL8, AV_PIX_FMT_YUV410P, AV_PIX_FMT_YUV411P,
        AV_PIX_FMT_UYYVYY411, AV_PIX_FMT_YUV440P, AV_PIX_FMT_MONOWHITE, AV_PIX_FMT_GRAYF32LE, AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_BAYER_BGGR8,
        AV_PIX_FMT_VAAPI, AV_PIX_FMT_X2RGB10LE, AV_PIX_FMT_NONE}) {
    EXPECT_EQ(planar_layout(format), std::nullopt) << format;
  }
}

struct Native {
  const char* name;
  const char* same_samples_in;  // what ffmpeg converts it to without loss
  Chroma chroma;
  int bit_depth;
};

class EveryNativeFormat : public ::testing::TestWithParam<Native> {};

// A raw file in the native format is read as ffmpeg's own lossless conversion of it.
TEST_P(EveryNativeFormat, IsGatheredAsFfmpegDoes) {
  if (!testing::has_encoder("rawvideo")) GTEST_SKIP() << "no ffmpeg program";
  const Native& native = GetParam();
  const TemporaryFolder folder;
  if (!testing::run_ffmpeg({"-f", "lavfi", "-i", "testsrc2=duration=0.2:rate=25:size=66x34", "-pix_fmt", native.name, "-f", "rawvideo",
                            folder.path("a.yuv")})) {
    // ffmpeg 5.1 reads y210le but cannot make it: any bytes will do.
    std::mt19937 random(9);
    std::string noise(static_cast<size_t>(5 * av_image_get_buffer_size(av_get_pix_fmt(native.name), 66, 34, 1)), '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    testing::write_file(folder.path("a.yuv"), noise);
  }
  ASSERT_TRUE(testing::run_ffmpeg({"-f", "rawvideo", "-s", "66x34", "-pix_fmt", native.name, "-i", folder.path("a.yuv"), "-f", "rawvideo",
                                   "-sws_flags", "accurate_rnd+bitexact", "-pix_fmt", native.same_samples_in, folder.path("b.yuv")}));
  ReaderOptions options;
  options.raw = RawGeometry{66, 34, native.name, std::nullopt, 25, 1};
  const auto reader = VideoReader::open(folder.path("a.yuv"), options);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ((*reader)->info().format, (PictureFormat{66, 34, native.chroma, native.bit_depth}));
  const testing::Decoded decoded = testing::decode_all(**reader);
  EXPECT_EQ(decoded.frames, 5);
  EXPECT_TRUE(decoded.bytes == testing::file_bytes(folder.path("b.yuv")));
}

INSTANTIATE_TEST_SUITE_P(
    Formats, EveryNativeFormat,
    ::testing::Values(Native{"nv12", "yuv420p", Chroma::k420, 8}, Native{"nv21", "yuv420p", Chroma::k420, 8},
                      Native{"nv24", "yuv444p", Chroma::k444, 8}, Native{"nv42", "yuv444p", Chroma::k444, 8},
                      Native{"p010le", "yuv420p10le", Chroma::k420, 10}, Native{"p010be", "yuv420p10le", Chroma::k420, 10},
                      Native{"p016le", "yuv420p16le", Chroma::k420, 16}, Native{"p210le", "yuv422p10le", Chroma::k422, 10},
                      Native{"p410le", "yuv444p10le", Chroma::k444, 10}, Native{"p416le", "yuv444p16le", Chroma::k444, 16},
                      Native{"yuyv422", "yuv422p", Chroma::k422, 8}, Native{"uyvy422", "yuv422p", Chroma::k422, 8},
                      Native{"yvyu422", "yuv422p", Chroma::k422, 8}, Native{"y210le", "yuv422p10le", Chroma::k422, 10},
                      Native{"yuv420p10be", "yuv420p10le", Chroma::k420, 10}, Native{"yuv444p16be", "yuv444p16le", Chroma::k444, 16},
                      Native{"yuva420p", "yuv420p", Chroma::k420, 8}, Native{"yuva444p10le", "yuv444p10le", Chroma::k444, 10},
                      Native{"gray", "gray", Chroma::k400, 8}, Native{"gray10be", "gray10le", Chroma::k400, 10},
                      Native{"yuvj422p", "yuvj422p", Chroma::k422, 8}),
    [](const auto& native) { return std::string(native.param.name); });

TEST(PixelFormats, InterleavedChromaIsSplit) {
  const TemporaryFolder folder;
  std::string bytes(16 * 8, 'y');
  for (int i = 0; i < 8 * 8; ++i) bytes += "br";
  testing::write_file(folder.path("a.yuv"), bytes);
  ReaderOptions options;
  options.raw = RawGeometry{16, 8, "nv16", std::nullopt, 25, 1};
  const auto reader = VideoReader::open(folder.path("a.yuv"), options);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_TRUE(testing::decode_all(**reader).bytes == std::string(16 * 8, 'y') + std::string(8 * 8, 'b') + std::string(8 * 8, 'r'));
}

TEST(PixelFormats, NineAndFourteenBitsAreShiftedUpExactly) {
  const TemporaryFolder folder;
  for (const auto& [name, depth, shift] :
       {std::tuple{"yuv444p9le", 10, 1}, std::tuple{"yuv444p14le", 16, 2}, std::tuple{"gray14le", 16, 2}}) {
    const bool gray = std::string(name).starts_with("gray");
    std::string bytes;
    std::string expected;
    for (int i = 0; i < 16 * 16 * (gray ? 1 : 3); ++i) {
      const int value = (i * 37) % (1 << (depth - shift));
      bytes += {static_cast<char>(value & 255), static_cast<char>(value >> 8)};
      expected += {static_cast<char>(value << shift & 255), static_cast<char>(value << shift >> 8)};
    }
    testing::write_file(folder.path("a.yuv"), bytes);
    ReaderOptions options;
    options.raw = RawGeometry{16, 16, name, std::nullopt, 25, 1};
    const auto reader = VideoReader::open(folder.path("a.yuv"), options);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ((*reader)->info().format.bit_depth, depth);
    EXPECT_EQ((*reader)->info().native_bit_depth, depth - shift);
    EXPECT_EQ((*reader)->done_to_pictures(), std::to_string(depth - shift) + " -> " + std::to_string(depth) + " bits by shift");
    EXPECT_TRUE(testing::decode_all(**reader).bytes == expected);
  }
}

}  // namespace
}  // namespace vmafbatch::io
