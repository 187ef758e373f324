// Exact integer sums over two planes.
#pragma once

#include <cstdint>

#include "io/frame.h"

namespace vmafbatch::extractors {

// Sum over plane `plane` of (reference - distorted)^2, modulo 2^64 (no picture reaches it).
// REQUIRES: both frames have one format.
std::uint64_t sum_of_squared_errors(const io::Frame& reference, const io::Frame& distorted, int plane);

// The same for a pair, computed once and shared by the extractors that need it (psnr, float_psnr).
std::uint64_t shared_sum_of_squared_errors(const io::FramePair& pair, int plane);

// The plain twin.
std::uint64_t slow_sum_of_squared_errors(const io::Frame& reference, const io::Frame& distorted, int plane);

}  // namespace vmafbatch::extractors
