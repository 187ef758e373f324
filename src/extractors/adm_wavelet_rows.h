// The row loops of integer ADM's wavelet transform. Each function takes the path of simd_mode(); its plain twin is slow_<name>.
//
// Rows can be read and written in whole vectors of 64 bytes: up to the multiple of 64 bytes behind their last sample (adm::Rows,
// io::Frame). What stands there has no meaning.
#pragma once

#include <array>
#include <cstdint>

#include "extractors/adm_math.h"

namespace vmafbatch::extractors::adm {

// A line between the two passes can be read from kLineMargin samples before its first to kLineMargin behind its last.
constexpr int kLineMargin = 64;

// The four input rows of one output row, top to bottom.
template <class T>
using FourRows = std::array<const T*, 4>;

// Vertical passes: column x of `low` and `high` from column x of the rows, for 0 <= x < n. `high` may be null.
// Scale 0, from the picture's samples:
void vertical_pass(const FourRows<std::uint8_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high);
void vertical_pass(const FourRows<std::uint16_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high);
// Scale 1, from scale 0's low-pass band; nothing is rounded:
void vertical_pass(const FourRows<std::int16_t>& rows, int n, std::int32_t* low, std::int32_t* high);
// Scales 2 and 3:
void vertical_pass(const FourRows<std::int32_t>& rows, int n, std::int32_t* low, std::int32_t* high);

// Horizontal pass: out[i - begin] for begin <= i < end is the filter over line[2i-1 .. 2i+2], rounded by `shift` bits (16 at scale 0).
void horizontal_pass(const std::int16_t* line, int begin, int end, const Taps& taps, std::int16_t* out);
void horizontal_pass(const std::int32_t* line, int begin, int end, const Taps& taps, int shift, std::int32_t* out);

// The plain twins.
void slow_vertical_pass(const FourRows<std::uint8_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high);
void slow_vertical_pass(const FourRows<std::uint16_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high);
void slow_vertical_pass(const FourRows<std::int16_t>& rows, int n, std::int32_t* low, std::int32_t* high);
void slow_vertical_pass(const FourRows<std::int32_t>& rows, int n, std::int32_t* low, std::int32_t* high);
void slow_horizontal_pass(const std::int16_t* line, int begin, int end, const Taps& taps, std::int16_t* out);
void slow_horizontal_pass(const std::int32_t* line, int begin, int end, const Taps& taps, int shift, std::int32_t* out);

}  // namespace vmafbatch::extractors::adm
