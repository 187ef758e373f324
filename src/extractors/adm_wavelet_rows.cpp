#include "extractors/adm_wavelet_rows.h"

namespace vmafbatch::extractors::adm {
namespace {

template <class Sample>
void picture_pass(const FourRows<Sample>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  for (int x = 0; x < n; ++x) {
    const std::int16_t s0 = centred(rows[0][x], bit_depth);
    const std::int16_t s1 = centred(rows[1][x], bit_depth);
    const std::int16_t s2 = centred(rows[2][x], bit_depth);
    const std::int16_t s3 = centred(rows[3][x], bit_depth);
    low[x] = static_cast<std::int16_t>(round_shift(filter<std::int32_t>(low_taps(), s0, s1, s2, s3), bit_depth));
    if (high != nullptr) high[x] = static_cast<std::int16_t>(round_shift(filter<std::int32_t>(high_taps(), s0, s1, s2, s3), bit_depth));
  }
}

template <class Sample>
void band_pass(const FourRows<Sample>& rows, int n, int shift, std::int32_t* low, std::int32_t* high) {
  const auto filtered = [&](const Taps& taps, int x) {
    const auto sum = filter<std::int64_t>(taps, rows[0][x], rows[1][x], rows[2][x], rows[3][x]);
    return static_cast<std::int32_t>(round_shift(sum, shift));
  };
  for (int x = 0; x < n; ++x) {
    low[x] = filtered(low_taps(), x);
    if (high != nullptr) high[x] = filtered(high_taps(), x);
  }
}

}  // namespace

void slow_vertical_pass(const FourRows<std::uint8_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  picture_pass(rows, n, bit_depth, low, high);
}
void slow_vertical_pass(const FourRows<std::uint16_t>& rows, int n, int bit_depth, std::int16_t* low, std::int16_t* high) {
  picture_pass(rows, n, bit_depth, low, high);
}
void slow_vertical_pass(const FourRows<std::int16_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  band_pass(rows, n, vertical_shift(1), low, high);
}
void slow_vertical_pass(const FourRows<std::int32_t>& rows, int n, std::int32_t* low, std::int32_t* high) {
  band_pass(rows, n, vertical_shift(2), low, high);
}

void slow_horizontal_pass(const std::int16_t* line, int begin, int end, const Taps& taps, std::int16_t* out) {
  for (int i = begin; i < end; ++i) {
    const std::int16_t* s = line + 2 * i - 1;
    out[i - begin] = static_cast<std::int16_t>(round_shift(filter<std::int32_t>(taps, s[0], s[1], s[2], s[3]), 16));
  }
}

void slow_horizontal_pass(const std::int32_t* line, int begin, int end, const Taps& taps, int shift, std::int32_t* out) {
  for (int i = begin; i < end; ++i) {
    const std::int32_t* s = line + 2 * i - 1;
    out[i - begin] = static_cast<std::int32_t>(round_shift(filter<std::int64_t>(taps, s[0], s[1], s[2], s[3]), shift));
  }
}

}  // namespace vmafbatch::extractors::adm
