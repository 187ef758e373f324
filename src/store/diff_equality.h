// When two values are equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/diff.h"

namespace vmafbatch::store {

bool same_bits(double a, double b);

// |a - b|, 0 for equal infinities. REQUIRES: no NaN
double distance(double a, double b);

// How many steps from one double to the next lead from a to b; -0.0 and 0.0 are one place. REQUIRES: both finite
std::uint64_t ulps_between(double a, double b);

// The rule of one feature.
class Equality {
 public:
  Equality(const DiffOptions& options, std::string_view feature);

  // For values whose bits differ: near enough?
  bool tolerates(double a, double b) const;

 private:
  std::optional<double> largest_;
  std::uint64_t ulps_;
};

}  // namespace vmafbatch::store
