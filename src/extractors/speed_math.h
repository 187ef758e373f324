// The arithmetic of speed_chroma and speed_temporal per sample and per matrix step: C. G. Bampis, P. Gupta, R. Soundararajan, A. C. Bovik,
// "SpEED-QA: Spatial Efficient Entropic Differencing for Image and Video Quality", IEEE Signal Processing Letters 24(9), 2017, with
// libvmaf's weights and single precision. Every operation rounds on its own in the order written. Shared by the CPU loops and the device
// kernels.
#pragma once

#include <cmath>

#include "base/host_device.h"

namespace vmafbatch::extractors {

// Blocks of 5x5 samples of the band-pass plane; one block is a vector of 25 entries.
inline constexpr int kSpeedBlock = 5;
inline constexpr int kSpeedEntries = kSpeedBlock * kSpeedBlock;
// The band-pass plane keeps every 16th sample in both directions.
inline constexpr int kSpeedDecimation = 16;
// Below it an eigenvalue or pivot counts as zero, and so does, relative to its neighbours, an entry beside the diagonal.
inline constexpr double kSpeedEpsilon = 1e-6;
// libvmaf's limit; 29 to 41 steps are usual.
inline constexpr int kSpeedMostSteps = 500;

// One term of the covariance of two entries.
VB_HOST_DEVICE inline double speed_covariance_term(float a, float mean_a, float b, float mean_b) {
  return (static_cast<double>(a) - static_cast<double>(mean_a)) * (static_cast<double>(b) - static_cast<double>(mean_b));
}

// The reflection that makes a column zero below its first entry `head`; `rest` is the root of the sum of the other entries' squares.
struct SpeedReflection {
  float factor;   // tau; 0: nothing to reflect
  float divisor;  // of the other entries
  float head;     // what `head` becomes
};

VB_HOST_DEVICE inline SpeedReflection speed_reflection(float head, float rest) {
  if (rest == 0.0f) return {0.0f, 1.0f, head};
  const float length = std::sqrt(head * head + rest * rest);
  const float target = head >= 0.0f ? -length : length;
  return {(target - head) / target, head - target, target};
}

// A rotation by (cosine, sine) that turns (a, b) onto the first axis.
struct SpeedRotation {
  float cosine;
  float sine;
};

VB_HOST_DEVICE inline float speed_inverse_length(float t) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(1.0f + t * t))); }

VB_HOST_DEVICE inline SpeedRotation speed_rotation(float a, float b) {
  if (b == 0.0f) return {1.0f, 0.0f};
  if (std::fabs(b) > std::fabs(a)) {
    const float t = -a / b;
    const float sine = speed_inverse_length(t);
    return {sine * t, sine};
  }
  const float t = -b / a;
  const float cosine = speed_inverse_length(t);
  return {cosine, cosine * t};
}

// Symmetric tridiagonal matrices: `diagonal` has n entries, `beside` the n-1 next to it.

// Sets what is negligible beside the diagonal to zero.
VB_HOST_DEVICE inline void speed_chop(const float* diagonal, float* beside, int n) {
  for (int i = 0; i + 1 < n; ++i) {
    const float near = std::fabs(diagonal[i]) + std::fabs(diagonal[i + 1]);
    if (static_cast<double>(std::fabs(beside[i])) < kSpeedEpsilon * static_cast<double>(near)) beside[i] = 0.0f;
  }
}

// The shift of a step: the eigenvalue of the last 2x2 block that is nearer to its last entry.
VB_HOST_DEVICE inline float speed_shift(const float* diagonal, const float* beside, int n) {
  const float last = diagonal[n - 1];
  const float off = beside[n - 2];
  const float half = (diagonal[n - 2] - last) / 2.0f;
  float shift = last - std::fabs(off);
  if (half > 0.0f) shift = last - off * (off / (half + std::sqrt(half * half + off * off)));
  if (half < 0.0f) shift = last + off * (off / (-half + std::sqrt(half * half + off * off)));
  const float first = std::fabs(diagonal[0]) + std::fabs(beside[0]);
  return kSpeedEpsilon * static_cast<double>(std::fabs(shift)) > static_cast<double>(first) ? 0.0f : shift;
}

// One implicit-shift QR step (Golub and Van Loan, Matrix Computations, 8.3). REQUIRES: n >= 2
VB_HOST_DEVICE inline void speed_qr_step(float* diagonal, float* beside, int n) {
  float x = diagonal[0] - speed_shift(diagonal, beside, n);
  float z = beside[0];
  // The 2x2 block under the rotation, the entry behind it, and what the rotation before left.
  float ap = diagonal[0];
  float bp = beside[0];
  float aq = diagonal[1];
  float bq = n > 2 ? beside[1] : 0.0f;
  float bk = 0.0f;
  float zk = 0.0f;
  for (int k = 0; k + 1 < n; ++k) {
    const auto [c, s] = speed_rotation(x, z);
    const float bk1 = c * bk - s * zk;
    const float ap1 = c * (c * ap - s * bp) + s * (s * aq - c * bp);
    const float bp1 = c * (s * ap + c * bp) - s * (s * bp + c * aq);
    const float zp1 = -s * bq;
    const float aq1 = s * (s * ap + c * bp) + c * (s * bp + c * aq);
    const float bq1 = c * bq;
    bk = bp1;
    zk = zp1;
    ap = aq1;
    bp = bq1;
    if (k < n - 2) aq = diagonal[k + 2];
    if (k < n - 3) bq = beside[k + 2];
    diagonal[k] = ap1;
    if (k > 0) beside[k - 1] = bk1;
    if (k < n - 2) beside[k + 1] = bp;
    x = bk;
    z = zk;
  }
  diagonal[n - 1] = ap;
  beside[n - 2] = bk;
}

// The eigenvalues, in the places of the diagonal and not sorted; `beside` is used up. After kSpeedMostSteps steps they stay as they are.
VB_HOST_DEVICE inline void speed_tridiagonal_eigenvalues(float* diagonal, float* beside, int n) {
  speed_chop(diagonal, beside, n);
  int last = n - 1;
  for (int steps = 0; last > 0 && steps < kSpeedMostSteps;) {
    if (beside[last - 1] == 0.0f) {
      --last;
      continue;
    }
    int first = last - 1;
    while (first > 0 && beside[first - 1] != 0.0f) --first;
    const int size = last - first + 1;
    speed_qr_step(diagonal + first, beside + first, size);
    speed_chop(diagonal + first, beside + first, size);
    ++steps;
  }
}

VB_HOST_DEVICE inline bool speed_is_negligible(float eigenvalue) { return static_cast<double>(eigenvalue) < kSpeedEpsilon; }
VB_HOST_DEVICE inline bool speed_is_zero_pivot(float pivot) { return static_cast<double>(std::fabs(pivot)) < kSpeedEpsilon; }

// One term of a block's variance: solved and given entry.
VB_HOST_DEVICE inline float speed_variance_term(float solved, float given) { return (solved * given) / static_cast<float>(kSpeedEntries); }

}  // namespace vmafbatch::extractors
