// Going straight to a picture in the middle of a file: what follows is what a decoder gives that began at the start, or the way is
// refused.
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "io/file_identity.h"
#include "io/group_reader.h"
#include "io/picture_times.h"
#include "io/presentation_time.h"
#include "io/video_reader.h"
#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

using testing::SyntheticClip;
using testing::TemporaryFolder;
using Kind = ReadResult::Kind;

struct Stream {
  const char* name;
  const char* file;
  const char* encoder;
  std::vector<std::string> options;
  enum class Seek { kAlways, kSometimes, kNever } seek;
};

// Names are shown by CTest.
std::ostream& operator<<(std::ostream& out, const Stream& stream) { return out << stream.name; }

class EveryStream : public ::testing::TestWithParam<Stream> {
 protected:
  // 60 pictures.
  bool make() {
    if (!testing::has_encoder(GetParam().encoder)) return false;
    testing::write_y4m(SyntheticClip{.scene = "nature", .frames = 60}, folder_.path("source.y4m"));
    std::vector<std::string> arguments = {"-i", folder_.path("source.y4m"), "-c:v", GetParam().encoder};
    arguments.insert(arguments.end(), GetParam().options.begin(), GetParam().options.end());
    arguments.push_back(path_);
    return testing::run_ffmpeg(arguments);
  }

  std::unique_ptr<VideoReader> open(int threads = 1) {
    ReaderOptions options;
    options.threads = threads;
    if (path_.ends_with(".yuv")) options.raw = RawGeometry{64, 48, "420", 8, 25, 1};
    auto reader = VideoReader::open(path_, options);
    EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
    return reader.ok() ? std::move(*reader) : nullptr;
  }

