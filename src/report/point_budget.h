// How many points each curve of a report may have.
#pragma once

#include <algorithm>
#include <cstddef>

namespace vmafbatch::report {

// A point is eight bytes in base64, whether exact or a smallest and a largest value.
inline constexpr double kBytesPerPoint = 8 * 4 / 3.0;
// Of all curves together: half of the 50 MB that a report of 1,000 clips may take.
inline constexpr double kCurveBytes = 24e6;
inline constexpr std::size_t kLeastCurvePoints = 100;
inline constexpr std::size_t kMostCurvePoints = 20'000;  // what a page draws at ease

inline std::size_t points_per_curve(std::size_t curves) {
  const double points = kCurveBytes / kBytesPerPoint / static_cast<double>(std::max<std::size_t>(1, curves));
  return static_cast<std::size_t>(std::clamp(points, static_cast<double>(kLeastCurvePoints), static_cast<double>(kMostCurvePoints)));
}

}  // namespace vmafbatch::report
