#include "io/group_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/media_files.h"
#include "support/synthetic_clip.h"

namespace vmafbatch::io {
namespace {

using testing::SyntheticClip;
using testing::TemporaryFolder;
using Kind = MemberEnd::Kind;

// A clip of 32x16 whose frame n has luma 10 * n + add everywhere.
void write_counting_y4m(const std::string& path, int frames, int add = 0, const std::string& size = "W32 H16") {
  std::string bytes = "YUV4MPEG2 " + size + " F25:1 Ip C420\n";
  const size_t luma = size == "W32 H16" ? 512 : 64 * 32;
  for (int n = 0; n < frames; ++n) bytes += "FRAME\n" + std::string(luma, static_cast<char>(10 * n + add)) + std::string(luma / 2, '\x80');
  testing::write_file(path, bytes);
}

int luma(const Frame& frame) { return frame.plane<std::uint8_t>(0).row(0)[0]; }

class GroupReaderTest : public ::testing::Test {
 protected:
  GroupSpec spec_of(const std::string& reference, const std::vector<std::string>& distorted) {
    GroupSpec spec;
    spec.reference = folder_.path(reference);
    for (const std::string& name : distorted) spec.members.push_back({folder_.path(name), std::nullopt, 0});
    return spec;
  }

  std::unique_ptr<GroupReader> open(const GroupSpec& spec) {
    auto reader = GroupReader::open(spec, pool_);
    EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
    return reader.ok() ? std::move(*reader) : nullptr;
  }

  // "index:reference/distorted" of every pair of member i.
  std::string pairs_of(GroupReader& reader, size_t i = 0) {
    std::string text;
    Step step;
    while (reader.next(step)) {
      if (!step.pairs[i]) continue;
      text += std::to_string(step.index) + ":" + std::to_string(luma(step.pairs[i]->reference())) + "/" +
              std::to_string(luma(step.pairs[i]->distorted())) + " ";
    }
    return text;
  }

