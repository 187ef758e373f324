// motion_hip and motion_v2_hip against motion and motion_v2.
#include <gtest/gtest.h>

#include "support/random_frames.h"
#include "twin_run.h"

namespace vmafbatch::testing {
namespace {

Pairs random_pairs(const io::PictureFormat& format, RandomKind kind, std::uint32_t frames) {
  const auto distorted = random_frame(format, 99, kind);
  Pairs pairs;
  for (std::uint32_t n = 0; n < frames; ++n) pairs.push_back(std::make_shared<io::FramePair>(random_frame(format, n, kind), distorted));
  return pairs;
}

// 3x3 and more, with tiles that end before, at and behind the picture's edge (a tile gives 252x16).
std::vector<io::PictureFormat> formats() {
  std::vector<io::PictureFormat> list = random_formats();
  for (const auto& [width, height] : {std::pair{252, 16}, {253, 17}, {255, 18}, {505, 31}, {3, 130}}) {
    list.push_back({width, height, io::Chroma::k400, 8});
    list.push_back({width, height, io::Chroma::k444, 16});
  }
  return list;
}

TEST(MotionTwin, EqualsTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      EXPECT_EQ(compare_twin("motion", random_pairs(format, kind, 3)).difference, "")
          << format.width << "x" << format.height << " " << format.bit_depth;
    }
  }
}

TEST(MotionTwin, HasTheSmallestPicturesOfTheExtractor) {
  for (const auto& [width, height] : {std::pair{3, 3}, {3, 5}, {6, 3}}) {
    EXPECT_EQ(compare_twin("motion", random_pairs({width, height, io::Chroma::k420, 8}, RandomKind::kUniform, 3)).difference, "");
  }
  EXPECT_TRUE(compare_twin("motion", random_pairs({2, 3, io::Chroma::k420, 8}, RandomKind::kUniform, 1)).declined);
}

TEST(MotionTwin, TakesEveryOption) {
  const Pairs pairs = random_pairs({67, 35, io::Chroma::k420, 10}, RandomKind::kUniform, 6);
  for (const char* name : {"motion", "motion_v2"}) {
    for (const char* options : {"", "=motion_five_frame_window=true", "=motion_five_frame_window=true:motion_moving_average=true",
                                "=motion_blend_factor=0.5:motion_blend_offset=20:motion_fps_weight=0.6:motion_max_val=30"}) {
      EXPECT_EQ(compare_twin(std::string(name) + options, pairs).difference, "") << name << options;
    }
  }
  EXPECT_EQ(compare_twin("motion=debug=true", pairs).difference, "");
}

TEST(MotionTwin, DoesNothingOnTheDeviceWithForceZero) {
  const TwinRun run = compare_twin("motion=motion_force_zero=true", random_pairs({33, 20, io::Chroma::k420, 8}, RandomKind::kUniform, 3));
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 0);
  EXPECT_EQ(run.launches, 0);
}

TEST(MotionTwin, UploadsTheReferenceLumaOnceAndWaitsOncePerFrame) {
  const Pairs pairs = random_pairs({64, 16, io::Chroma::k420, 8}, RandomKind::kUniform, 5);
  for (const char* feature : {"motion", "motion=motion_five_frame_window=true"}) {
    const TwinRun run = compare_twin(feature, pairs);
    EXPECT_EQ(run.difference, "");
    EXPECT_EQ(run.uploads, 5) << feature;
    EXPECT_EQ(run.waits, 5) << feature;
  }
}

TEST(MotionTwin, EqualsTheExtractorInEveryThreadOrder) {
  const Pairs pairs = random_pairs({257, 19, io::Chroma::k420, 10}, RandomKind::kUniform, 3);
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) EXPECT_EQ(compare_twin("motion", pairs, {.shuffle_seed = seed}).difference, "");
}

}  // namespace
}  // namespace vmafbatch::testing
