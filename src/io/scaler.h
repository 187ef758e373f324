// The scaling filters of --scale: libswscale's, with its bit-exact and accurate-rounding flags.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::io {

enum class Scaler { kNone, kBicubic, kBilinear, kLanczos, kSpline, kArea, kGauss, kSinc, kNeighbor };

// "none", "bicubic", "bilinear", "lanczos", "spline", "area", "gauss", "sinc", "neighbor"; the error lists them.
Result<Scaler> parse_scaler(std::string_view name);
const char* scaler_name(Scaler scaler);
// All names, joined by ", ".
std::string scaler_names();

}  // namespace vmafbatch::io
