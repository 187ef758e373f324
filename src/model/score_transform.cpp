#include "model/score_transform.h"

#include <cstddef>

namespace vmafbatch::model {
namespace {

double polynomial(const ScoreTransform& transform, double score) {
  if (!transform.p0 && !transform.p1 && !transform.p2) return score;
  double result = 0.0;
  if (transform.p0) result += *transform.p0;
  if (transform.p1) result += *transform.p1 * score;
  if (transform.p2) result += (*transform.p2 * score) * score;
  return result;
}

// The line through two knots at z.
double on_segment(const Knot& from, const Knot& to, double z) {
  if (from.y == to.y) return from.y;
  if (from.x == 0.0) {  // then to.x > 0
    const double slope = (to.y - from.y) / to.x;
    return slope * z + from.y;
  }
  const double slope = (to.y - from.y) / (to.x - from.x);
  const double offset = from.y - from.x * slope;
  return slope * z + offset;
}

// The first segment whose knots do not ascend ends the walk, with what the earlier ones gave (0 where there is none): libvmaf's rule.
double piecewise_linear(const std::vector<Knot>& knots, double z) {
  if (knots.size() < 2) return z;
  double result = 0.0;
  const std::size_t last = knots.size() - 2;
  for (std::size_t t = 0; t <= last; ++t) {
    const Knot& from = knots[t];
    const Knot& to = knots[t + 1];
    if (!(from.x < to.x && from.y <= to.y)) break;
    const bool inside = from.x <= z && z <= to.x;
    const bool before_all = t == 0 && z < from.x;
    const bool after_all = t == last && z > to.x;
    if (inside || before_all || after_all) result = on_segment(from, to, z);
  }
  return result;
}

}  // namespace

double transform_score(const ScoreTransform& transform, double score) {
  double result = piecewise_linear(transform.knots, polynomial(transform, score));
  if (transform.out_lte_in && result > score) result = score;
  if (transform.out_gte_in && result < score) result = score;
  return result;
}

double clip_score(const ScoreClip& clip, double score) {
  if (score < clip.low) score = clip.low;
  if (score > clip.high) score = clip.high;
  return score;
}

}  // namespace vmafbatch::model
