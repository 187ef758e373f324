// Pairs by presentation time.
#include "io/sync.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/group_reader.h"
#include "support/media_files.h"

namespace vmafbatch::io {
namespace {

using testing::TemporaryFolder;
using Kind = MemberEnd::Kind;

int luma(const Frame& frame) { return frame.plane<std::uint8_t>(0).row(0)[0]; }

class SyncTest : public ::testing::Test {
 protected:
  // Frame n of 32x16 has luma 2 * n everywhere.
  std::string clip(const std::string& name, int frames, const std::string& rate) {
    std::string bytes = "YUV4MPEG2 W32 H16 F" + rate + " Ip C420\n";
    for (int n = 0; n < frames; ++n) bytes += "FRAME\n" + std::string(512, static_cast<char>(2 * n)) + std::string(256, '\x80');
    testing::write_file(folder_.path(name), bytes);
    return folder_.path(name);
  }

  // The pictures of `source` that pass a filter, with their times, in a container of ffmpeg's.
  std::string coded(const std::string& source, const std::string& filter, const std::string& name) {
    EXPECT_TRUE(testing::run_ffmpeg({"-i", source, "-vf", filter, "-vsync", "passthrough", "-c:v", "ffv1", folder_.path(name)}));
    return folder_.path(name);
  }

  static GroupSpec spec_of(const std::string& reference, const std::vector<std::string>& distorted) {
    GroupSpec spec;
    spec.reference = reference;
    spec.sync = Sync::kTimestamp;
    for (const std::string& path : distorted) spec.members.push_back({path, std::nullopt, 0});
    return spec;
  }

  // "reference/distorted" of every pair of member i, by picture numbers.
  // first: pairs before it are passed over.
  std::string pairs_of(const GroupSpec& spec, size_t i = 0, std::int64_t first = 0) {
    auto opened = GroupReader::open(spec, pool_);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    if (!opened.ok()) return {};
    std::string text;
    for (std::int64_t n = 0; n < first; ++n) EXPECT_TRUE((*opened)->skip());
    std::int64_t index = first;
    Step step;
    while ((*opened)->next(step)) {
      if (!step.pairs[i]) continue;
      EXPECT_EQ(step.index, index++);
      text += std::to_string(luma(step.pairs[i]->reference()) / 2) + "/" + std::to_string(luma(step.pairs[i]->distorted()) / 2) + " ";
    }
    end_ = (*opened)->end(i);
    warnings_ = (*opened)->warnings(i);
    return text;
  }

