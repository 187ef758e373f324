// A feature over frames in few points: exact where the frames are few, else the smallest and largest value of each stretch, so that no
// bad frame is ever hidden (docs/report-data.md, "Curves").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/json.h"

namespace vmafbatch::report {

// Frame numbers that a page can hold: JavaScript's integers.
inline constexpr std::int64_t kLastFrame = (std::int64_t{1} << 53) - 1;

// Frames first..last, both included. Empty: last < first.
struct FrameRange {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

// The smallest or largest value of each of at most `most` stretches of equal length; NaN where a stretch has none.
class Stretches {
 public:
  // REQUIRES: 0 <= range.first, range.last <= kLastFrame, most >= 1
  Stretches(FrameRange range, std::size_t most);

  // REQUIRES: the frame is in the range; value is no NaN
  void add(std::int64_t frame, double value);

  std::int64_t step() const { return step_; }
  const std::vector<double>& least() const { return least_; }
  const std::vector<double>& greatest() const { return greatest_; }

 private:
  std::int64_t first_;
  std::int64_t step_ = 1;
  std::vector<double> least_;
  std::vector<double> greatest_;
};

class Curve {
 public:
  // At most `most` points. REQUIRES: as Stretches
  Curve(FrameRange range, std::size_t most);

  // REQUIRES: frames rise and are in the range; value is no NaN
  void add(std::int64_t frame, double value);

  Json json() const;
  // Several curves over one range on the same grid of frames: all exact, or all envelopes.
  static std::vector<Json> on_one_grid(std::span<const Curve* const> curves);

 private:
  // The step of the grid that holds all values exactly; nothing where they are too many.
  std::optional<std::int64_t> exact_step() const;
  std::optional<std::size_t> grid_size(std::int64_t step) const;
  Json exact(std::int64_t step) const;
  Json envelope() const;

  FrameRange range_;
  std::size_t most_;
  std::vector<std::pair<std::int64_t, double>> values_;  // while they are no more than most_
  bool too_many_ = false;
  std::int64_t common_step_ = 0;  // the greatest common divisor of the distances from the first frame
  Stretches stretches_;
};

// Binary32 numbers as base64, rounded down and up: a value never lies outside [rounded down, rounded up].
std::string base64_rounded_down(std::span<const double> values);
std::string base64_rounded_up(std::span<const double> values);

}  // namespace vmafbatch::report
