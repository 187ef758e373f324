#include "report/bd_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vmafbatch::report {
namespace {

// log10 of the rate as a function of the score: knots that rise, and the slope at each.
struct RateCurve {
  std::vector<double> score, rate, slope;
};

// At an inner knot: the harmonic mean of the slopes beside it, weighted by the widths (Fritsch, Butland). Knots rise, so that both slopes
// are positive and there is no turn.
double inner_slope(double width_left, double width_right, double left, double right) {
  const double weight_left = 2 * width_right + width_left;
  const double weight_right = width_right + 2 * width_left;
  return (weight_left + weight_right) / (weight_left / left + weight_right / right);
}

// At an end: the slope of the parabola through the first three knots, or 0 where that falls, so that the piece stays monotone. It is never
// beyond three times the piece's own slope (Fritsch, Carlson), which needs a next piece that falls.
double end_slope(double width, double next_width, double piece, double next_piece) {
  const double slope = ((2 * width + next_width) * piece - width * next_piece) / (width + next_width);
  return std::max(0.0, slope);
}

// REQUIRES: at least three knots
void set_slopes(RateCurve& curve) {
  const std::size_t pieces = curve.score.size() - 1;
  std::vector<double> width(pieces), piece(pieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    width[i] = curve.score[i + 1] - curve.score[i];
    piece[i] = (curve.rate[i + 1] - curve.rate[i]) / width[i];
  }
  curve.slope.push_back(end_slope(width[0], width[1], piece[0], piece[1]));
  for (std::size_t i = 1; i < pieces; ++i) curve.slope.push_back(inner_slope(width[i - 1], width[i], piece[i - 1], piece[i]));
  curve.slope.push_back(end_slope(width[pieces - 1], width[pieces - 2], piece[pieces - 1], piece[pieces - 2]));
}

// The integral of piece i from its left knot to `t` beyond it. Hermite form: rate + slope t + c t^2 + d t^3.
double piece_integral(const RateCurve& curve, std::size_t i, double t) {
  const double width = curve.score[i + 1] - curve.score[i];
  const double piece = (curve.rate[i + 1] - curve.rate[i]) / width;
  const double c = (3 * piece - 2 * curve.slope[i] - curve.slope[i + 1]) / width;
  const double d = (curve.slope[i] + curve.slope[i + 1] - 2 * piece) / (width * width);
  return t * (curve.rate[i] + t * (curve.slope[i] / 2 + t * (c / 3 + t * d / 4)));
}

// REQUIRES: the curve reaches from low to high
double integral(const RateCurve& curve, double low, double high) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < curve.score.size(); ++i) {
    const double begin = std::max(low, curve.score[i]);
    const double end = std::min(high, curve.score[i + 1]);
    if (begin < end) sum += piece_integral(curve, i, end - curve.score[i]) - piece_integral(curve, i, begin - curve.score[i]);
  }
  return sum;
}

Result<RateCurve> rate_curve(const RateSide& side, bool higher_is_better) {
  std::vector<RatePoint> points = side.points;
  if (points.size() < kLeastPoints) {
    return Error{
        fmt::format("{} has {} {} and {} are needed", side.name, points.size(), points.size() == 1 ? "point" : "points", kLeastPoints)};
  }
  std::ranges::sort(points, {}, &RatePoint::bitrate);
  RateCurve curve;
  for (const RatePoint& point : points) {
    const double score = higher_is_better ? point.score : -point.score;
    if (!curve.rate.empty() && std::log10(point.bitrate) == curve.rate.back()) {
      return Error{fmt::format("{} has the same bit rate twice", side.name)};
    }
    if (!curve.score.empty() && !(score > curve.score.back())) {
      return Error{fmt::format("{} is not monotone: a higher bit rate does not give a better score", side.name)};
    }
    curve.score.push_back(score);
    curve.rate.push_back(std::log10(point.bitrate));
  }
  set_slopes(curve);
  return curve;
}

}  // namespace

Result<BdRate> bd_rate(const RateSide& from, const RateSide& to, bool higher_is_better) {
  const Result<RateCurve> before = rate_curve(from, higher_is_better);
  if (!before.ok()) return before.error();
  const Result<RateCurve> after = rate_curve(to, higher_is_better);
  if (!after.ok()) return after.error();
  const double low = std::max(before->score.front(), after->score.front());
  const double high = std::min(before->score.back(), after->score.back());
  if (!(low < high)) return Error{"the two have no common scores"};
  const double mean = (integral(*after, low, high) - integral(*before, low, high)) / (high - low);
  const BdRate rate{100.0 * (std::pow(10.0, mean) - 1.0), higher_is_better ? low : -high, higher_is_better ? high : -low};
  return rate;
}

}  // namespace vmafbatch::report
