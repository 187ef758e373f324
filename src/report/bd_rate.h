// Bjontegaard delta rate: how much more bit rate one rate-score curve needs than another for equal score.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace vmafbatch::report {

struct RatePoint {
  double bitrate = 0;  // bits per second, > 0
  double score = 0;    // finite
};

struct RateSide {
  std::string name;  // for errors
  std::vector<RatePoint> points;
};

struct BdRate {
  double percent = 0;  // of `to` against `from`; negative: `to` needs less
  double low = 0;      // the scores over which it was measured
  double high = 0;
};

// Points that each side needs, as in G. Bjontegaard's report: four rates for a cubic.
inline constexpr std::size_t kLeastPoints = 4;

// With r(s) = log10 of the bit rate that a side needs for score s, interpolated by a monotone piecewise cubic, and [low, high] the
// scores that both sides reach:
//
//   percent = 100 * (10^d - 1),  d = 1 / (high - low) * integral from low to high of (r_to(s) - r_from(s)) ds
//
// Sources: G. Bjontegaard, "Calculation of average PSNR differences between RD-curves", ITU-T SG16/Q6 VCEG-M33, 2001; the piecewise
// cubic in its place: ITU-T HSTP-VID-WPOM, 2020; the interpolation: F. N. Fritsch, R. E. Carlson, "Monotone piecewise cubic interpolation",
// SIAM J. Numer. Anal. 17(2), 1980, with the slopes of F. N. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic
// interpolants", SIAM J. Sci. Stat. Comput. 5(2), 1984. Each piece is integrated exactly.
//
// Points in any order. Error: a side has too few points, has a bit rate twice, or is not monotone (a higher bit rate does not give a better
// score), or the two have no common scores.
Result<BdRate> bd_rate(const RateSide& from, const RateSide& to, bool higher_is_better);

}  // namespace vmafbatch::report