  TemporaryFolder folder_;
  FramePool pool_{1 << 20};
};

TEST_F(GroupReaderTest, PairsByPosition) {
  write_counting_y4m(folder_.path("r.y4m"), 3);
  write_counting_y4m(folder_.path("d.y4m"), 3, 1);
  const auto reader = open(spec_of("r.y4m", {"d.y4m"}));
  EXPECT_EQ(pairs_of(*reader), "0:0/1 1:10/11 2:20/21 ");
  EXPECT_EQ(reader->end(0).kind, Kind::kComplete);
  EXPECT_EQ(reader->end(0).frame, 3);
  EXPECT_EQ(reader->reference_frames_decoded(), 3);
  EXPECT_EQ(reader->distorted_frames_decoded(0), 3);
  EXPECT_TRUE(reader->warnings(0).empty());
  EXPECT_EQ(reader->member_notes(0), "");
  Step step;
  EXPECT_FALSE(reader->next(step));
}

TEST_F(GroupReaderTest, SkipsLimitsAndResumesWithIndicesFromTheSkipOn) {
  write_counting_y4m(folder_.path("r.y4m"), 6);
  write_counting_y4m(folder_.path("d.y4m"), 6, 1);
  GroupSpec spec = spec_of("r.y4m", {"d.y4m"});
  spec.skip_reference = 2;
  auto reader = open(spec);
  EXPECT_EQ(pairs_of(*reader), "0:20/1 1:30/11 2:40/21 3:50/31 ");
  EXPECT_EQ(reader->end(0).kind, Kind::kShorter);
  EXPECT_EQ(reader->warnings(0), std::vector{folder_.path("r.y4m") + " ends after 4 frames, " + folder_.path("d.y4m") +
                                             " goes on; the common 4 frames are scored"});
  spec.skip_reference = 3;
  spec.members[0].skip = 1;
  spec.frames = 2;
  reader = open(spec);
  EXPECT_EQ(pairs_of(*reader), "0:30/11 1:40/21 ");
  EXPECT_EQ(reader->end(0).kind, Kind::kComplete);
  reader = open(spec);
  EXPECT_TRUE(reader->skip());
  EXPECT_EQ(pairs_of(*reader), "1:40/21 ");
  spec.frames = 0;  // as absent
  reader = open(spec);
  EXPECT_TRUE(reader->skip());
  EXPECT_EQ(pairs_of(*reader), "1:40/21 2:50/31 ");
}

TEST_F(GroupReaderTest, CutsBothSidesByTime) {
  write_counting_y4m(folder_.path("r.y4m"), 10);
  write_counting_y4m(folder_.path("d.y4m"), 10, 1);
  GroupSpec spec = spec_of("r.y4m", {"d.y4m"});
  spec.start_s = 0.08;
  spec.duration_s = 0.12;
  auto reader = open(spec);
  EXPECT_EQ(pairs_of(*reader), "0:20/21 1:30/31 2:40/41 ");
  EXPECT_EQ(reader->end(0).kind, Kind::kComplete);
  spec.members[0].skip = 2;  // the skip moves the end of its side too
  reader = open(spec);
  EXPECT_EQ(pairs_of(*reader), "0:20/41 1:30/51 2:40/61 ");
  EXPECT_EQ(reader->end(0).kind, Kind::kComplete);
}

TEST_F(GroupReaderTest, ALadderSharesTheReference) {
  write_counting_y4m(folder_.path("r.y4m"), 4);
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) {
    names.push_back("d" + std::to_string(i) + ".y4m");
    write_counting_y4m(folder_.path(names.back()), i == 2 ? 2 : 4, i + 1);
  }
  const auto reader = open(spec_of("r.y4m", names));
  EXPECT_EQ(reader->bytes_per_step(), 7U * 768U);
  Step step;
  int steps = 0;
  while (reader->next(step)) {
    ASSERT_EQ(step.pairs.size(), 6U);
    for (size_t i = 0; i < 6; ++i) {
      if (i == 2 && steps >= 2) {
        EXPECT_EQ(step.pairs[i], nullptr);
        continue;
      }
      EXPECT_EQ(&step.pairs[i]->reference(), &step.pairs[0]->reference());
      EXPECT_EQ(luma(step.pairs[i]->distorted()), 10 * steps + static_cast<int>(i) + 1);
    }
    ++steps;
  }
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(reader->reference_frames_decoded(), 4);
  EXPECT_EQ(reader->end(2).kind, Kind::kShorter);
  EXPECT_EQ(reader->end(5).kind, Kind::kComplete);
}

TEST_F(GroupReaderTest, AMemberThatFailsLeavesTheOthers) {
  write_counting_y4m(folder_.path("r.y4m"), 3);
  write_counting_y4m(folder_.path("d.y4m"), 3, 1);
  write_counting_y4m(folder_.path("cut.y4m"), 3, 2);
  testing::cut_file(folder_.path("cut.y4m"), std::filesystem::file_size(folder_.path("cut.y4m")) - 10);
  write_counting_y4m(folder_.path("large.y4m"), 3, 3, "W64 H32");
  testing::write_y4m({.width = 32, .height = 16, .depth = 10}, folder_.path("deep.y4m"));
  testing::write_y4m({.width = 32, .height = 16, .chroma = "444"}, folder_.path("444.y4m"));
  GroupSpec spec = spec_of("r.y4m", {"missing.y4m", "d.y4m", "cut.y4m", "large.y4m", "deep.y4m", "444.y4m"});
  spec.scaler = Scaler::kNone;
  const auto reader = open(spec);
  EXPECT_EQ(reader->end(0).kind, Kind::kFailed);
  EXPECT_EQ(reader->end(0).text, folder_.path("missing.y4m") + ": No such file or directory");
  EXPECT_EQ(reader->end(3).text,
            folder_.path("large.y4m") + ": its size 64x32 is not the reference's 32x16, and --scale none forbids scaling");
  EXPECT_NE(reader->end(4).text.find("its bit depth 8 is not the distorted side's 10"), std::string::npos) << reader->end(4).text;
  EXPECT_NE(reader->end(5).text.find("its chroma layout 4:4:4 is not the reference's 4:2:0"), std::string::npos);
  EXPECT_EQ(pairs_of(*reader, 1), "0:0/1 1:10/11 2:20/21 ");
  EXPECT_EQ(reader->end(1).kind, Kind::kComplete);
  EXPECT_EQ(reader->end(2).kind, Kind::kDamaged);
  EXPECT_EQ(reader->end(2).frame, 2);
}

TEST_F(GroupReaderTest, ADamagedReferenceEndsAllMembersThere) {
  write_counting_y4m(folder_.path("r.y4m"), 3);
  testing::cut_file(folder_.path("r.y4m"), std::filesystem::file_size(folder_.path("r.y4m")) - 10);
  write_counting_y4m(folder_.path("a.y4m"), 3, 1);
  write_counting_y4m(folder_.path("b.y4m"), 2, 1);
  const auto reader = open(spec_of("r.y4m", {"a.y4m", "b.y4m"}));
  EXPECT_EQ(pairs_of(*reader), "0:0/1 1:10/11 ");
  for (const size_t i : {0U, 1U}) {
    EXPECT_EQ(reader->end(i).kind, Kind::kDamaged);
    EXPECT_NE(reader->end(i).text.find(folder_.path("r.y4m") + ": damaged at frame 2"), std::string::npos);
  }
}

TEST_F(GroupReaderTest, NoCommonPictureIsAFailure) {
  write_counting_y4m(folder_.path("r.y4m"), 3);
  write_counting_y4m(folder_.path("d.y4m"), 3, 1);
  GroupSpec spec = spec_of("r.y4m", {"d.y4m"});
  spec.members[0].skip = 3;
  const auto reader = open(spec);
  EXPECT_EQ(pairs_of(*reader), "");
  EXPECT_EQ(reader->end(0).kind, Kind::kFailed);
  EXPECT_NE(reader->end(0).text.find("no pair of pictures"), std::string::npos);
}

TEST_F(GroupReaderTest, ADroppedMemberIsReadNoFurther) {
  write_counting_y4m(folder_.path("r.y4m"), 3);
  write_counting_y4m(folder_.path("a.y4m"), 3, 1);
  write_counting_y4m(folder_.path("b.y4m"), 3, 2);
  const auto reader = open(spec_of("r.y4m", {"a.y4m", "b.y4m"}));
  Step step;
  ASSERT_TRUE(reader->next(step));
  reader->drop(0);
  EXPECT_EQ(reader->bytes_per_step(), 2U * 768U);
  ASSERT_TRUE(reader->next(step));
  EXPECT_EQ(step.pairs[0], nullptr);
  EXPECT_NE(step.pairs[1], nullptr);
  EXPECT_EQ(reader->end(0).kind, Kind::kDropped);
  reader->drop(1);
  EXPECT_FALSE(reader->next(step));
}

TEST_F(GroupReaderTest, ScalesTheDistortedSideToTheReference) {
  write_counting_y4m(folder_.path("r.y4m"), 2, 0, "W64 H32");
  write_counting_y4m(folder_.path("d.y4m"), 2, 1);
  const auto reader = open(spec_of("r.y4m", {"d.y4m"}));
  EXPECT_EQ(reader->format(0), (PictureFormat{64, 32, Chroma::k420, 8}));
  EXPECT_EQ(reader->member_notes(0), "distorted scaled 32x16 -> 64x32 bicubic");
  EXPECT_EQ(pairs_of(*reader), "0:0/1 1:10/11 ");
}

TEST_F(GroupReaderTest, UnderConvertTheShallowerSideIsShiftedUp) {
  const SyntheticClip shallow{.width = 32, .height = 16};
  SyntheticClip deep = shallow;
  deep.depth = 10;
  testing::write_y4m(shallow, folder_.path("8.y4m"));
  testing::write_y4m(deep, folder_.path("10.y4m"));
  const auto eight = testing::make_frames(shallow);
  const auto ten = testing::make_frames(deep);
  GroupSpec spec = spec_of("8.y4m", {"8.y4m", "10.y4m"});
  spec.convert = true;
  auto reader = open(spec);
  EXPECT_EQ(reader->format(0).bit_depth, 8);
  EXPECT_EQ(reader->format(1).bit_depth, 10);
  EXPECT_EQ(reader->member_notes(0), "");
  EXPECT_EQ(reader->member_notes(1), "reference 8 -> 10 bits by shift");
  EXPECT_EQ(reader->bytes_per_step(), 2U * 768U + 2U * 1536U);
  Step step;
  ASSERT_TRUE(reader->next(step));
  EXPECT_TRUE(testing::plane_bytes(step.pairs[0]->reference()) == testing::plane_bytes(*eight[0]));
  EXPECT_TRUE(testing::plane_bytes(step.pairs[1]->distorted()) == testing::plane_bytes(*ten[0]));
  const auto widened = testing::make_frame(step.pairs[1]->reference().format(),
                                           [&](int p, int x, int y) { return eight[0]->plane<std::uint8_t>(p).row(y)[x] << 2; });
  EXPECT_TRUE(testing::plane_bytes(step.pairs[1]->reference()) == testing::plane_bytes(*widened));

  spec = spec_of("10.y4m", {"8.y4m"});
  spec.convert = true;
  reader = open(spec);
  EXPECT_EQ(reader->member_notes(0), "distorted 8 -> 10 bits by shift");
  ASSERT_TRUE(reader->next(step));
  EXPECT_TRUE(testing::plane_bytes(step.pairs[0]->distorted()) == testing::plane_bytes(*widened));
}

TEST_F(GroupReaderTest, UnderConvertALumaOnlySideMeetsChroma) {
  const SyntheticClip colour{.width = 32, .height = 16};
  SyntheticClip gray = colour;
  gray.chroma = "400";
  testing::write_y4m(colour, folder_.path("c.y4m"));
  testing::write_y4m(gray, folder_.path("g.y4m"));
  GroupSpec spec = spec_of("c.y4m", {"g.y4m"});
  spec.convert = true;
  auto reader = open(spec);
  Step step;
  ASSERT_TRUE(reader->next(step));
  EXPECT_EQ(step.pairs[0]->distorted().plane<std::uint8_t>(2).row(3)[5], 128);
  EXPECT_EQ(reader->member_notes(0), "distorted 4:0:0 -> 4:2:0");
  spec = spec_of("g.y4m", {"c.y4m"});
  spec.convert = true;
  reader = open(spec);
  ASSERT_TRUE(reader->next(step));
  EXPECT_EQ(reader->format(0).plane_count(), 1);
  EXPECT_TRUE(testing::plane_bytes(step.pairs[0]->distorted()) == testing::plane_bytes(step.pairs[0]->reference()));
}

TEST_F(GroupReaderTest, WarnsWhenTheColourTagsDiffer) {
  if (!testing::has_encoder("libx264")) GTEST_SKIP() << "no ffmpeg program with libx264";
  const auto make = [&](const std::string& name, const std::string& matrix, const std::string& transfer) {
    ASSERT_TRUE(testing::run_ffmpeg({"-f", "lavfi", "-i", "testsrc2=duration=0.08:rate=25:size=32x16", "-pix_fmt", "yuv420p", "-c:v",
                                     "libx264", "-colorspace", matrix, "-color_trc", transfer, folder_.path(name)}));
  };
  make("sdr.mp4", "bt709", "bt709");
  make("pq.mp4", "bt2020nc", "smpte2084");
  testing::write_y4m({.width = 32, .height = 16, .frames = 2}, folder_.path("untagged.y4m"));
  const auto reader = open(spec_of("pq.mp4", {"sdr.mp4", "pq.mp4", "untagged.y4m"}));
  EXPECT_EQ(reader->warnings(0), (std::vector<std::string>{
                                     "the two sides differ in colour matrix: reference bt2020nc, distorted bt709; nothing was converted",
                                     "the two sides differ in colour transfer: reference smpte2084, distorted bt709; nothing was converted",
                                     "only the reference side is tagged PQ; the samples of the two sides mean different light"}));
  EXPECT_TRUE(reader->warnings(1).empty());
  ASSERT_EQ(reader->warnings(2).size(), 1U);
  EXPECT_NE(reader->warnings(2)[0].find("only the reference side is tagged PQ"), std::string::npos);
}

TEST_F(GroupReaderTest, RefusesAnUnreadableReferenceAndBadGroups) {
  write_counting_y4m(folder_.path("d.y4m"), 1);
  EXPECT_EQ(GroupReader::open(spec_of("r.y4m", {"d.y4m"}), pool_).error().message, folder_.path("r.y4m") + ": No such file or directory");
  EXPECT_NE(GroupReader::open(spec_of("d.y4m", {}), pool_).error().message.find("1 to 16 distorted inputs, not 0"), std::string::npos);
  EXPECT_NE(GroupReader::open(spec_of("d.y4m", std::vector<std::string>(17, "d.y4m")), pool_).error().message.find("not 17"),
            std::string::npos);
}

}  // namespace
}  // namespace vmafbatch::io
