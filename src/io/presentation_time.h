// Presentation times as whole nanoseconds, by which a position in a file is found again.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace vmafbatch::io {

// Nothing where there is no time, or one that no clip has.
inline std::optional<std::int64_t> nanoseconds(std::optional<double> seconds) {
  constexpr double kMost_s = 9e9;  // 285 years; more does not fit
  if (!seconds || !(std::abs(*seconds) < kMost_s)) return std::nullopt;
  return std::llround(*seconds * 1e9);
}

}  // namespace vmafbatch::io
