#include "model/score_transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vmafbatch::model {
namespace {

TEST(ScoreTransform, WithoutAnyPartChangesNothing) { EXPECT_EQ(transform_score({}, 33.3), 33.3); }

TEST(ScoreTransform, AddsOnlyTheTermsThatAreThere) {
  EXPECT_EQ(transform_score({.p0 = 5.0}, 40.0), 5.0);
  EXPECT_EQ(transform_score({.p2 = 0.5}, 4.0), 8.0);
  const double y = 37.7;
  double expected = 0.0;
  expected += 1.70674692;
  expected += 1.72643844 * y;
  expected += (-0.00705305 * y) * y;
  EXPECT_EQ(transform_score({.p0 = 1.70674692, .p1 = 1.72643844, .p2 = -0.00705305}, y), expected);
}

ScoreTransform with_knots(std::vector<Knot> knots) {
  ScoreTransform transform;
  transform.knots = std::move(knots);
  return transform;
}

TEST(ScoreTransform, FollowsTheKnotsAndTheirEndsOutside) {
  const ScoreTransform transform = with_knots({{0, 0}, {40, 20}, {70, 70}, {100, 130}});
  EXPECT_EQ(transform_score(transform, 20.0), 10.0);
  EXPECT_EQ(transform_score(transform, 40.0), 20.0);
  EXPECT_EQ(transform_score(transform, -10.0), -5.0);
  EXPECT_EQ(transform_score(transform, 110.0), 150.0);
  const double slope = (70.0 - 20.0) / (70.0 - 40.0);
  const double offset = 20.0 - 40.0 * slope;
  EXPECT_EQ(transform_score(transform, 55.5), slope * 55.5 + offset);
}

TEST(ScoreTransform, OfASharedKnotIsTheLaterSegment) {
  // The value of the later segment at its start differs in the last bits from the knot's.
  const ScoreTransform transform = with_knots({{1, 0}, {3, 0.7}, {7, 1.1}});
  const double slope = (1.1 - 0.7) / (7.0 - 3.0);
  EXPECT_EQ(transform_score(transform, 3.0), slope * 3.0 + (0.7 - 3.0 * slope));
}

TEST(ScoreTransform, KeepsAHorizontalSegment) {
  const ScoreTransform transform = with_knots({{0, 5}, {10, 5}, {20, 9}});
  EXPECT_EQ(transform_score(transform, 3.0), 5.0);
  EXPECT_EQ(transform_score(transform, -3.0), 5.0);
}

TEST(ScoreTransform, IgnoresFewerThanTwoKnots) { EXPECT_EQ(transform_score(with_knots({{3, 4}}), 12.0), 12.0); }

TEST(ScoreTransform, EndsAtTheFirstSegmentThatDoesNotAscend) {
  EXPECT_EQ(transform_score(with_knots({{5, 0}, {5, 10}, {9, 11}}), 7.0), 0.0);
  const ScoreTransform second = with_knots({{0, 0}, {10, 10}, {20, 5}});
  EXPECT_EQ(transform_score(second, 10.0), 10.0);
  EXPECT_EQ(transform_score(second, 15.0), 0.0);
}

TEST(ScoreTransform, LimitsTheResultByTheInput) {
  EXPECT_EQ(transform_score({.p0 = 1.0, .p1 = 1.0, .out_lte_in = true}, 7.0), 7.0);
  EXPECT_EQ(transform_score({.p0 = -1.0, .p1 = 1.0, .out_gte_in = true}, 7.0), 7.0);
  EXPECT_EQ(transform_score({.p0 = 1.0, .p1 = 1.0, .out_lte_in = true, .out_gte_in = true}, 7.0), 7.0);
}

TEST(ScoreTransform, PutsThePolynomialBeforeTheKnots) {
  ScoreTransform transform = with_knots({{0, 0}, {100, 50}});
  transform.p0 = 10.0;
  transform.p1 = 1.0;
  EXPECT_EQ(transform_score(transform, 30.0), 20.0);
  transform.out_gte_in = true;
  EXPECT_EQ(transform_score(transform, 30.0), 30.0);
}

TEST(ScoreClip, HoldsTheBounds) {
  EXPECT_EQ(clip_score({0.0, 100.0}, -1.0), 0.0);
  EXPECT_EQ(clip_score({0.0, 100.0}, 101.0), 100.0);
  EXPECT_EQ(clip_score({0.0, 100.0}, 60.5), 60.5);
}

TEST(ScoreClip, OfAnInvertedPairEndsAtTheUpperBound) { EXPECT_EQ(clip_score({90.0, 10.0}, 50.0), 10.0); }

TEST(ScoreClip, LeavesNotANumberAlone) { EXPECT_TRUE(std::isnan(clip_score({0.0, 100.0}, std::numeric_limits<double>::quiet_NaN()))); }

}  // namespace
}  // namespace vmafbatch::model