  // Every picture from the first one on.
  void decode() {
    const auto reader = open();
    ASSERT_TRUE(reader);
    while (true) {
      ReadResult read = reader->next(pool_);
      if (read.kind != Kind::kFrame) {
        end_ = read.kind;
        return;
      }
      pictures_.push_back(testing::plane_bytes(*read.frame));
      times_.push_back(nanoseconds(read.frame->time_s));
    }
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.path(GetParam().file);
  FramePool pool_{0};
  std::vector<std::string> pictures_;
  std::vector<std::optional<std::int64_t>> times_;
  Kind end_ = Kind::kDamage;
};

TEST_P(EveryStream, GoesOnAsIfDecodedFromTheStart) {
  if (!make()) GTEST_SKIP() << "no ffmpeg program with the encoder " << GetParam().encoder;
  decode();
  ASSERT_EQ(end_, Kind::kEnd);
  ASSERT_EQ(pictures_.size(), 60U);
  int found = 0;
  int asked = 0;
  for (size_t number = 1; number < pictures_.size(); number += 3) {
    if (!times_[number]) continue;
    ++asked;
    const auto reader = open(number % 2 == 0 ? 1 : 3);
    ASSERT_TRUE(reader);
    if (!reader->seek(static_cast<std::int64_t>(number), *times_[number])) continue;
    ++found;
    for (size_t n = number; n < pictures_.size(); ++n) {
      const ReadResult read = reader->next(pool_);
      ASSERT_EQ(read.kind, Kind::kFrame) << "sought " << number << ", picture " << n << ": " << read.text;
      ASSERT_TRUE(testing::plane_bytes(*read.frame) == pictures_[n]) << "sought " << number << ", picture " << n;
      ASSERT_EQ(nanoseconds(read.frame->time_s), times_[n]);
    }
    EXPECT_EQ(reader->next(pool_).kind, Kind::kEnd) << "sought " << number;
  }
  std::cout << found << " of " << asked << " seeks found\n";
  switch (GetParam().seek) {
    case Stream::Seek::kAlways:
      EXPECT_EQ(asked, 20);
      EXPECT_EQ(found, asked);
      break;
    case Stream::Seek::kSometimes:
      EXPECT_GT(found, 0);
      EXPECT_LT(found, asked);
      break;
    case Stream::Seek::kNever: EXPECT_EQ(found, 0); break;
  }
}

TEST_P(EveryStream, HasTheTimesThatItsPacketsSay) {
  if (!make()) GTEST_SKIP() << "no ffmpeg program with the encoder " << GetParam().encoder;
  decode();
  std::optional<RawGeometry> raw;
  if (path_.ends_with(".yuv")) raw = RawGeometry{64, 48, "420", 8, 25, 1};
  const auto found = picture_times(path_, raw, {});
  if (!found) {
    EXPECT_NE(GetParam().seek, Stream::Seek::kAlways);
    return;
  }
  EXPECT_EQ(found->file, file_identity(path_).value());
  ASSERT_EQ(found->ns.size(), times_.size());
  for (size_t number = 0; number < times_.size(); ++number) EXPECT_EQ(found->ns[number], times_[number]) << number;
}

TEST_P(EveryStream, ATimeThatNoPictureHasIsRefused) {
  if (!make()) GTEST_SKIP() << "no ffmpeg program with the encoder " << GetParam().encoder;
  for (const std::int64_t time_ns : {std::int64_t{1'001'000'000}, std::int64_t{900'000'000'000}, std::int64_t{-40'000'000}}) {
    const auto reader = open();
    ASSERT_TRUE(reader);
    EXPECT_FALSE(reader->seek(25, time_ns)) << time_ns;
  }
}

using Seek = Stream::Seek;
const std::vector<std::string> kX264 = {"-g", "10", "-bf", "3", "-pix_fmt", "yuv420p"};

std::vector<std::string> with(std::vector<std::string> options, const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

INSTANTIATE_TEST_SUITE_P(
    Streams, EveryStream,
    ::testing::Values(Stream{"y4m", "a.y4m", "wrapped_avframe", {}, Seek::kAlways}, Stream{"raw", "a.yuv", "rawvideo", {}, Seek::kAlways},
                      Stream{"h264_mp4", "a.mp4", "libx264", kX264, Seek::kAlways},
                      Stream{"h264_mkv", "a.mkv", "libx264", kX264, Seek::kAlways},
                      Stream{"h264_ts", "a.ts", "libx264", kX264, Seek::kNever},
                      Stream{"h264_avi", "a.avi", "libx264", {"-g", "10", "-bf", "0"}, Seek::kNever},
                      Stream{"h264_open_gop_mp4", "a.mp4", "libx264", with(kX264, {"-x264-params", "open-gop=1"}), Seek::kSometimes},
                      Stream{"h264_open_gop_mkv", "a.mkv", "libx264", with(kX264, {"-x264-params", "open-gop=1"}), Seek::kSometimes},
                      Stream{"h264_refresh_mkv", "a.mkv", "libx264", with(kX264, {"-x264-params", "intra-refresh=1"}), Seek::kSometimes},
                      Stream{"h264_one_key_mp4", "a.mp4", "libx264", {"-g", "250"}, Seek::kAlways},
                      Stream{"hevc_mp4", "a.mp4", "libx265", {"-x265-params", "log-level=error:keyint=10"}, Seek::kAlways},
                      Stream{"hevc_mkv", "a.mkv", "libx265", {"-x265-params", "log-level=error:keyint=10:open-gop=0"}, Seek::kAlways},
                      Stream{"vp9_webm", "a.webm", "libvpx-vp9", {"-g", "10", "-deadline", "realtime"}, Seek::kAlways},
                      Stream{"av1_mkv", "a.mkv", "libaom-av1", {"-g", "10", "-cpu-used", "8", "-usage", "realtime"}, Seek::kAlways},
                      Stream{"mpeg4_avi", "a.avi", "mpeg4", {"-g", "10", "-bf", "2"}, Seek::kNever},
                      Stream{"mpeg2_ts", "a.ts", "mpeg2video", {"-g", "10", "-bf", "2"}, Seek::kNever},
                      Stream{"prores_mov", "a.mov", "prores_ks", {}, Seek::kAlways},
                      Stream{"ffv1_mkv", "a.mkv", "ffv1", {"-g", "10"}, Seek::kAlways},
                      Stream{"theora_ogg", "a.ogv", "libtheora", {"-g", "10"}, Seek::kNever}),
    [](const auto& of) { return std::string(of.param.name); });

class GroupSeek : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
    testing::write_y4m(SyntheticClip{.scene = "nature", .frames = 30}, folder_.path("source.y4m"));
    for (const char* name : {"r.mp4", "d.mp4"}) {
      ASSERT_TRUE(testing::run_ffmpeg({"-i", folder_.path("source.y4m"), "-c:v", "libx264", "-g", "5", folder_.path(name)}));
    }
    spec_.reference = folder_.path("r.mp4");
    spec_.members.push_back({folder_.path("d.mp4"), std::nullopt, 2});
    spec_.skip_reference = 3;
  }

