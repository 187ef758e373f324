// The per-sample formulas of float_adm, shared by the CPU loops and the device kernels: one 4-tap wavelet step, the decoupling of
// a distorted coefficient into a restored and an additive part, the masking threshold and the terms of the energy sums.
// Every operation is rounded by itself, in the order written; compile without contraction.
// Source: S. Li, F. Zhang, L. Ma, K. N. Ngan, "Image Quality Assessment by Separately Evaluating Detail Losses and Additive
// Impairments", IEEE Trans. Multimedia 13(5), 2011; the numbers are libvmaf 3.2.0's.
#pragma once

#include <cstddef>

#include "base/host_device.h"

namespace vmafbatch::extractors::float_adm {

// The coefficients of one position: horizontal (high-pass vertically), vertical (high-pass horizontally) and diagonal detail.
struct Bands {
  float h, v, d;
};

// The signals whose energies are summed: the reference's detail, and the two parts of the distorted picture's.
enum Signal : std::size_t { kReference, kRestored, kAdditive };
constexpr std::size_t kSignals = 3;
constexpr std::size_t kBands = 3;  // h, v, d

// Visibility weights of one scale: F1 for h and v, F2 for d.
struct BandWeights {
  float hv, d;
};

// A 4-tap filter of the orthogonal Daubechies wavelet.
struct Taps {
  float t0, t1, t2, t3;
};
inline constexpr Taps kLowPass{0.482962913144690f, 0.836516303737469f, 0.224143868041857f, -0.129409522550921f};
inline constexpr Taps kHighPass{kLowPass.t3, -kLowPass.t2, kLowPass.t1, -kLowPass.t0};

inline constexpr float kLumaOffset = -128.0f;
inline constexpr float kTiny = 1e-30f;                    // keeps the quotient of two zero coefficients finite
inline constexpr float kCosSquared = 0.99969542f;         // cos^2 of the one degree within which two details count as parallel
inline constexpr double kNeighbourWeight = 0.0333333351;  // libvmaf's 1/30 and 1/15, as it wrote them
inline constexpr double kCentreWeight = 0.0666666701;

// A luma sample around zero, on the 8-bit scale. unit: 2^(8 - depth). Exact.
VB_HOST_DEVICE inline float centred(float sample, float unit) { return sample * unit + kLumaOffset; }

// The leading zero only turns a first product of -0 into +0.
VB_HOST_DEVICE inline float filter(Taps taps, float s0, float s1, float s2, float s3) {
  float sum = 0.0f + taps.t0 * s0;
  sum = sum + taps.t1 * s1;
  sum = sum + taps.t2 * s2;
  return sum + taps.t3 * s3;
}

// The source indices of output index i along an axis of length n: 2i-1 .. 2i+2, mirrored around the first sample at the low end
// and behind the last one at the high end. REQUIRES: n >= 2, 0 <= index < n + 2 or index == -1
VB_HOST_DEVICE inline int mirrored(int index, int n) { return index < 0 ? -index : (index >= n ? 2 * n - index - 1 : index); }

// True where the detail of the two pictures points the same way to within one degree (two zero vectors do).
VB_HOST_DEVICE inline bool parallel(Bands reference, Bands distorted) {
  const float dot = reference.h * distorted.h + reference.v * distorted.v;
  const float reference_energy = reference.h * reference.h + reference.v * reference.v;
  const float distorted_energy = distorted.h * distorted.h + distorted.v * distorted.v;
  return dot >= 0.0f && dot * dot >= (kCosSquared * reference_energy) * distorted_energy;
}

// The part of a distorted coefficient that the reference explains. `enhanced`: the position is parallel, and the gain counts up to
// gain_limit. The product with the limit is a double.
VB_HOST_DEVICE inline float restored_part(float reference, float distorted, bool enhanced, double gain_limit) {
  float k = distorted / (reference + kTiny);
  k = k < 0.0f ? 0.0f : (k > 1.0f ? 1.0f : k);
  float restored = k * reference;
  if (!enhanced) return restored;
  const double wide = distorted;
  const double limit = static_cast<double>(restored) * gain_limit;
  if (restored > 0.0f) {
    restored = static_cast<float>(limit < wide ? limit : wide);
  } else if (restored < 0.0f) {
    restored = static_cast<float>(limit > wide ? limit : wide);
  }
  return restored;
}

VB_HOST_DEVICE inline Bands restored_bands(Bands reference, Bands distorted, double gain_limit) {
  const bool enhanced = parallel(reference, distorted);
  return {restored_part(reference.h, distorted.h, enhanced, gain_limit), restored_part(reference.v, distorted.v, enhanced, gain_limit),
          restored_part(reference.d, distorted.d, enhanced, gain_limit)};
}

// |weight * coefficient|; never -0.
VB_HOST_DEVICE inline float weighted_magnitude(float coefficient, float weight) {
  const float weighted = weight * coefficient;
  return weighted < 0.0f ? -weighted : weighted + 0.0f;
}

// What a weighted coefficient adds to the threshold of each of its eight neighbours.
VB_HOST_DEVICE inline float neighbour_mask(float weighted_magnitude) {
  return static_cast<float>(kNeighbourWeight * static_cast<double>(weighted_magnitude));
}

// One band's share of the masking threshold: the masks of the eight neighbours and the weighted magnitude of the centre. Each
// pointer stands at the column left of the centre. Masks and magnitudes are never negative, so a sum may begin with its first term.
VB_HOST_DEVICE inline float band_threshold(const float* above, const float* here, const float* below, float centre_magnitude) {
  float sum = above[0] + above[1];
  sum = sum + above[2];
  sum = sum + here[0];
  sum = static_cast<float>(static_cast<double>(sum) + kCentreWeight * static_cast<double>(centre_magnitude));
  sum = sum + here[2];
  sum = sum + below[0];
  sum = sum + below[1];
  return sum + below[2];
}

// What of a weighted magnitude shows above the threshold.
VB_HOST_DEVICE inline float visible(float weighted_magnitude, float threshold) {
  const float excess = weighted_magnitude - threshold;
  return excess < 0.0f ? 0.0f : excess;
}

VB_HOST_DEVICE inline float cube(float x) { return (x * x) * x; }
// The term of an energy sum whose exponent is 3, or of one whose terms are raised later or never.
VB_HOST_DEVICE inline float energy_term(float magnitude, bool cubed) { return cubed ? cube(magnitude) : magnitude; }

}  // namespace vmafbatch::extractors::float_adm
