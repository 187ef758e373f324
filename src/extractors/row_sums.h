// Exact integer sums over one row of samples: the vector code under squared_error.h and moment_sums.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vmafbatch::extractors {

struct RowMoments {
  std::uint64_t samples = 0;
  std::uint64_t squares = 0;  // rounded_square of each sample
};

// Sum of (a - b)^2 over n samples; `depth`: 10, 12 or 16.
std::uint64_t row_squared_error(const std::uint8_t* a, const std::uint8_t* b, size_t n);
std::uint64_t row_squared_error(const std::uint16_t* a, const std::uint16_t* b, size_t n, int depth);

// Sum of rounded_square(|a - b|) at 16 bits. REQUIRES: n <= 2^21
std::uint64_t row_rounded_squared_error(const std::uint16_t* a, const std::uint16_t* b, size_t n);

// Both sums over n samples. REQUIRES: n <= 2^21 at 16 bits
RowMoments row_moments(const std::uint8_t* row, size_t n);
RowMoments row_moments(const std::uint16_t* row, size_t n, int depth);

}  // namespace vmafbatch::extractors
