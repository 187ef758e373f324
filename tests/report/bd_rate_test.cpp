#include "report/bd_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vmafbatch::report {
namespace {

// score = a + b log10(rate): every interpolation of log-linear points is the line itself.
RateSide log_linear(const std::string& name, double a, double b, const std::vector<double>& rates) {
  RateSide side{name, {}};
  for (const double rate : rates) side.points.push_back({rate, a + b * std::log10(rate)});
  return side;
}

TEST(BdRate, OfParallelLinesIsTheirDistance) {
  const RateSide from = log_linear("h264", -100, 30, {1e5, 3e5, 1e6, 4e6, 9e6});
  RateSide to = from;
  for (RatePoint& point : to.points) point.bitrate *= 0.7;  // equal scores for 30 % less
  const auto rate = bd_rate(from, to, true);
  ASSERT_TRUE(rate.ok()) << rate.error().message;
  EXPECT_NEAR(rate->percent, -30.0, 1e-9);
  EXPECT_EQ(rate->low, from.points.front().score);
  EXPECT_EQ(rate->high, from.points.back().score);
  const auto back = bd_rate(to, from, true);
  EXPECT_NEAR(back->percent, 100.0 * (1.0 / 0.7 - 1.0), 1e-9);
}

TEST(BdRate, OfTwoLinesEqualsTheClosedForm) {
  const RateSide from = log_linear("a", -100, 30, {1e5, 3e5, 1e6, 4e6});
  const RateSide to = log_linear("b", -80, 28, {0.8e5, 2e5, 1.1e6, 3e6});
  const double low = std::max(from.points.front().score, to.points.front().score);
  const double high = std::min(from.points.back().score, to.points.back().score);
  // log10(rate) = (s - a) / b; the mean of a linear function is its value in the middle.
  const double middle = (low + high) / 2;
  const double expected = 100 * (std::pow(10, (middle + 80) / 28 - (middle + 100) / 30) - 1);
  const auto rate = bd_rate(from, to, true);
  ASSERT_TRUE(rate.ok()) << rate.error().message;
  EXPECT_NEAR(rate->percent, expected, 1e-9);
  EXPECT_EQ(rate->low, low);
  EXPECT_EQ(rate->high, high);
}

// The slow twin: slopes written from the papers' formulas in one piece, the Hermite basis, and Simpson's rule over fine steps.
double slow_rate_at(const std::vector<RatePoint>& points, double s) {
  const size_t n = points.size();
  std::vector<double> x(n), y(n), d(n);
  for (size_t i = 0; i < n; ++i) x[i] = points[i].score, y[i] = std::log10(points[i].bitrate);
  const auto h = [&](size_t i) { return x[i + 1] - x[i]; };
  const auto delta = [&](size_t i) { return (y[i + 1] - y[i]) / h(i); };
  for (size_t i = 1; i + 1 < n; ++i) {  // all slopes of these ladders are positive
    const double w1 = 2 * h(i) + h(i - 1);
    const double w2 = h(i) + 2 * h(i - 1);
    d[i] = (w1 + w2) * delta(i - 1) * delta(i) / (w1 * delta(i) + w2 * delta(i - 1));
  }
  d[0] = std::max(0.0, ((2 * h(0) + h(1)) * delta(0) - h(0) * delta(1)) / (h(0) + h(1)));
  d[n - 1] = std::max(0.0, ((2 * h(n - 2) + h(n - 3)) * delta(n - 2) - h(n - 2) * delta(n - 3)) / (h(n - 2) + h(n - 3)));
  size_t i = 0;
  while (i + 2 < n && s > x[i + 1]) ++i;
  const double t = (s - x[i]) / h(i);
  return (1 + 2 * t) * (1 - t) * (1 - t) * y[i] + t * (1 - t) * (1 - t) * h(i) * d[i] + t * t * (3 - 2 * t) * y[i + 1] +
         t * t * (t - 1) * h(i) * d[i + 1];
}

double slow_bd_rate(const std::vector<RatePoint>& from, const std::vector<RatePoint>& to) {
  const double low = std::max(from.front().score, to.front().score);
  const double high = std::min(from.back().score, to.back().score);
  // Simpson's rule is exact for cubics between knots: integrate from knot to knot, in many steps each.
  std::vector<double> knots = {low, high};
  for (const auto* side : {&from, &to}) {
    for (const RatePoint& point : *side) {
      if (point.score > low && point.score < high) knots.push_back(point.score);
    }
  }
  std::sort(knots.begin(), knots.end());
  double sum = 0;
  for (size_t k = 0; k + 1 < knots.size(); ++k) {
    constexpr int kSteps = 2000;
    const double width = (knots[k + 1] - knots[k]) / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      const double a = knots[k] + width * i;
      const auto f = [&](double s) { return slow_rate_at(to, s) - slow_rate_at(from, s); };
      sum += width / 6 * (f(a) + 4 * f(a + width / 2) + f(a + width));
    }
  }
  return 100 * (std::pow(10, sum / (high - low)) - 1);
}