  TemporaryFolder folder_;
  FramePool pool_{1 << 20};
  MemberEnd end_;
  std::vector<std::string> warnings_;
};

TEST_F(SyncTest, EqualTimesPairAsFramesDo) {
  EXPECT_EQ(pairs_of(spec_of(clip("r.y4m", 4, "30000:1001"), {clip("d.y4m", 4, "30000:1001")})), "0/0 1/1 2/2 3/3 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SyncTest, ATwiceAsFastSideIsThinnedOut) {
  EXPECT_EQ(pairs_of(spec_of(clip("r.y4m", 4, "25:1"), {clip("d.y4m", 8, "50:1")})), "0/0 1/2 2/4 3/6 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
  EXPECT_EQ(warnings_, std::vector<std::string>{
                           "sync timestamp paired distorted pictures again 0 times and left out 3 that no reference picture's time met"});
}

TEST_F(SyncTest, AHalfAsFastSideIsShownAgain) {
  EXPECT_EQ(pairs_of(spec_of(clip("r.y4m", 6, "50:1"), {clip("d.y4m", 3, "25:1")})), "0/0 1/0 2/1 3/1 4/2 5/2 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
  EXPECT_EQ(warnings_, std::vector<std::string>{
                           "sync timestamp paired distorted pictures again 3 times and left out 0 that no reference picture's time met"});
}

TEST_F(SyncTest, RatesThatDoNotDivideMeetWherePicturesAreOnTheScreen) {
  EXPECT_EQ(pairs_of(spec_of(clip("r.y4m", 10, "30:1"), {clip("d.y4m", 8, "25:1")})), "0/0 1/1 2/2 3/2 4/3 5/4 6/5 7/6 8/7 9/7 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
}

TEST_F(SyncTest, ALongerSideIsToldAndAStrictLengthMakesItDamage) {
  GroupSpec spec = spec_of(clip("r.y4m", 3, "25:1"), {clip("d.y4m", 5, "25:1")});
  EXPECT_EQ(pairs_of(spec), "0/0 1/1 2/2 ");
  EXPECT_EQ(end_.kind, Kind::kShorter);
  spec = spec_of(clip("d.y4m", 5, "25:1"), {clip("r.y4m", 3, "25:1")});
  EXPECT_EQ(pairs_of(spec), "0/0 1/1 2/2 ");
  EXPECT_EQ(end_.kind, Kind::kShorter);
  for (const Sync sync : {Sync::kFrame, Sync::kTimestamp}) {
    spec.sync = sync;
    spec.strict_length = true;
    pairs_of(spec);
    EXPECT_EQ(end_.kind, Kind::kDamaged);
    EXPECT_EQ(end_.frame, 3);
    EXPECT_NE(end_.text.find("r.y4m ends after 3 frames"), std::string::npos) << end_.text;
    EXPECT_TRUE(warnings_.empty());
  }
}

TEST_F(SyncTest, AStrictLengthDoesNotMindEqualLengths) {
  GroupSpec spec = spec_of(clip("r.y4m", 3, "25:1"), {clip("d.y4m", 3, "25:1")});
  spec.strict_length = true;
  pairs_of(spec);
  EXPECT_EQ(end_.kind, Kind::kComplete);
}

TEST_F(SyncTest, EachMemberOfALadderHasItsOwnClock) {
  const GroupSpec spec = spec_of(clip("r.y4m", 4, "25:1"), {clip("a.y4m", 8, "50:1"), clip("b.y4m", 2, "25:2"), clip("c.y4m", 2, "25:1")});
  EXPECT_EQ(pairs_of(spec, 0), "0/0 1/2 2/4 3/6 ");
  EXPECT_EQ(pairs_of(spec, 1), "0/0 1/0 2/1 3/1 ");
  EXPECT_EQ(pairs_of(spec, 2), "0/0 1/1 ");
  EXPECT_EQ(end_.kind, Kind::kShorter);
}

TEST_F(SyncTest, CutsSkipsAndResumesKeepTheClock) {
  GroupSpec spec = spec_of(clip("r.y4m", 10, "25:1"), {clip("d.y4m", 20, "50:1")});
  spec.start_s = 0.08;
  EXPECT_EQ(pairs_of(spec), "2/4 3/6 4/8 5/10 6/12 7/14 8/16 9/18 ");
  spec.duration_s = 0.12;
  EXPECT_EQ(pairs_of(spec), "2/4 3/6 4/8 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
  spec.members[0].skip = 1;  // moves its clock
  EXPECT_EQ(pairs_of(spec), "2/5 3/7 4/9 ");
  spec.members[0].skip = 0;
  EXPECT_EQ(pairs_of(spec, 0, 2), "4/8 ");
}

TEST_F(SyncTest, DroppedPicturesAndVariableRatesPairByTime) {
  if (!testing::has_encoder("ffv1")) GTEST_SKIP() << "no ffmpeg program with ffv1";
  const std::string source = clip("r.y4m", 12, "30000:1001");  // Matroska rounds its times to milliseconds
  const std::string dropped = coded(source, "select=not(between(n\\,3\\,4)+eq(n\\,8))", "d.mkv");
  EXPECT_EQ(pairs_of(spec_of(source, {dropped})), "0/0 1/1 2/2 3/2 4/2 5/5 6/6 7/7 8/7 9/9 10/10 11/11 ");
  EXPECT_EQ(end_.kind, Kind::kComplete);
  EXPECT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(pairs_of(spec_of(dropped, {source})), "0/0 1/1 2/2 5/5 6/6 7/7 9/9 10/10 11/11 ");
  EXPECT_EQ(pairs_of(spec_of(dropped, {dropped})), "0/0 1/1 2/2 5/5 6/6 7/7 9/9 10/10 11/11 ");
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SyncTest, TheSamePicturesInOtherContainersPairAlike) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const std::string source = clip("r.y4m", 12, "24000:1001");
  // With B pictures: the first presentation time is not 0 in every container.
  ASSERT_TRUE(testing::run_ffmpeg({"-i", source, "-c:v", "libx264", "-bf", "2", "-qp", "0", folder_.path("d.mp4")}));
  std::vector<std::string> members = {folder_.path("d.mp4")};
  for (const char* name : {"d.mkv", "d.ts", "d.mov", "d.avi"}) {
    ASSERT_TRUE(testing::run_ffmpeg({"-i", members[0], "-c", "copy", folder_.path(name)}));
    members.push_back(folder_.path(name));
  }
  GroupSpec spec = spec_of(source, members);
  for (size_t i = 0; i < members.size(); ++i) {
    for (const Sync sync : {Sync::kFrame, Sync::kTimestamp}) {
      spec.sync = sync;
      EXPECT_EQ(pairs_of(spec, i), "0/0 1/1 2/2 3/3 4/4 5/5 6/6 7/7 8/8 9/9 10/10 11/11 ") << members[i];
      EXPECT_EQ(end_.kind, Kind::kComplete) << end_.text;
    }
  }
}

TEST_F(SyncTest, NamesAreChecked) {
  EXPECT_EQ(*parse_sync("frame"), Sync::kFrame);
  EXPECT_EQ(*parse_sync("timestamp"), Sync::kTimestamp);
  EXPECT_EQ(parse_sync("pts").error().message, "sync \"pts\" is unknown; use frame or timestamp");
}

}  // namespace
}  // namespace vmafbatch::io
