// The fast path of float_filter; float_filter.h chooses.
#pragma once

#include <span>

#include "io/plane.h"

namespace vmafbatch::extractors {

// As float_filter. REQUIRES: window.size() <= 65, rows of `in` that may be read in whole vectors of 64 bytes
void fast_float_filter(io::Plane<const float> in, std::span<const float> window, int step, io::Plane<float> out);

}  // namespace vmafbatch::extractors
