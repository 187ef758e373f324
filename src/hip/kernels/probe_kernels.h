// What a device's plain float and double arithmetic gives for operands that a rule makes of a number: the host does the same and compares
// (hip/probe.h). It finds contraction, division or square root that is not correctly rounded, denormals that are flushed, and
// conversions that round in another way.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"

namespace vmafbatch::hip {

// Bits as a value of the same size.
template <class Value, class Bits>
VB_HOST_DEVICE Value probe_value(Bits bits) {
  static_assert(sizeof(Value) == sizeof(Bits));
  Value value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

struct ProbeOperands {
  float a, b, c;
  double p, q, r;
  std::int32_t integer;
};

// Bits of results; NaNs count as one, whatever their payload.
struct ProbeResults {
  std::uint32_t float_multiply_add, float_quotient, float_root, from_integer, from_double;
  std::uint64_t double_multiply_add, double_quotient, double_root;

  bool operator==(const ProbeResults&) const = default;
};

// A permutation of 64 bits that looks random: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014), SplitMix64.
VB_HOST_DEVICE inline std::uint64_t probe_hash(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// One operand of `mantissa_bits` and `exponent_bits`, as the bits of its value. kind 0: any value. 1: a short mantissa of twelve bits near
// 1, whose products are ties and near-ties. 2: near the root of the smallest normal number, so that products are denormal. 3: a denormal
// number, zero or infinity.
VB_HOST_DEVICE inline std::uint64_t probe_bits(std::uint64_t hash, int kind, int mantissa_bits, int exponent_bits) {
  const std::uint64_t sign = (hash >> 63) << (mantissa_bits + exponent_bits);
  const std::uint64_t mantissa = hash & ((std::uint64_t{1} << mantissa_bits) - 1);
  const std::uint64_t top = (std::uint64_t{1} << exponent_bits) - 1;  // the exponent of infinities and NaNs
  const std::uint64_t random = (hash >> 52) & top;
  switch (kind) {
    case 0: return sign | (random == top ? 0 : random) << mantissa_bits | mantissa;
    case 1: return sign | (top / 2 + (random & 7)) << mantissa_bits | (mantissa >> (mantissa_bits - 12)) << (mantissa_bits - 12);
    case 2: return sign | (top / 4 - (random & 15)) << mantissa_bits | mantissa;
    default: return (random & 7) == 0 ? sign | top << mantissa_bits : sign | ((random & 7) == 1 ? 0 : mantissa);
  }
}

VB_HOST_DEVICE inline ProbeOperands probe_operands(std::uint32_t number) {
  const auto hash = [number](std::uint32_t part) { return probe_hash(std::uint64_t{number} * 8 + part); };
  const std::uint64_t choice = hash(7);
  const auto kind = [choice](int part) { return static_cast<int>(choice >> (2 * part)) & 3; };
  const auto number32 = [&](std::uint32_t part) {
    return probe_value<float>(static_cast<std::uint32_t>(probe_bits(hash(part), kind(static_cast<int>(part)), 23, 8)));
  };
  const auto number64 = [&](std::uint32_t part) {
    return probe_value<double>(probe_bits(hash(part), kind(static_cast<int>(part)), 52, 11));
  };
  ProbeOperands o{number32(0), number32(1), number32(2), number64(3), number64(4), number64(5), static_cast<std::int32_t>(hash(6) >> 32)};
  const int special = static_cast<int>(choice >> 32) & 7;
  // The product's rounding error is all that is left, and a fused operation keeps it.
  if (special < 2) {
    o.c = -(o.a * o.b);
    o.r = -(o.p * o.q);
  }
  // A double between two floats, or beside that middle by one bit of its own.
  if (special >= 2 && special < 5) {
    const std::uint64_t middle = (probe_bits(hash(3), 1, 52, 11) >> 30 << 30) | (std::uint64_t{1} << 28) | (hash(3) & 3) << 29;
    o.p = probe_value<double>(special == 2 ? middle : (special == 3 ? middle + 1 : middle - 1));
  }
  return o;
}

VB_HOST_DEVICE inline std::uint32_t probe_result(float value) {
  if (value != value) return 0x7FC00000U;
  return probe_value<std::uint32_t>(value);
}
VB_HOST_DEVICE inline std::uint64_t probe_result(double value) {
  if (value != value) return 0x7FF8000000000000ULL;
  return probe_value<std::uint64_t>(value);
}

VB_HOST_DEVICE inline ProbeResults probe_results(const ProbeOperands& o) {
  return {probe_result(o.a * o.b + o.c),
          probe_result(o.a / o.b),
          probe_result(std::sqrt(o.a)),
          probe_result(static_cast<float>(o.integer)),
          probe_result(static_cast<float>(o.p)),
          probe_result(o.p * o.q + o.r),
          probe_result(o.p / o.q),
          probe_result(std::sqrt(o.p))};
}

// results[i] for the numbers first + i.
struct ProbeKernel {
  static constexpr const char* kName = "arithmetic_probe";
  static constexpr int kWidth = 256, kHeight = 1;
  using Shared = NoShared;

  std::uint32_t first;
  int count;
  ProbeResults* results;

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared&) const {
    const int i = t.global_x();
    if (i < count) results[i] = probe_results(probe_operands(first + static_cast<std::uint32_t>(i)));
  }
};

using ProbeKernels = KernelList<ProbeKernel>;

}  // namespace vmafbatch::hip
