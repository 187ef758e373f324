#include "extractors/ssim_decibels.h"

#include <cmath>
#include <limits>

namespace vmafbatch::extractors {
namespace {

// The PSNR of a picture whose squared errors sum to a half, rounded up to whole dB.
double ceiling_of(const io::PictureFormat& format) {
  const double peak = static_cast<double>((1 << format.bit_depth) - 1);
  const double samples = static_cast<double>(format.width) * static_cast<double>(format.height);
  return std::ceil(10.0 * std::log10(peak * peak / (0.5 / samples)));
}

}  // namespace

SsimScale::SsimScale(const Options& options, const io::PictureFormat& format)
    : decibels_(options.flag("enable_db")),
      ceiling_(options.flag("clip_db") ? ceiling_of(format) : std::numeric_limits<double>::infinity()) {}

double SsimScale::operator()(double score) const {
  if (!decibels_) return score;
  const double decibels = -10.0 * std::log10(1.0 - score);
  return decibels < ceiling_ ? decibels : ceiling_;  // also where `decibels` is NaN
}

}  // namespace vmafbatch::extractors
