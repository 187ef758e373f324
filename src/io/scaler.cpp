#include "io/scaler.h"

#include <algorithm>
#include <array>

namespace vmafbatch::io {
namespace {

struct Named {
  const char* name;
  Scaler scaler;
};

constexpr std::array kScalers = {
    Named{"none", Scaler::kNone},       Named{"bicubic", Scaler::kBicubic}, Named{"bilinear", Scaler::kBilinear},
    Named{"lanczos", Scaler::kLanczos}, Named{"spline", Scaler::kSpline},   Named{"area", Scaler::kArea},
    Named{"gauss", Scaler::kGauss},     Named{"sinc", Scaler::kSinc},       Named{"neighbor", Scaler::kNeighbor},
};

}  // namespace

Result<Scaler> parse_scaler(std::string_view name) {
  for (const Named& known : kScalers) {
    if (name == known.name) return known.scaler;
  }
  return Error{"scale '" + std::string(name) + "' is unknown; use one of " + scaler_names()};
}

const char* scaler_name(Scaler scaler) {
  return std::find_if(kScalers.begin(), kScalers.end(), [&](const Named& known) { return known.scaler == scaler; })->name;
}

std::string scaler_names() {
  std::string names;
  for (const Named& known : kScalers) names += (names.empty() ? "" : ", ") + std::string(known.name);
  return names;
}

}  // namespace vmafbatch::io
