// vif_hip against vif.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_frames.h"
#include "support/synthetic_clip.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

// From the smallest that the twin takes; odd sides at every scale, one tile and several, one sample more and less than a tile.
std::vector<io::PictureFormat> vif_formats() {
  std::vector<io::PictureFormat> formats;
  for (const int depth : {8, 10, 12, 16}) {
    for (const auto& [width, height] :
         {std::pair{16, 16}, {16, 33}, {17, 19}, {31, 16}, {33, 47}, {111, 17}, {112, 32}, {113, 31}, {241, 67}}) {
      formats.push_back({width, height, io::Chroma::k400, depth});
    }
  }
  return formats;
}

std::string text(const io::PictureFormat& format) {
  return std::to_string(format.width) + "x" + std::to_string(format.height) + " " + std::to_string(format.bit_depth);
}

std::string difference(const std::string& feature, const io::PictureFormat& format, RandomKind reference, RandomKind distorted,
                       const hip::HostConfig& config = {}) {
  return compare_twin(feature, {std::make_shared<io::FramePair>(random_frame(format, 1, reference), random_frame(format, 2, distorted))},
                      config)
      .difference;
}

TEST(VifTwin, EqualsTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : vif_formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      EXPECT_EQ(difference("vif", format, kind, kind), "") << text(format);
    }
    EXPECT_EQ(difference("vif", format, RandomKind::kNear, RandomKind::kUniform), "") << text(format);
  }
}

TEST(VifTwin, EqualsTheExtractorWithEveryOption) {
  for (const std::string options :
       {"debug=true", "vif_skip_scale0=true", "vif_enhn_gain_limit=1", "debug=true:vif_skip_scale0=true:vif_enhn_gain_limit=1.5"}) {
    for (const io::PictureFormat& format : vif_formats()) {
      EXPECT_EQ(difference("vif=" + options, format, RandomKind::kNear, RandomKind::kUniform), "") << options << " " << text(format);
    }
  }
}

TEST(VifTwin, EqualsTheExtractorInEveryThreadOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    for (const int depth : {8, 10, 16}) {
      const io::PictureFormat format{.width = 121, .height = 35, .chroma = io::Chroma::k400, .bit_depth = depth};
      EXPECT_EQ(difference("vif", format, RandomKind::kUniform, RandomKind::kUniform, {.shuffle_seed = seed}), "") << seed << " " << depth;
      EXPECT_EQ(difference("vif=vif_skip_scale0=true", format, RandomKind::kUniform, RandomKind::kNear, {.shuffle_seed = seed}), "");
    }
  }
}

// The reference or the distorted picture or both flat, equal pictures, the largest samples everywhere, black against white.
TEST(VifTwin, EqualsTheExtractorOnPicturesWithoutContrast) {
  for (const int depth : {8, 10, 12, 16}) {
    const io::PictureFormat format{.width = 131, .height = 37, .chroma = io::Chroma::k400, .bit_depth = depth};
    const int largest = (1 << depth) - 1;
    const auto flat = [&](int value) { return make_frame(format, [&](int, int, int) { return value; }); };
    const auto random = random_frame(format, 7, RandomKind::kUniform);
    const auto extremes = random_frame(format, 8, RandomKind::kExtremes);
    const Pairs pairs{std::make_shared<io::FramePair>(flat(largest / 3), flat(largest / 3)),
                      std::make_shared<io::FramePair>(flat(largest), flat(largest)),
                      std::make_shared<io::FramePair>(flat(0), flat(largest)),
                      std::make_shared<io::FramePair>(flat(largest / 2), random),
                      std::make_shared<io::FramePair>(extremes, flat(0)),
                      std::make_shared<io::FramePair>(random, random),
                      std::make_shared<io::FramePair>(extremes, extremes)};
    EXPECT_EQ(compare_twin("vif=debug=true", pairs).difference, "") << depth;
  }
}

TEST(VifTwin, UploadsTheLumaOnceAndWaitsOncePerFrame) {
  const io::PictureFormat format{.width = 64, .height = 48, .chroma = io::Chroma::k420, .bit_depth = 8};
  Pairs pairs;
  for (std::uint32_t n = 0; n < 5; ++n) {
    pairs.push_back(std::make_shared<io::FramePair>(random_frame(format, 2 * n, RandomKind::kUniform),
                                                    random_frame(format, 2 * n + 1, RandomKind::kUniform)));
  }
  const TwinRun run = compare_twin("vif", pairs);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 5 * 2);
  EXPECT_EQ(run.launches, 5 * 4);
  EXPECT_EQ(run.waits, 5);
}

TEST(VifTwin, LeavesPicturesBelow16x16ToTheExtractor) {
  for (const auto& [width, height] : {std::pair{15, 16}, {16, 15}, {8, 8}}) {
    const io::PictureFormat format{.width = width, .height = height, .chroma = io::Chroma::k400, .bit_depth = 8};
    const auto frame = random_frame(format, 1, RandomKind::kUniform);
    const TwinRun run = compare_twin("vif", {std::make_shared<io::FramePair>(frame, frame)});
    EXPECT_TRUE(run.declined);
    EXPECT_THAT(run.difference, ::testing::HasSubstr("vif_hip needs at least 16x16"));
  }
}

}  // namespace
}  // namespace vmafbatch::testing
