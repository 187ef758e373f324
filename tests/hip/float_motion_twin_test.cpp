// float_motion_hip against float_motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hip/kernels/row_sum_kernels.h"
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

// 3x3 and more, with tiles that end before, at and behind the picture's edge (252x16 in the blur, 32x64 in the differences).
std::vector<io::PictureFormat> formats() {
  std::vector<io::PictureFormat> list = random_formats();
  for (const auto& [width, height] : {std::pair{252, 16}, {253, 65}, {31, 64}, {33, 63}, {505, 17}, {3, 130}}) {
    list.push_back({width, height, io::Chroma::k400, 8});
    list.push_back({width, height, io::Chroma::k444, 16});
  }
  return list;
}

TEST(FloatMotionTwin, EqualsTheExtractorOnRandomPictures) {
  for (const io::PictureFormat& format : formats()) {
    for (const RandomKind kind : {RandomKind::kUniform, RandomKind::kExtremes, RandomKind::kNear}) {
      const Pairs pairs = random_pairs(format, kind, 3);
      EXPECT_EQ(compare_twin("float_motion", pairs).difference, "") << format.width << "x" << format.height << " " << format.bit_depth;
      EXPECT_EQ(compare_twin("float_motion=motion_add_scale1=true:motion_filter_size=3", pairs).difference, "")
          << format.width << "x" << format.height << " " << format.bit_depth;
    }
  }
}

TEST(FloatMotionTwin, HasTheSmallestPicturesOfTheExtractor) {
  struct Smallest {
    const char* feature;
    int side;
  };
  for (const Smallest& smallest : {Smallest{"float_motion=motion_add_scale1=true", 3},
                                   {"float_motion=motion_add_uv=true", 5},
                                   {"float_motion=motion_filter_size=3:motion_add_scale1=true", 2},
                                   {"float_motion=motion_filter_size=1:motion_add_scale1=true", 1},
                                   {"float_motion=motion_filter_size=1:motion_add_scale1=true:motion_add_uv=true", 1}}) {
    const auto run = [&](int side) {
      return compare_twin(smallest.feature, random_pairs({side, side, io::Chroma::k420, 8}, RandomKind::kUniform, 3));
    };
    EXPECT_EQ(run(smallest.side).difference, "") << smallest.feature;
    EXPECT_EQ(run(smallest.side + 1).difference, "") << smallest.feature;
    if (smallest.side == 1) continue;
    EXPECT_TRUE(run(smallest.side - 1).declined) << smallest.feature;
  }
}

TEST(FloatMotionTwin, TakesEveryOption) {
  for (const io::Chroma chroma : {io::Chroma::k420, io::Chroma::k422, io::Chroma::k444}) {
    for (const int depth : {8, 12, 16}) {
      const Pairs pairs = random_pairs({67, 35, chroma, depth}, RandomKind::kUniform, 4);
      for (const char* options : {"motion_add_uv=true", "motion_add_uv=true:motion_add_scale1=true", "motion_filter_size=3",
                                  "motion_filter_size=1:motion_add_uv=true:motion_add_scale1=true", "motion_filter_size=0", "debug=false",
                                  "motion_blend_factor=0.5:motion_blend_offset=20:motion_fps_weight=0.6:motion_max_val=30"}) {
        EXPECT_EQ(compare_twin(std::string("float_motion=") + options, pairs).difference, "") << options << " at " << depth;
      }
    }
  }
}

TEST(FloatMotionTwin, DoesNothingOnTheDeviceWithForceZero) {
  const Pairs pairs = random_pairs({33, 20, io::Chroma::k420, 8}, RandomKind::kUniform, 3);
  const TwinRun run = compare_twin("float_motion=motion_force_zero=true", pairs);
  EXPECT_EQ(run.difference, "");
  EXPECT_EQ(run.uploads, 0);
  EXPECT_EQ(run.launches, 0);
}

TEST(FloatMotionTwin, UploadsEachReferencePlaneOnceAndWaitsOncePerFrame) {
  const Pairs pairs = random_pairs({64, 16, io::Chroma::k420, 8}, RandomKind::kUniform, 5);
  const TwinRun luma = compare_twin("float_motion", pairs);
  EXPECT_EQ(luma.difference, "");
  EXPECT_EQ(luma.uploads, 5);
  EXPECT_EQ(luma.waits, 5);
  const TwinRun all = compare_twin("float_motion=motion_add_uv=true", pairs);
  EXPECT_EQ(all.difference, "");
  EXPECT_EQ(all.uploads, 3 * 5);
  EXPECT_EQ(all.waits, 5);
}

TEST(FloatMotionTwin, MakesEachDerivedPlaneOnce) {
  // 5 blurs and 5 halves; 4 comparisons at two sizes, of two kernels each.
  const Pairs pairs = random_pairs({64, 16, io::Chroma::k420, 8}, RandomKind::kUniform, 5);
  EXPECT_EQ(compare_twin("float_motion=motion_add_scale1=true", pairs).launches, 5 + 5 + 4 * 2 * 2);
}

TEST(FloatMotionTwin, EqualsTheExtractorInEveryThreadOrder) {
  const Pairs pairs = random_pairs({257, 67, io::Chroma::k420, 10}, RandomKind::kUniform, 3);
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    EXPECT_EQ(compare_twin("float_motion=motion_add_scale1=true", pairs, {.shuffle_seed = seed}).difference, "");
  }
}

TEST(RowTerms, OfAPlaneHavePlacesOfTheirOwn) {
  for (const auto& [width, height] : {std::pair{1, 1}, {5, 63}, {7, 64}, {3, 65}, {33, 200}}) {
    std::vector<int> used(hip::row_term_count(width, height));
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) ++used.at(static_cast<size_t>(hip::row_term_index(x, y, width)));
    }
    EXPECT_EQ(std::count(used.begin(), used.end(), 1), width * height);
  }
}

}  // namespace
}  // namespace vmafbatch::testing