  std::unique_ptr<GroupReader> open() { return std::move(*GroupReader::open(spec_, pool_)); }

  // Times of pair `index`.
  PositionTimes times(std::int64_t index) const { return {40'000'000 * (index + 3), {40'000'000 * (index + 2)}}; }

  const TemporaryFolder folder_;
  FramePool pool_{0};
  GroupSpec spec_;
};

TEST_F(GroupSeek, KeepsIndicesCountsAndEnd) {
  const auto whole = open();
  const auto sought = open();
  ASSERT_TRUE(sought->seek(12, times(12)));
  Step a;
  Step b;
  while (a.index < 12) ASSERT_TRUE(whole->next(a));
  for (std::int64_t n = 12; n < 27; ++n) {
    if (n > 12) {
      ASSERT_TRUE(whole->next(a));
    }
    ASSERT_TRUE(sought->next(b));
    ASSERT_EQ(b.index, n);
    EXPECT_EQ(testing::plane_bytes(b.pairs[0]->reference()), testing::plane_bytes(a.pairs[0]->reference()));
    EXPECT_EQ(testing::plane_bytes(b.pairs[0]->distorted()), testing::plane_bytes(a.pairs[0]->distorted()));
  }
  EXPECT_FALSE(whole->next(a));
  EXPECT_FALSE(sought->next(b));
  EXPECT_EQ(sought->end(0).kind, whole->end(0).kind);
  EXPECT_EQ(sought->end(0).frame, 27);
  EXPECT_EQ(sought->warnings(0), whole->warnings(0));
  EXPECT_EQ(sought->reference_frames_decoded(), 30);
  EXPECT_EQ(sought->distorted_frames_decoded(0), whole->distorted_frames_decoded(0));
}

TEST_F(GroupSeek, IsRefusedWhereThePlaceIsNotKnownForSure) {
  spec_.start_s = 0.2;
  EXPECT_FALSE(open()->seek(12, times(12))) << "a cut: how many pictures lie before it is not known";
  spec_.start_s.reset();
  spec_.duration_s = 1;
  EXPECT_FALSE(open()->seek(12, times(12)));
  spec_.duration_s.reset();
  spec_.sync = Sync::kTimestamp;
  EXPECT_FALSE(open()->seek(12, times(12)));
  spec_.sync = Sync::kFrame;
  EXPECT_FALSE(open()->seek(12, {times(12).reference_ns, {times(12).distorted_ns[0] + 1}})) << "no picture has this time";
  EXPECT_TRUE(open()->seek(12, times(12)));
}

TEST_F(GroupSeek, PassesOverPositionsThatNobodyLooksAt) {
  const auto reader = open();
  for (int n = 0; n < 12; ++n) ASSERT_TRUE(reader->skip());
  Step step;
  ASSERT_TRUE(reader->next(step));
  EXPECT_EQ(step.index, 12);
  while (reader->skip()) continue;
  EXPECT_EQ(reader->end(0).frame, 27);
  EXPECT_FALSE(reader->skip());
}

}  // namespace
}  // namespace vmafbatch::io
