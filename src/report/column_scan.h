// What a document says of one column, gathered in one walk over its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "report/curve.h"
#include "report/feature_direction.h"

namespace vmafbatch::report {

struct FrameValue {
  std::int64_t frame = 0;
  double value = 0;
};

// The N worst frames, the worst first: the smallest values, or the largest where lower is better; equal values by frame number.
class WorstList {
 public:
  WorstList(Direction direction, std::size_t most) : lower_is_better_(direction == Direction::kLowerIsBetter), most_(most) {}

  // REQUIRES: frames rise
  void add(FrameValue value);
  const std::vector<FrameValue>& frames() const { return worst_; }

 private:
  bool is_worse(double a, double b) const { return lower_is_better_ ? a > b : a < b; }

  bool lower_is_better_;
  std::size_t most_;
  std::vector<FrameValue> worst_;
};

// Values in equal bins from low to high; the last bin includes high. What lies outside counts in the nearest bin.
class Histogram {
 public:
  // REQUIRES: finite, low <= high
  Histogram(double low, double high);

  void add(double value);
  Json json() const;

 private:
  double low_;
  double high_;
  std::vector<std::int64_t> counts_;
  std::int64_t below_ = 0;  // -inf
  std::int64_t above_ = 0;  // inf
};

// The pooled values that need no second walk; sums in frame order, as store/pooling.h.
struct RunningPool {
  std::int64_t frames = 0;
  double sum = 0;
  double inverse_sum = 0;  // of 1 / (value + 1)
  double min = 0;
  double max = 0;

  void add(double value);
  double mean() const { return sum / static_cast<double>(frames); }                         // REQUIRES: frames > 0
  double harmonic_mean() const { return static_cast<double>(frames) / inverse_sum - 1.0; }  // REQUIRES: frames > 0
};

// How much of a column a document wants.
struct ScanWish {
  std::size_t curve_points = 0;  // 0: neither curve nor histogram
  std::size_t worst = 1;
};

class ColumnScan {
 public:
  // finite: the smallest and largest finite value; nothing: there is none.
  ColumnScan(FrameRange range, Direction direction, const ScanWish& wish, std::optional<std::pair<double, double>> finite);

  // REQUIRES: frames rise and are in the range; value is no NaN
  void add(FrameValue value);

  FrameRange range() const { return range_; }
  const WorstList& worst() const { return worst_; }
  const RunningPool& pool() const { return pool_; }
  const std::optional<Curve>& curve() const { return curve_; }
  const std::optional<Histogram>& histogram() const { return histogram_; }
  Json spark() const;

 private:
  FrameRange range_;
  Direction direction_;
  WorstList worst_;
  RunningPool pool_;
  Stretches spark_;
  std::optional<Curve> curve_;
  std::optional<Histogram> histogram_;
};

}  // namespace vmafbatch::report
