// Gaussian windows in single precision, scaled by a kernel scale: those of float_vif and of the SpEED features.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::extractors {

// An error that lists the accepted values where `kernel_scale` is not within 1e-3 of one of them. `option` names the option.
Status check_kernel_scale(std::string_view option, double kernel_scale);

// The odd number of taps, at least 3, of a window that has `base_width` taps at scale 1.
int window_width(int base_width, double kernel_scale);

// `width` taps that sum to one, symmetric bit by bit. REQUIRES: width is odd
std::vector<float> gaussian_window(int width, float sigma);

}  // namespace vmafbatch::extractors
