// The hash that a decoding pass gives is that of the file, in every container; a pass that leaves something out gives none.
#include "base/content_hash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/group_reader.h"
#include "io/video_reader.h"
#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

using testing::TemporaryFolder;

std::string hash_of(const std::string& path) {
  const auto hash = hash_file(path);
  return hash.ok() ? hash->text : hash.error().message;
}

// Decodes the whole clip.
std::optional<std::string> pass_hash(const std::string& path, const ReaderOptions& options = {}) {
  const auto reader = VideoReader::open(path, options);
  EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
  if (!reader.ok()) return std::nullopt;
  EXPECT_EQ((*reader)->content_hash(), std::nullopt) << "before the end";
  const testing::Decoded decoded = testing::decode_all(**reader);
  EXPECT_EQ(decoded.end.kind, ReadResult::Kind::kEnd) << decoded.end.text;
  EXPECT_GT(decoded.frames, 2);
  return (*reader)->content_hash();
}

struct Container {
  const char* name;
  const char* file;
  const char* encoder;
  std::vector<std::string> more;
  bool sound = false;
};

class EveryContainer : public ::testing::TestWithParam<Container> {};

// Some megabytes each, so that the buffers are passed many times.
TEST_P(EveryContainer, GivesTheHashOfTheFile) {
  const Container& container = GetParam();
  if (!testing::has_encoder(container.encoder)) GTEST_SKIP() << "no ffmpeg program with the encoder " << container.encoder;
  const TemporaryFolder folder;
  const std::string path = folder.path(container.file);
  std::vector<std::string> make = {"-f", "lavfi", "-i", "testsrc2=duration=4:rate=25:size=352x288,noise=alls=40:allf=t"};
  if (container.sound) make.insert(make.end(), {"-f", "lavfi", "-i", "anoisesrc=duration=4:sample_rate=48000", "-c:a", "pcm_s16le"});
  make.insert(make.end(), {"-pix_fmt", "yuv420p", "-c:v", container.encoder, "-b:v", "8M"});
  make.insert(make.end(), container.more.begin(), container.more.end());
  make.push_back(path);
  ASSERT_TRUE(testing::run_ffmpeg(make));
  ASSERT_GT(std::filesystem::file_size(path), 2'000'000U);
  EXPECT_EQ(pass_hash(path), hash_of(path));
  ReaderOptions stoppable;  // reads through the thread, where it must
  stoppable.limits.should_stop = [] { return false; };
  stoppable.threads = 3;
  EXPECT_EQ(pass_hash(path, stoppable), hash_of(path));
}

INSTANTIATE_TEST_SUITE_P(
    Containers, EveryContainer,
    ::testing::Values(Container{"mp4_index_at_the_end", "a.mp4", "mpeg4", {}},
                      Container{"mp4_index_first", "a.mp4", "mpeg4", {"-movflags", "+faststart"}},
                      Container{"mp4_fragments", "a.mp4", "mpeg4", {"-movflags", "+frag_keyframe"}}, Container{"mkv", "a.mkv", "mpeg4", {}},
                      Container{"mkv_h264", "a.mkv", "libx264", {"-preset", "ultrafast"}}, Container{"ts", "a.ts", "mpeg2video", {}},
                      Container{"avi", "a.avi", "mpeg4", {}}, Container{"y4m", "a.y4m", "wrapped_avframe", {}},
                      Container{"mov_with_sound", "a.mov", "mpeg4", {}, true}, Container{"avi_with_sound", "a.avi", "mpeg4", {}, true},
                      Container{"mkv_with_sound", "a.mkv", "mpeg4", {}, true}),
    [](const auto& container) { return std::string(container.param.name); });

TEST(ContentHash, OfRawVideoIsThatOfTheFile) {
  const TemporaryFolder folder;
  testing::write_raw({.scene = "noise", .width = 320, .height = 240, .frames = 30}, folder.path("a.yuv"));
  ReaderOptions options;
  options.raw = RawGeometry{320, 240, "420", 8, 25, 1};
  EXPECT_EQ(pass_hash(folder.path("a.yuv"), options), hash_of(folder.path("a.yuv")));
}

