#include "report/column_scan.h"

#include <algorithm>
#include <cmath>

namespace vmafbatch::report {
namespace {

constexpr std::size_t kSparkPoints = 40;
constexpr std::size_t kBins = 50;

}  // namespace

void WorstList::add(FrameValue value) {
  if (most_ == 0 || (worst_.size() == most_ && !is_worse(value.value, worst_.back().value))) return;
  if (worst_.size() == most_) worst_.pop_back();
  // Behind equal values: their frames came before.
  const auto place = std::ranges::find_if(worst_, [&](const FrameValue& other) { return is_worse(value.value, other.value); });
  worst_.insert(place, value);
}

Histogram::Histogram(double low, double high) : low_(low), high_(high), counts_(low < high ? kBins : 1) {}

void Histogram::add(double value) {
  if (std::isinf(value)) {
    ++(value > 0 ? above_ : below_);
    return;
  }
  const double bins = static_cast<double>(counts_.size());
  // Halves, because the distance of two doubles can be infinite.
  const double place = low_ < high_ ? (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2) * bins : 0;
  const double bin = place > 0 ? std::min(std::floor(place), bins - 1) : 0;  // also where the halves of two tiny ends are equal
  ++counts_[static_cast<std::size_t>(bin)];
}

Json Histogram::json() const { return {{"low", low_}, {"high", high_}, {"counts", counts_}, {"below", below_}, {"above", above_}}; }

void RunningPool::add(double value) {
  min = frames == 0 ? value : std::min(min, value);
  max = frames == 0 ? value : std::max(max, value);
  sum += value;
  inverse_sum += 1.0 / (value + 1.0);
  ++frames;
}

ColumnScan::ColumnScan(FrameRange range, Direction direction, const ScanWish& wish, std::optional<std::pair<double, double>> finite)
    : range_(range), direction_(direction), worst_(direction, wish.worst), spark_(range, kSparkPoints) {
  if (wish.curve_points == 0) return;
  curve_.emplace(range, wish.curve_points);
  if (finite) histogram_.emplace(finite->first, finite->second);
}

void ColumnScan::add(FrameValue value) {
  worst_.add(value);
  pool_.add(value.value);
  spark_.add(value.frame, value.value);
  if (curve_) curve_->add(value.frame, value.value);
  if (histogram_) histogram_->add(value.value);
}

Json ColumnScan::spark() const {
  return direction_ == Direction::kLowerIsBetter ? base64_rounded_up(spark_.greatest()) : base64_rounded_down(spark_.least());
}

}  // namespace vmafbatch::report
