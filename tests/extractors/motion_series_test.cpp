#include "extractors/motion_series.h"

#include <gtest/gtest.h>

namespace vmafbatch::extractors {
namespace {

using Values = std::vector<double>;

constexpr MotionBlend kPlain{};

TEST(MotionBlend, FlattensAboveTheOffsetThenCaps) {
  const MotionBlend blend{.factor = 0.5, .offset = 20.0, .cap = 30.0};
  EXPECT_EQ(blend(10.0), 10.0);
  EXPECT_EQ(blend(30.0), 25.0);
  EXPECT_EQ(blend(80.0), 30.0);
}

TEST(Motion2, IsTheMinimumOfItsNeighbours) {
  const MotionSeries series = fold_motion(Values{0, 5, 3, 7, 6}, 1, kPlain, false, true);
  EXPECT_EQ(series.motion2, (Values{0, 3, 3, 6, 6}));
  EXPECT_EQ(series.motion3, (Values{5, 3, 3, 6, 6}));
}

TEST(Motion2, OfTheFiveFrameWindowSkipsItsOwnFrame) {
  const MotionSeries series = fold_motion(Values{0, 0, 9, 4, 1, 8, 5}, 2, kPlain, false, true);
  EXPECT_EQ(series.motion2, (Values{0, 0, 4, 1, 4, 1, 5}));
  EXPECT_EQ(series.motion3, (Values{9, 9, 4, 1, 4, 1, 5}));
}

TEST(Motion3, MovingAverageStartsWithTheFirstComparison) {
  const MotionSeries series = fold_motion(Values{0, 6, 2, 4}, 1, kPlain, true, true);
  EXPECT_EQ(series.motion2, (Values{0, 2, 2, 4}));
  EXPECT_EQ(series.motion3, (Values{6, 4, 2, 3}));  // frame 1: mean of 2 and the stamp 6
}

TEST(MotionSeries, OfShortClips) {
  EXPECT_TRUE(fold_motion(Values{}, 1, kPlain, false, true).motion2.empty());
  EXPECT_EQ(fold_motion(Values{0}, 1, kPlain, false, true).motion3, (Values{0}));
  EXPECT_EQ(fold_motion(Values{0, 7}, 1, kPlain, false, true).motion3, (Values{7, 7}));
  EXPECT_EQ(fold_motion(Values{0, 0}, 2, kPlain, false, true).motion3, (Values{0, 0}));
  EXPECT_EQ(fold_motion(Values{0, 0, 7}, 2, kPlain, false, true).motion2, (Values{0, 0, 7}));
  EXPECT_EQ(fold_motion(Values{0, 0, 7}, 2, kPlain, false, true).motion3, (Values{7, 7, 7}));
}

// Whatever a clip that stopped behind frame k-1 gives must be what the whole clip gives.
void expect_prefixes_are_final(const std::vector<MotionSeries>& by_length, const MotionSeries& whole, const std::vector<size_t>& sizes) {
  for (size_t k = 0; k < by_length.size(); ++k) {
    const MotionSeries& part = by_length[k];
    ASSERT_EQ(part.motion2.size(), sizes[k]) << k << " frames";
    ASSERT_EQ(part.motion3.size(), sizes[k]) << k << " frames";
    for (size_t n = 0; n < sizes[k]; ++n) {
      EXPECT_EQ(part.motion2[n], whole.motion2[n]);
      EXPECT_EQ(part.motion3[n], whole.motion3[n]);
    }
  }
}

TEST(MotionSeries, OfAnUnfinishedClipHasFinalValuesOnly) {
  const Values scores = {0, 5, 3, 7, 6};
  const Values distant = {0, 0, 9, 4, 1};
  for (const bool average : {false, true}) {
    std::vector<MotionSeries> near, far;
    for (size_t k = 0; k <= scores.size(); ++k) {
      near.push_back(fold_motion(std::span(scores).first(k), 1, kPlain, average, false));
      far.push_back(fold_motion(std::span(distant).first(k), 2, kPlain, average, false));
    }
    expect_prefixes_are_final(near, fold_motion(scores, 1, kPlain, average, true), {0, 0, 1, 2, 3, 4});
    expect_prefixes_are_final(far, fold_motion(distant, 2, kPlain, average, true), {0, 0, 0, 2, 3, 4});
  }
}

TEST(FloatMotionSeries, TakesTheMinimumBeforeWeightAndCap) {
  const MotionBlend blend{.factor = 0.5, .offset = 10.0, .cap = 30.0};
  const MotionSeries series = fold_float_motion(Values{0, 100, 60, 80}, 0.5, blend, true);
  EXPECT_EQ(series.motion2, (Values{0, 30, 30, 30}));
  EXPECT_EQ(series.motion3, (Values{30, 20, 20, 25}));
}

TEST(FloatMotionSeries, OfAnUnfinishedClipHasFinalValuesOnly) {
  const Values raw = {0, 5, 3, 7, 6};
  std::vector<MotionSeries> parts;
  for (size_t k = 0; k <= raw.size(); ++k) parts.push_back(fold_float_motion(std::span(raw).first(k), 0.5, kPlain, false));
  expect_prefixes_are_final(parts, fold_float_motion(raw, 0.5, kPlain, true), {0, 0, 1, 2, 3, 4});
  EXPECT_EQ(fold_float_motion(Values{0}, 0.5, kPlain, true).motion3, (Values{0}));
}

}  // namespace
}  // namespace vmafbatch::extractors