// One read hands over a picture larger than libavformat's buffer.
TEST(ContentHash, OfLargePicturesIsThatOfTheFile) {
  const TemporaryFolder folder;
  testing::write_y4m({.width = 1280, .height = 720, .frames = 4}, folder.path("a.y4m"));
  EXPECT_EQ(pass_hash(folder.path("a.y4m")), hash_of(folder.path("a.y4m")));
}

class LadderHashes : public ::testing::Test {
 protected:
  LadderHashes() {
    testing::write_y4m({.width = 320, .height = 240, .frames = 40}, folder_.path("reference.y4m"));
    testing::write_y4m({.width = 320, .height = 240, .frames = 40, .distortion = "blur"}, folder_.path("same.y4m"));
    testing::write_y4m({.width = 320, .height = 240, .frames = 10, .distortion = "blur"}, folder_.path("short.y4m"));
    spec_.reference = folder_.path("reference.y4m");
    for (const char* name : {"same.y4m", "short.y4m"}) spec_.members.push_back({folder_.path(name), {}, 0});
  }

  std::unique_ptr<GroupReader> read_all() {
    auto reader = GroupReader::open(spec_, pool_);
    EXPECT_TRUE(reader.ok());
    if (!reader.ok()) return nullptr;
    Step step;
    while ((*reader)->next(step)) {
    }
    return std::move(*reader);
  }

  TemporaryFolder folder_;
  FramePool pool_{0};
  GroupSpec spec_;
};

TEST_F(LadderHashes, AreKeptWhenAMemberEnds) {
  const auto reader = read_all();
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->reference_hash(), hash_of(folder_.path("reference.y4m")));
  EXPECT_EQ(reader->distorted_hash(0), hash_of(folder_.path("same.y4m")));
  EXPECT_EQ(reader->distorted_hash(1), hash_of(folder_.path("short.y4m")));
}

TEST_F(LadderHashes, AreNotKnownOfFilesThatWereNotReadToTheirEnd) {
  spec_.frames = 5;
  auto reader = read_all();
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->reference_hash(), std::nullopt);
  EXPECT_EQ(reader->distorted_hash(0), std::nullopt);
  spec_.frames.reset();
  spec_.members.erase(spec_.members.begin());
  reader = read_all();
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->reference_hash(), std::nullopt) << "it goes on after the distorted video's end";
  EXPECT_EQ(reader->distorted_hash(0), hash_of(folder_.path("short.y4m")));
}

TEST_F(LadderHashes, AFileThatChangesWhileItIsReadIsADamageWhateverEndsThePass) {
  for (const bool limited : {false, true}) {
    spec_.frames = limited ? std::optional<std::int64_t>(5) : std::nullopt;
    auto reader = GroupReader::open(spec_, pool_);
    ASSERT_TRUE(reader.ok());
    Step step;
    ASSERT_TRUE((*reader)->next(step));
    std::filesystem::last_write_time(folder_.path("same.y4m"),
                                     std::filesystem::last_write_time(folder_.path("same.y4m")) + std::chrono::hours(1));
    while ((*reader)->next(step)) {
    }
    EXPECT_EQ((*reader)->end(0).kind, MemberEnd::Kind::kDamaged);
    EXPECT_EQ((*reader)->end(0).frame, limited ? 5 : 40);
    EXPECT_NE((*reader)->end(0).text.find("the file changed while it was read: its time of modification is another"), std::string::npos)
        << (*reader)->end(0).text;
    EXPECT_NE((*reader)->end(1).kind, MemberEnd::Kind::kDamaged);
    EXPECT_EQ((*reader)->distorted_hash(0), std::nullopt);
  }
}

}  // namespace
}  // namespace vmafbatch::io
