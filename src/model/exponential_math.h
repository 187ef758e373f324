// The arithmetic of exponential(), inline, for loops that are compiled for several instruction sets. Inside the model room only.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "model/exponential.h"

namespace vmafbatch::model {

// Exact by definition: with or without the instruction the result is the same.
[[gnu::always_inline]] inline double fused(double a, double b, double c) {
  return std::fma(a, b, c);  // NOLINT(fused): this exponential is defined with fused steps, here and nowhere else
}

// Same contract and bits as exponential().
[[gnu::always_inline]] inline double exponential_inline(double x) {
  constexpr double kScaledInverseLn2 = 0x1.71547652b82fep+7;  // 128 / ln 2
  constexpr double kNegativeLn2High = -0x1.62e42fefa0000p-8;  // -(ln 2) / 128, the bits whose product with an integer is exact
  constexpr double kNegativeLn2Low = -0x1.cf79abc9e3b39p-47;  // and the rest
  constexpr double kRoundingShift = 0x1.8p52;                 // adding it leaves the nearest integer in the low bits
  constexpr double kC2 = 0x1.ffffffffffdbdp-2;                // minimax coefficients of exp(r) - 1 - r, |r| <= ln 2 / 256
  constexpr double kC3 = 0x1.555555555543cp-3;
  constexpr double kC4 = 0x1.55555cf172b91p-5;
  constexpr double kC5 = 0x1.1111167a4d017p-7;

  if (std::fabs(x) < 0x1p-54) return 1.0 + x;
  if (x <= -512.0) return 0.0;
  double rounded = fused(kScaledInverseLn2, x, kRoundingShift);
  const std::uint64_t steps = std::bit_cast<std::uint64_t>(rounded);
  rounded -= kRoundingShift;
  const double r = fused(rounded, kNegativeLn2Low, fused(rounded, kNegativeLn2High, x));
  const std::uint64_t index = steps % kExponentialTableSize;
  // 45 = 52 mantissa bits - log2(128): whole powers of two go into the exponent.
  const double scale = std::bit_cast<double>(kPowerBits[index] + ((steps - index) << 45));
  const double rest = std::bit_cast<double>(kPowerRestBits[index]);
  const double r2 = r * r;
  const double polynomial = fused(r2 * r2, fused(r, kC5, kC4), fused(r2, fused(r, kC3, kC2), rest + r));
  return fused(scale, polynomial, scale);
}

}  // namespace vmafbatch::model
