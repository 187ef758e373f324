#include "store/diff_equality.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/glob.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::store {
namespace {

// The doubles in order as integers in order (IEEE 754: sign and magnitude).
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

}  // namespace

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

double distance(double a, double b) { return a == b ? 0.0 : std::abs(a - b); }

std::uint64_t ulps_between(double a, double b) {
  const std::int64_t first = place_of(a);
  const std::int64_t second = place_of(b);
  const auto steps = static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(second);
  return first >= second ? steps : 0 - steps;
}

Equality::Equality(const DiffOptions& options, std::string_view feature) : ulps_(static_cast<std::uint64_t>(options.ulps)) {
  for (const Tolerance& tolerance : options.tolerances) {
    if (glob_matches(tolerance.features, feature)) largest_ = tolerance.largest;
  }
}

bool Equality::tolerates(double a, double b) const {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return (largest_ && distance(a, b) <= *largest_) || (ulps_ > 0 && ulps_between(a, b) <= ulps_);
}

Result<Tolerance> parse_tolerance(const std::string& text) {
  const size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0) {
    return Error{fmt::format("\"{}\" is no tolerance; write FEATURE=X, such as 'vmaf*=0.001'", display_text(text))};
  }
  const auto largest = parse_decimal(std::string_view(text).substr(at + 1));
  if (!largest || !std::isfinite(*largest) || *largest < 0) {
    return Error{fmt::format("\"{}\" has no tolerance behind the '='; give a finite number that is not negative, such as 'vmaf*=0.001'",
                             display_text(text))};
  }
  return Tolerance{text.substr(0, at), *largest};
}

}  // namespace vmafbatch::store
