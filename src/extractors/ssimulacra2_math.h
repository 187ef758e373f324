// The per-sample formulas of ssimulacra2, shared by the CPU loops and the device kernels: samples to linear RGB, to XYB, one step of
// the recursive Gaussian, the average of four samples and the terms of the error maps.
// Every operation is rounded by itself, in the order written; compile without contraction. The one fused form is written out.
// Sources: J. Sneyers, SSIMULACRA 2.1 (libjxl tools, 2023); D. Charalampidis, "Recursive Implementation of the Gaussian Filter Using
// Truncated Cosine Functions", IEEE Trans. Signal Processing 64(14), 2016. The numbers are those of the libvmaf fork's newest state.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/host_device.h"

namespace vmafbatch::extractors::ssimulacra2 {

inline constexpr std::size_t kScales = 6;
inline constexpr std::size_t kChannels = 3;  // X, Y, B
inline constexpr int kSmallestSide = 8;      // a scale with a shorter side is not evaluated
inline constexpr int kTransferEntries = 1024;

// How native samples become RGB. BT.709 or BT.601, limited or full range.
struct Conversion {
  float sample_unit;  // 1 / (2^depth - 1)
  float luma_offset;  // black of limited range on the 8-bit scale, at every depth
  float luma_scale;
  float chroma_scale;
  float red_v, green_u, green_v, blue_u;
};

// matrix: the option yuv_matrix, 0 = BT.709 limited, 1 = BT.601 limited, 2 = BT.709 full, 3 = BT.601 full
constexpr Conversion conversion(int matrix, int bit_depth) {
  const bool bt601 = matrix % 2 == 1;
  const bool full = matrix >= 2;
  return {.sample_unit = 1.0f / static_cast<float>((1 << bit_depth) - 1),
          .luma_offset = full ? 0.0f : 16.0f / 255.0f,
          .luma_scale = full ? 1.0f : 255.0f / 219.0f,
          .chroma_scale = full ? 1.0f : 255.0f / 224.0f,
          .red_v = bt601 ? 0x1.66e978p+0f : 0x1.932618p+0f,
          .green_u = bt601 ? -0x1.606542p-2f : -0x1.7fa3dcp-3f,
          .green_v = bt601 ? -0x1.6da344p-1f : -0x1.df5bf8p-2f,
          .blue_u = bt601 ? 0x1.c5a1cap+0f : 0x1.db089ap+0f};
}

struct Triple {
  float c0, c1, c2;
};

// factor * value + addend, rounded through double as the fork's source has it: the product is exact there.
VB_HOST_DEVICE inline float fused(float factor, float value, float addend) {
  return static_cast<float>(static_cast<double>(factor) * static_cast<double>(value) + static_cast<double>(addend));
}

VB_HOST_DEVICE inline Triple to_rgb(float luma, float cb, float cr, const Conversion& c) {
  const float y = (luma * c.sample_unit - c.luma_offset) * c.luma_scale;
  const float u = (cb * c.sample_unit - 0.5f) * c.chroma_scale;
  const float v = (cr * c.sample_unit - 0.5f) * c.chroma_scale;
  return {fused(c.red_v, v, y), fused(c.green_v, v, fused(c.green_u, u, y)), fused(c.blue_u, u, y)};
}

// Linear light of an sRGB value, clamped to 0..1. transfer: the table of ssimulacra2_transfer.h
VB_HOST_DEVICE inline float linear_light(float value, const float* transfer) {
  if (value <= 0.0f) return 0.0f;
  if (value >= 1.0f) return 1.0f;
  const float position = value * static_cast<float>(kTransferEntries - 1);
  const int index = static_cast<int>(position);
  const float fraction = position - static_cast<float>(index);
  return transfer[index] + (transfer[index + 1] - transfer[index]) * fraction;
}

// libjxl's opsin absorbance: the mix of linear RGB that each kind of cone sees, and its bias.
inline constexpr float kL0 = 0.30f, kL1 = 0x1.3e76c8p-1f, kL2 = 0.078f;
inline constexpr float kM0 = 0.23f, kM1 = 0x1.624dd2p-1f, kM2 = 0.078f;
inline constexpr float kS0 = 0x1.f28798p-3f, kS1 = 0x1.a35d1ep-3f, kS2 = 0x1.1a86d2p-1f;
inline constexpr float kBias = 0x1.f12a6cp-9f;
inline constexpr float kCubeRootOfBias = 0x1.3f64f6p-3f;

// The first guess of the cube root divides the exponent by three; two Newton steps follow.
inline constexpr std::uint32_t kCubeRootMagic = 0x2a5137a0u;
inline constexpr float kThird = 0x1.555556p-2f;

VB_HOST_DEVICE inline float cube_root(float x) {
  if (x <= 0.0f) return 0.0f;
  float y = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) / 3u + kCubeRootMagic);
  y = (2.0f * y + x / (y * y)) * kThird;
  return (2.0f * y + x / (y * y)) * kThird;
}

