// Frames far into a clip: sought where that is safe, with the pixels of a pass from the start.
#include "report/scored_reader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "report/worst_frames.h"
#include "store/scratch.h"
#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::report {
namespace {

constexpr int kFrames = 400;
constexpr std::int64_t kFar = 350;

class FarFrames : public ::testing::Test {
 protected:
  // r.y4m, and r.mp4 and d.mp4 with a key frame every 25 and frames out of order.
  void SetUp() override {
    if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with the encoder libx264";
    testing::write_y4m({.scene = "nature", .width = 48, .height = 32, .frames = kFrames}, folder_.path("r.y4m"));
    encode("r.mp4", "10");
    encode("d.mp4", "40");
  }
  void encode(const std::string& name, const std::string& quality) const {
    ASSERT_TRUE(testing::run_ffmpeg({"-i", folder_.path("r.y4m"), "-c:v", "libx264", "-g", "25", "-bf", "3", "-crf", quality, "-pix_fmt",
                                     "yuv420p", folder_.path(name)}));
  }

  ScoredPair pair(const std::string& reference, const std::string& distorted) const {
    ScoredPair scored;
    scored.clip = "clip";
    scored.reference = file(reference);
    scored.distorted = file(distorted);
    scored.fps = 25;
    return scored;
  }
  ScoredFile file(const std::string& name) const { return {folder_.path(name), io::file_identity(folder_.path(name)).value(), kFrames}; }

  // The pictures, and how many frames were decoded for them.
  std::vector<std::string> pictures(const ScoredPair& scored, const std::vector<std::int64_t>& frames) {
    PicturePlan plan{scored, {}};
    for (const std::int64_t frame : frames) plan.frames.push_back({frame, "", 0, plan.frames.size(), {}});
    PictureOptions options;
    decoded_ = 0;
    options.should_stop = [this] { return ++decoded_ < 0; };
    std::vector<std::string> bytes;
    const auto made = frame_pictures(plan, options);
    EXPECT_TRUE(made.ok()) << made.error().message;
    if (!made.ok()) return bytes;
    for (const FramePicture& picture : *made) {
      EXPECT_EQ(picture.problem, "");
      bytes.push_back(picture.bytes);
    }
    return bytes;
  }
  static ScoredPair from_the_start(ScoredPair scored) {
    scored.reference.decoded.reset();
    return scored;
  }

  const testing::TemporaryFolder folder_;
  int decoded_ = 0;
};

TEST_F(FarFrames, HaveThePixelsOfAPassFromTheStart) {
  ScoredPair skipped = pair("r.mp4", "d.mp4");
  skipped.options.skip_distorted = 7;
  skipped.options.skip_reference = 2;
  for (const ScoredPair& scored : {pair("r.mp4", "d.mp4"), pair("r.y4m", "d.mp4"), skipped}) {
    const std::vector<std::int64_t> frames = {3, 180, 187, kFar};
    const auto expected = pictures(from_the_start(scored), frames);
    EXPECT_GE(decoded_, kFar);
    EXPECT_TRUE(pictures(scored, frames) == expected) << scored.reference.path;
    EXPECT_LT(decoded_, 50) << scored.reference.path << ": was not sought";
  }
}

TEST_F(FarFrames, AreDecodedFromTheStartWhereTheCheckFails) {
  ScoredPair other_count = pair("r.mp4", "d.mp4");
  other_count.distorted.decoded = kFrames - 1;  // a packet gave no picture
  ScoredPair cut = pair("r.mp4", "d.mp4");
  cut.options.start_s = 0.4;
  for (const ScoredPair& scored : {other_count, cut}) {
    const auto expected = pictures(from_the_start(scored), {kFar});
    EXPECT_TRUE(pictures(scored, {kFar}) == expected);
    EXPECT_GE(decoded_, kFar);
  }
}

TEST_F(FarFrames, OfAFileThatIsWrittenWhileItIsDecodedAreRefused) {
  for (ScoredFile ScoredPair::*side : {&ScoredPair::reference, &ScoredPair::distorted}) {
    const ScoredPair scored = from_the_start(pair("r.mp4", "d.mp4"));
    int asked = 0;
    const auto write_in_place = [&] {
      if (++asked == 30) std::ofstream((scored.*side).path, std::ios::in | std::ios::out | std::ios::ate) << "more";
      return false;
    };
    const auto reader = ScoredReader::open(scored, {1, write_in_place});
    ASSERT_OK(reader);
    const auto read = (*reader)->read(kFar);
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().message.find((scored.*side).path + ": "), std::string::npos) << read.error().message;
    EXPECT_NE(read.error().message.find("changed"), std::string::npos) << read.error().message;
  }
}

// In a process of its own, since the switch is read once.
TEST_F(FarFrames, OnAMountThatHangsAreGivenUpInTime) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* place : {"d.mp4:open:stall:100", "d.mp4:10000:stall:100"}) {
    const auto see_that_it_ends = [&] {
      setenv("VMAFBATCH_TEST_READ_FAULT", place, 1);
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      const auto is_late = [&] { return std::chrono::steady_clock::now() > end; };
      const ScoredPair scored = from_the_start(pair("r.mp4", "d.mp4"));
      const auto reader = ScoredReader::open(scored, {1, is_late});
      const std::string said = !reader.ok() ? reader.error().message : (*reader)->read(kFar).error().message;
      std::fputs(said.c_str(), stderr);
      std::_Exit(std::chrono::steady_clock::now() < end + std::chrono::seconds(60) ? 0 : 1);
    };
    EXPECT_EXIT(see_that_it_ends(), ::testing::ExitedWithCode(0), "stopped before the pictures were made") << place;
  }
}

TEST_F(FarFrames, OfAFileThatIsNotTheScoredOneAreRefusedOnceItIsOpen) {
  for (ScoredFile ScoredPair::*side : {&ScoredPair::reference, &ScoredPair::distorted}) {
    ScoredPair scored = pair("r.mp4", "d.mp4");
    ++(scored.*side).identity.modified_ns;
    const auto reader = ScoredReader::open(scored, {});
    ASSERT_FALSE(reader.ok());
    EXPECT_EQ(reader.error().message, (scored.*side).path +
                                          ": the file has changed since it was scored (its modification time is another one); score the "
                                          "clip again, or bring the old file back");
  }
}

}  // namespace
}  // namespace vmafbatch::report
