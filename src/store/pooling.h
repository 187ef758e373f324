// What a column's values come to over a clip. Pure functions of the values in frame order; sums are sequential doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vmafbatch::store {

// NaN where IEEE arithmetic gives it (the mean of inf and -inf); it becomes NULL in the database.
struct PooledValues {
  std::int64_t frames = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  double harmonic_mean = 0;  // frames / sum(1 / (value + 1)) - 1, as libvmaf
  double stddev = 0;         // of the population
  double p1 = 0, p5 = 0, p10 = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0;
  std::int64_t infinite = 0;  // values that are inf or -inf
  double finite_mean = 0;     // over the others; NaN where there are none
};

// mean, min, max and harmonic mean, bit for bit as libvmaf pools. REQUIRES: at least one value, no NaN.
PooledValues pool(std::span<const double> values);

// Percentile `percent` (0..100) by linear interpolation between order statistics: rank percent/100 * (n - 1).
// REQUIRES: `sorted` ascending, not empty.
double percentile(std::span<const double> sorted, int percent);

}  // namespace vmafbatch::store