TEST(BdRate, OfAMadeLadderEqualsASlowIntegration) {
  const RateSide from{"h264", {{500e3, 62.5}, {1000e3, 75.1}, {2000e3, 85.9}, {4000e3, 92.8}, {8000e3, 96.2}}};
  const RateSide to{"av1", {{300e3, 60.2}, {700e3, 77.7}, {1500e3, 88.4}, {3100e3, 95.0}}};
  const auto rate = bd_rate(from, to, true);
  ASSERT_TRUE(rate.ok()) << rate.error().message;
  EXPECT_NEAR(rate->percent, slow_bd_rate(from.points, to.points), 1e-9);
  EXPECT_LT(rate->percent, -30);
  EXPECT_GT(rate->percent, -60);
}

TEST(BdRate, TakesPointsInAnyOrderAndLowerScoresThatAreBetter) {
  const RateSide from{"a", {{500e3, 62.5}, {1000e3, 75.1}, {2000e3, 85.9}, {4000e3, 92.8}}};
  const RateSide to{"b", {{300e3, 60.2}, {700e3, 77.7}, {1500e3, 88.4}, {3100e3, 95.0}}};
  RateSide shuffled = to;
  std::swap(shuffled.points[0], shuffled.points[3]);
  EXPECT_EQ(bd_rate(from, shuffled, true)->percent, bd_rate(from, to, true)->percent);
  const auto lower = [](RateSide side) {
    for (RatePoint& point : side.points) point.score = -point.score;
    return side;
  };
  const auto rate = bd_rate(lower(from), lower(to), false);
  ASSERT_TRUE(rate.ok());
  EXPECT_EQ(rate->percent, bd_rate(from, to, true)->percent);
  EXPECT_EQ(rate->low, -92.8);
  EXPECT_EQ(rate->high, -62.5);
}

TEST(BdRate, NamesWhatCannotBeMeasured) {
  const RateSide good = log_linear("good", -100, 30, {1e5, 3e5, 1e6, 4e6});
  const RateSide few = log_linear("few", -100, 30, {1e5, 3e5, 1e6});
  const RateSide above = log_linear("above", 0, 30, {1e9, 3e9, 1e10, 4e10});
  RateSide bent = good;
  bent.name = "bent";
  bent.points[2].score = bent.points[1].score;
  RateSide doubled = good;
  doubled.name = "doubled";
  doubled.points[1].bitrate = doubled.points[0].bitrate;
  EXPECT_EQ(bd_rate(few, good, true).error().message, "few has 3 points and 4 are needed");
  EXPECT_EQ(bd_rate(good, {"none", {{1, 1}}}, true).error().message, "none has 1 point and 4 are needed");
  EXPECT_EQ(bd_rate(good, bent, true).error().message, "bent is not monotone: a higher bit rate does not give a better score");
  EXPECT_EQ(bd_rate(doubled, good, true).error().message, "doubled has the same bit rate twice");
  EXPECT_EQ(bd_rate(good, good, false).error().message, "good is not monotone: a higher bit rate does not give a better score");
  EXPECT_EQ(bd_rate(good, above, true).error().message, "the two have no common scores");
}

}  // namespace
}  // namespace vmafbatch::report
