// The arithmetic of vif per sample: fixed-point local moments and the log-ratio statistic of H. R. Sheikh and A. C. Bovik, "Image
// information and visual quality", IEEE Transactions on Image Processing 15(2), 2006 (pixel domain), on the integer scale of libvmaf.
// Shared by the CPU loops and the device kernels.
#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors {

inline constexpr int kVifScales = 4;
// Half width of the window of each scale: 17, 9, 5 and 3 taps.
VB_HOST_DEVICE constexpr int vif_radius(int scale) { return 8 >> scale; }

// The tap at `distance` from the centre of the Gaussian window of a scale; the taps of a window sum to 65536.
// REQUIRES: 0 <= scale < 4, 0 <= distance <= vif_radius(scale)
VB_HOST_DEVICE constexpr std::uint32_t vif_tap(int scale, int distance) {
  constexpr std::uint16_t kTaps[kVifScales][9] = {{7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489},
                                                  {14692, 12590, 7925, 3663, 1244, 0, 0, 0, 0},
                                                  {26386, 16004, 3571, 0, 0, 0, 0, 0, 0},
                                                  {43728, 10904, 0, 0, 0, 0, 0, 0, 0}};
  return kTaps[scale][distance];
}

// The index inside 0 .. n-1 that an index beyond the border reads: reflected without repeating the border sample, as often as needed.
// REQUIRES: n >= 2
VB_HOST_DEVICE constexpr int vif_mirror(int i, int n) {
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

// (sum + half) >> shift; shift 0 leaves the sum as it is. REQUIRES: sum + half fits a Sum
template <class Sum>
VB_HOST_DEVICE constexpr Sum vif_round(Sum sum, int shift) {
  return shift == 0 ? sum : (sum + (Sum{1} << (shift - 1))) >> shift;
}
// Shift behind the vertical pass over samples: brings them to 16 bits. Also that of the pass which builds scale + 1.
VB_HOST_DEVICE constexpr int vif_sample_shift(int scale, int bit_depth) { return scale == 0 ? bit_depth : 16; }
// Shift behind the vertical pass over products of samples: brings them to 32 bits.
VB_HOST_DEVICE constexpr int vif_product_shift(int scale, int bit_depth) { return scale == 0 ? 2 * (bit_depth - 8) : 16; }

// The weighted sums of one pixel after both passes: means on a 2^24 scale, products on the scale of (65536 per grey level squared).
struct VifMoments {
  std::uint32_t mean1;
  std::uint32_t mean2;
  std::uint32_t square1;
  std::uint32_t square2;
  std::uint32_t product;
};

struct VifVariances {
  std::int32_t reference;
  std::int32_t distorted;  // never negative
  std::int32_t covariance;
};

VB_HOST_DEVICE inline std::uint32_t vif_mean_product(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b + 0x80000000u) >> 32);
}

VB_HOST_DEVICE inline VifVariances vif_variances(const VifMoments& m) {
  const auto distorted = static_cast<std::int32_t>(m.square2 - vif_mean_product(m.mean2, m.mean2));
  return {static_cast<std::int32_t>(m.square1 - vif_mean_product(m.mean1, m.mean1)), distorted < 0 ? 0 : distorted,
          static_cast<std::int32_t>(m.product - vif_mean_product(m.mean1, m.mean2))};
}

// The noise variance of the visual channel, 2 grey levels squared, on the scale of the variances.
inline constexpr std::int32_t kVifNoise = 131072;
// Keeps the gain finite; too small to matter but for the last bit of the quotient.
inline constexpr double kVifGainEpsilon = 65536 * 1.0e-10;
// The table of logarithms: entry i - 32768 is 2048 * log2(i) for i of 16 bits.
inline constexpr int kVifLogEntries = 32768;
// 2048 * log2(kVifNoise)
inline constexpr std::int32_t kVifNoiseLog = 34816;

// 2048 * log2(value), low bits of the value cut off: the first 15 bits of the mantissa are the place in the table, and the exponent says
// how many bits the value has beyond 16. REQUIRES: value is whole, 32768 <= value < 2^53
VB_HOST_DEVICE inline std::int32_t vif_log(const std::uint16_t* table, double value) {
  const auto bits = __builtin_bit_cast(std::uint64_t, value);
  return table[(bits >> 37) % kVifLogEntries] + 2048 * (static_cast<std::int32_t>(bits >> 52) - (1023 + 15));
}

// The exact sums of one scale. Any order of adding gives the same.
struct VifSums {
  std::int64_t log_numerator = 0;
  std::int64_t log_denominator = 0;
  std::int64_t flat_variance = 0;  // distorted variance where the reference is flat
  std::int64_t flat_pixels = 0;

  VB_HOST_DEVICE VifSums& operator+=(const VifSums& other) {
    log_numerator += other.log_numerator;
    log_denominator += other.log_denominator;
    flat_variance += other.flat_variance;
    flat_pixels += other.flat_pixels;
    return *this;
  }
  bool operator==(const VifSums&) const = default;
};

// The numerator's term of a pixel whose reference is not flat. Products and sums round one by one.
// REQUIRES: v.reference >= kVifNoise
VB_HOST_DEVICE inline std::int32_t vif_log_numerator(const VifVariances& v, double gain_limit, const std::uint16_t* table) {
  if (v.covariance <= 0 || v.distorted == 0) return 0;
  const double reference = v.reference;
  const double covariance = v.covariance;
  double gain = covariance / (reference + kVifGainEpsilon);
  const double explained = gain * covariance;
  const auto residual = static_cast<std::int32_t>(static_cast<double>(v.distorted) - explained);
  gain = gain < gain_limit ? gain : gain_limit;
  const double noise = (residual < 0 ? 0 : residual) + kVifNoise;
  const double signal = __builtin_trunc((gain * gain) * reference);
  return vif_log(table, noise + signal) - vif_log(table, noise);  // whole numbers below 2^44: their sum is exact
}

VB_HOST_DEVICE inline void vif_add_pixel(const VifVariances& v, double gain_limit, const std::uint16_t* table, VifSums& sums) {
  if (v.reference < kVifNoise) {
    sums.flat_variance += v.distorted;
    sums.flat_pixels += 1;
    return;
  }
  sums.log_denominator += vif_log(table, kVifNoise + v.reference) - kVifNoiseLog;
  sums.log_numerator += vif_log_numerator(v, gain_limit, table);
}

}  // namespace vmafbatch::extractors
