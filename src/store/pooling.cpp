#include "store/pooling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vmafbatch::store {
namespace {

// -0.0 before 0.0, so that a percentile's bits do not depend on the sorting algorithm.
bool comes_before(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

double mean_of_finite(std::span<const double> values) {
  double sum = 0;
  std::int64_t count = 0;
  for (const double value : values) {
    if (std::isinf(value)) continue;
    sum += value;
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

double population_deviation(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

double percentile(std::span<const double> sorted, int percent) {
  const size_t hundredths = static_cast<size_t>(percent) * (sorted.size() - 1);
  const double low = sorted[hundredths / 100];
  const size_t rest = hundredths % 100;
  if (rest == 0) return low;
  const double high = sorted[hundredths / 100 + 1];
  if (low == high) return low;
  const double fraction = static_cast<double>(rest) / 100.0;
  // From -inf, "low + difference" would be NaN also where the other end is finite.
  if (std::isinf(low)) return low * (1.0 - fraction) + high * fraction;
  return low + (high - low) * fraction;
}

PooledValues pool(std::span<const double> values) {
  PooledValues pooled;
  const double count = static_cast<double>(values.size());
  double sum = 0;
  double inverse_sum = 0;
  pooled.min = pooled.max = values.front();
  for (const double value : values) {
    sum += value;
    inverse_sum += 1.0 / (value + 1.0);
    if (value < pooled.min) pooled.min = value;
    if (value > pooled.max) pooled.max = value;
    if (std::isinf(value)) ++pooled.infinite;
  }
  pooled.frames = static_cast<std::int64_t>(values.size());
  pooled.mean = sum / count;
  pooled.harmonic_mean = count / inverse_sum - 1.0;
  pooled.stddev = population_deviation(values, pooled.mean);
  pooled.finite_mean = mean_of_finite(values);

  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return comes_before(a, b); });  // inlined, unlike a function's address
  pooled.p1 = percentile(sorted, 1);
  pooled.p5 = percentile(sorted, 5);
  pooled.p10 = percentile(sorted, 10);
  pooled.p50 = percentile(sorted, 50);
  pooled.p90 = percentile(sorted, 90);
  pooled.p95 = percentile(sorted, 95);
  pooled.p99 = percentile(sorted, 99);
  return pooled;
}

}  // namespace vmafbatch::store
