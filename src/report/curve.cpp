#include "report/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "report/base64.h"

namespace vmafbatch::report {
namespace {

static_assert(std::endian::native == std::endian::little, "the documents hold little-endian numbers");

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::int64_t length(FrameRange range) { return range.last < range.first ? 0 : range.last - range.first + 1; }

// The nearest binary32 may lie on the wrong side; its neighbour does not. What is beyond the finite ones becomes the last of them or
// infinite.
float round_down(double value) {
  if (value > std::numeric_limits<float>::max() && !std::isinf(value)) return std::numeric_limits<float>::max();
  if (value < std::numeric_limits<float>::lowest()) return -std::numeric_limits<float>::infinity();
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) > value ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

std::string base64_floats(std::span<const double> values, float (*round)(double)) {
  std::vector<float> rounded(values.size());
  std::ranges::transform(values, rounded.begin(), round);
  return base64(std::as_bytes(std::span(rounded)));
}

}  // namespace

std::string base64_rounded_down(std::span<const double> values) { return base64_floats(values, round_down); }

std::string base64_rounded_up(std::span<const double> values) {
  return base64_floats(values, [](double value) { return -round_down(-value); });
}

// -- Stretches ----------------------------------------------------------------------------------------------------------------------

Stretches::Stretches(FrameRange range, std::size_t most) : first_(range.first) {
  const std::int64_t frames = length(range);
  const auto limit = static_cast<std::int64_t>(most);
  step_ = std::max<std::int64_t>(1, (frames + limit - 1) / limit);
  const auto count = static_cast<std::size_t>((frames + step_ - 1) / step_);
  least_.assign(count, kNone);
  greatest_.assign(count, kNone);
}

void Stretches::add(std::int64_t frame, double value) {
  const auto place = static_cast<std::size_t>((frame - first_) / step_);
  // Written so that the first value takes the place of NaN.
  if (!(least_[place] <= value)) least_[place] = value;
  if (!(greatest_[place] >= value)) greatest_[place] = value;
}

// -- Curve --------------------------------------------------------------------------------------------------------------------------

Curve::Curve(FrameRange range, std::size_t most) : range_(range), most_(most), stretches_(range, most) {}

void Curve::add(std::int64_t frame, double value) {
  stretches_.add(frame, value);
  if (too_many_) return;
  if (values_.size() == most_) {
    too_many_ = true;
    values_ = {};
    return;
  }
  common_step_ = std::gcd(common_step_, frame - range_.first);
  values_.emplace_back(frame, value);
}

std::optional<std::size_t> Curve::grid_size(std::int64_t step) const {
  const std::int64_t size = length(range_) == 0 ? 0 : (range_.last - range_.first) / step + 1;
  if (size > static_cast<std::int64_t>(most_)) return std::nullopt;
  return static_cast<std::size_t>(size);
}

std::optional<std::int64_t> Curve::exact_step() const {
  if (too_many_) return std::nullopt;
  const std::int64_t step = std::max<std::int64_t>(1, common_step_);
  return grid_size(step) ? std::optional(step) : std::nullopt;
}

Json Curve::exact(std::int64_t step) const {
  std::vector<double> grid(grid_size(step).value_or(0), kNone);
  for (const auto& [frame, value] : values_) grid[static_cast<std::size_t>((frame - range_.first) / step)] = value;
  return {{"first", range_.first},
          {"step", step},
          {"count", grid.size()},
          {"encoding", "f64"},
          {"values", base64(std::as_bytes(std::span(grid)))}};
}

Json Curve::envelope() const {
  return {{"first", range_.first},
          {"step", stretches_.step()},
          {"count", stretches_.least().size()},
          {"encoding", "f32"},
          {"min", base64_rounded_down(stretches_.least())},
          {"max", base64_rounded_up(stretches_.greatest())}};
}

Json Curve::json() const {
  const auto step = exact_step();
  return step ? exact(*step) : envelope();
}

std::vector<Json> Curve::on_one_grid(std::span<const Curve* const> curves) {
  std::int64_t step = 0;
  bool all_exact = true;
  for (const Curve* curve : curves) {
    all_exact = all_exact && curve->exact_step().has_value();
    step = std::gcd(step, curve->common_step_);
  }
  step = std::max<std::int64_t>(1, step);
  for (const Curve* curve : curves) all_exact = all_exact && curve->grid_size(step).has_value();
  std::vector<Json> documents;
  for (const Curve* curve : curves) documents.push_back(all_exact ? curve->exact(step) : curve->envelope());
  return documents;
}

}  // namespace vmafbatch::report
