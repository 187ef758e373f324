// exp(x) for x <= 0 with the same bits on every processor and C library. Method: table of 2^(i/128) and a polynomial of degree 5 (the
// usual table-driven reduction, Tang 1989), with explicit fused multiply-adds; equal to the GNU C library's result on processors with
// fused multiply-add. Below -512 the result is 0: every published model's scores are the same with and without those terms.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vmafbatch::model {

// REQUIRES: x <= 0 or NaN (which gives NaN)
double exponential(double x);

inline constexpr std::size_t kExponentialTableSize = 128;
// Bit pattern of 2^(i/128) rounded to the nearest double, and the relative rest that the rounding left.
// Written by scripts/make_exponential_table.py.
extern const std::uint64_t kPowerBits[kExponentialTableSize];
extern const std::uint64_t kPowerRestBits[kExponentialTableSize];

}  // namespace vmafbatch::model