// libjxl's shifts, which keep X, Y and B positive.
inline constexpr float kXScale = 14.0f, kXShift = 0.42f, kYShift = 0.01f, kBShift = 0.55f;

VB_HOST_DEVICE inline Triple to_xyb(Triple rgb) {
  const float l = ((kL0 * rgb.c0 + kL1 * rgb.c1) + kL2 * rgb.c2) + kBias;
  const float m = ((kM0 * rgb.c0 + kM1 * rgb.c1) + kM2 * rgb.c2) + kBias;
  const float s = ((kS0 * rgb.c0 + kS1 * rgb.c1) + kS2 * rgb.c2) + kBias;
  const float root_l = cube_root(l) - kCubeRootOfBias;
  const float root_m = cube_root(m) - kCubeRootOfBias;
  const float root_s = cube_root(s) - kCubeRootOfBias;
  const float x = 0.5f * (root_l - root_m);
  const float y = 0.5f * (root_l + root_m);
  return {x * kXScale + kXShift, y + kYShift, (root_s - y) + kBShift};
}

// The sample of the next scale. The fork's sum starts at 0, which changes no bit of samples that are never -0.
VB_HOST_DEVICE inline float average(float p00, float p01, float p10, float p11) { return (((p00 + p01) + p10) + p11) * 0.25f; }

// The Gaussian of sigma 1.5 as a sum of three second-order recursions. Output n reads the inputs n - 6 and n + 4; samples outside the
// line are zero, and the recursion starts kBlurLead positions before the line.
inline constexpr int kBlurBehind = 6;
inline constexpr int kBlurAhead = 4;
inline constexpr int kBlurLead = 4;
inline constexpr std::size_t kRecursions = 3;
inline constexpr float kBlurInput[kRecursions] = {0x1.c4fa84p-5f, -0x1.e1fd7ap-5f, 0x1.a8894ap-7f};
inline constexpr float kBlurFeedback[kRecursions] = {-0x1.e6f0e2p+0f, -0x1.2cf23p+0f, -0x1.1a6264p-53f};

// The last two outputs of each recursion; zero at the start of a line.
struct BlurState {
  float last[kRecursions] = {};
  float before[kRecursions] = {};
};

// behind, ahead: the inputs n - 6 and n + 4
VB_HOST_DEVICE inline float blur_step(float behind, float ahead, BlurState& state) {
  const float sum = behind + ahead;
  for (std::size_t k = 0; k < kRecursions; ++k) {
    const float output = (kBlurInput[k] * sum - kBlurFeedback[k] * state.last[k]) - state.before[k];
    state.before[k] = state.last[k];
    state.last[k] = output;
  }
  return (state.last[0] + state.last[1]) + state.last[2];
}

// What the error maps read at one position of one channel.
struct MapInput {
  float reference, distorted;       // the samples
  float mean1, mean2;               // blurred samples
  float square1, square2, product;  // blurred squares and blurred product
};

inline constexpr float kStructureConstant = 0.0009f;

VB_HOST_DEVICE inline double structure_error(const MapInput& p) {
  const float difference = p.mean1 - p.mean2;
  const float luminance = 1.0f - difference * difference;
  const float numerator = 2.0f * (p.product - p.mean1 * p.mean2) + kStructureConstant;
  const float denominator = ((p.square1 - p.mean1 * p.mean1) + (p.square2 - p.mean2 * p.mean2)) + kStructureConstant;
  const double error = 1.0 - (static_cast<double>(luminance) * static_cast<double>(numerator)) / static_cast<double>(denominator);
  return error < 0.0 ? 0.0 : error;
}

// How much stronger the distorted picture's edge is than the reference's, relative; negative where detail was lost. In double.
VB_HOST_DEVICE inline double edge_change(const MapInput& p) {
  const double edge1 = static_cast<double>(p.reference) - static_cast<double>(p.mean1);
  const double edge2 = static_cast<double>(p.distorted) - static_cast<double>(p.mean2);
  return (1.0 + (edge2 < 0.0 ? -edge2 : edge2)) / (1.0 + (edge1 < 0.0 ? -edge1 : edge1)) - 1.0;
}

VB_HOST_DEVICE inline double fourth_power(double x) { return (x * x) * (x * x); }

// The terms of one position: structure error, added edges (artifacts), lost edges (detail loss), each with its fourth power.
inline constexpr std::size_t kSums = 6;
struct MapTerms {
  double term[kSums];
};

VB_HOST_DEVICE inline MapTerms map_terms(const MapInput& p) {
  const double error = structure_error(p);
  const double change = edge_change(p);
  const double artifact = change > 0.0 ? change : 0.0;
  const double loss = change < 0.0 ? -change : 0.0;
  return {{error, fourth_power(error), artifact, fourth_power(artifact), loss, fourth_power(loss)}};
}

}  // namespace vmafbatch::extractors::ssimulacra2
