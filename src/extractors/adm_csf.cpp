#include "extractors/adm_csf.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vmafbatch::extractors::adm {
namespace {

// Pixels per degree of visual angle, in the reference's order of operations.
float pixels_per_degree(const Viewing& viewing) {
  return static_cast<float>(viewing.distance * viewing.display_height * std::numbers::pi / 180.0);
}

// Two to the power scale + 1: how much coarser than the picture the bands of a scale are.
double coarseness(int scale) { return static_cast<double>(1 << (scale + 1)); }

// Watson 97: the visibility threshold of a uniform quantiser's noise, luma, table 2 of the paper; basis function amplitudes of
// the 9/7 wavelet, table 5. The weight is the reciprocal of the quantiser's step.
float watson_weight(int scale, bool diagonal, float per_degree) {
  constexpr float kA = 0.495f;
  constexpr float kK = 0.466f;
  constexpr float kF0 = 0.401f;
  constexpr std::array kAmplitude = {0.67234f, 0.41317f, 0.22727f, 0.11792f};
  constexpr std::array kDiagonalAmplitude = {0.72709f, 0.49428f, 0.28688f, 0.15214f};
  const float g = diagonal ? 0.534f : 1.0f;
  const auto s = static_cast<size_t>(scale);
  const float amplitude = diagonal ? kDiagonalAmplitude[s] : kAmplitude[s];
  const auto t = static_cast<float>(
      std::log10(coarseness(scale) * static_cast<double>(kF0) * static_cast<double>(g) / static_cast<double>(per_degree)));
  const float exponent = kK * t * t;  // float products: a double here moves the weights
  const auto step =
      static_cast<float>(2.0 * static_cast<double>(kA) * std::pow(10.0, static_cast<double>(exponent)) / static_cast<double>(amplitude));
  return 1.0f / step;
}

// HDR-VDP-2: the modulation transfer of the eye times the CSF that remains, at 100 cd/m2.
float barten_weight(int scale, float per_degree, double factor) {
  // The paper's parameter rows for 20 and 150 cd/m2, interpolated in float over the logarithm of the luminance.
  constexpr float kP0 = 0x1.8795e4p-2f;
  constexpr float kP1 = 0x1.7d88fp+1f;
  constexpr float kP2 = 0x1.25ac04p+0f;
  constexpr float kP3 = 0x1.d06f56p+2f;
  constexpr float kRod = 0x1.e1f384p+4f;  // joint sensitivity of rods and cones at that luminance
  constexpr std::array kMtfA = {0.424838596301290f, 0.572435103936480f, 0.000167576239164937f, 0.00255872352306433f};
  constexpr std::array kMtfB = {0.028f, 0.37f, 37.0f, 360.0f};

  const auto frequency = static_cast<float>(static_cast<double>(per_degree) / coarseness(scale));
  const auto a = static_cast<float>(1.0 + std::pow(static_cast<double>(kP0 * frequency), static_cast<double>(kP1)));
  const auto u = static_cast<double>(frequency / 7.0f);
  const auto b = static_cast<float>(1.0 / std::pow(1.0 - std::exp(-(u * u)), static_cast<double>(kP2)));
  const auto csf = static_cast<float>(static_cast<double>(kP3) / std::pow(static_cast<double>(a * b), 0.5));
  float mtf = 0.0f;
  for (size_t i = 0; i < kMtfA.size(); ++i) {
    const float decay = (-kMtfB[i]) * frequency;
    mtf = static_cast<float>(static_cast<double>(mtf) + static_cast<double>(kMtfA[i]) * std::exp(static_cast<double>(decay)));
  }
  return static_cast<float>(static_cast<double>((csf * mtf) * kRod) * factor);
}

using PerScale = std::array<float, kScales>;

struct TableRow {
  int display_height;
  double distance;
  PerScale blend;
  PerScale blend_diagonal;
  PerScale mae;
  PerScale mae_diagonal;
};

// libvmaf's fitted weights. Rows of 720 at 3, 480 at 3 and 480 at 5 exist there too, but their geometry is refused.
constexpr std::array kTable = {
    TableRow{1080,
             3.0,
             {0.01183f, 0.025026f, 0.04295f, 0.058621f},
             {0.004302f, 0.011778f, 0.023918f, 0.035901f},
             {0.011249f, 0.022606f, 0.03593f, 0.045673f},
             {0.004097f, 0.010921f, 0.02143f, 0.031313f}},
    TableRow{2160,
             1.5,
             {0.01183f, 0.025026f, 0.04295f, 0.058621f},
             {0.004302f, 0.011778f, 0.023918f, 0.035901f},
             {0.011249f, 0.022606f, 0.03593f, 0.045673f},
             {0.004097f, 0.010921f, 0.02143f, 0.031313f}},
    TableRow{1080,
             5.0,
             {0.004212f, 0.014809f, 0.029642f, 0.047464f},
             {0.000984f, 0.005852f, 0.0146f, 0.027574f},
             {0.004052f, 0.013939f, 0.026298f, 0.038833f},
             {0.000927f, 0.005544f, 0.013415f, 0.024515f}},
    TableRow{2160,
             3.0,
             {0.00226f, 0.01183f, 0.025026f, 0.04295f},
             {0.000479f, 0.004302f, 0.011778f, 0.023918f},
             {0.002166f, 0.011249f, 0.022606f, 0.03593f},
             {0.000447f, 0.004097f, 0.010921f, 0.02143f}},
    TableRow{2160,
             5.0,
             {0.000092f, 0.004212f, 0.014809f, 0.029642f},
             {0.00005f, 0.000984f, 0.005852f, 0.0146f},
             {0.000077f, 0.004052f, 0.013939f, 0.026298f},
             {0.000045f, 0.000927f, 0.005544f, 0.013415f}},
    TableRow{720,
             5.0,
             {0.010144f, 0.022561f, 0.040309f, 0.05672f},
             {0.003463f, 0.010282f, 0.021839f, 0.034641f},
             {0.009689f, 0.020577f, 0.034162f, 0.044523f},
             {0.003302f, 0.009579f, 0.019661f, 0.030318f}},
};

const TableRow* find_row(const Viewing& viewing) {
  const auto row = std::ranges::find_if(
      kTable, [&](const TableRow& r) { return r.display_height == viewing.display_height && r.distance == viewing.distance; });
  return row == kTable.end() ? nullptr : &*row;
}

float weight(const Viewing& viewing, int scale, bool diagonal) {
  const auto s = static_cast<size_t>(scale);
  switch (viewing.mode) {
    case CsfMode::kWatson: return watson_weight(scale, diagonal, pixels_per_degree(viewing));
    case CsfMode::kBarten: return barten_weight(scale, pixels_per_degree(viewing), diagonal ? viewing.diagonal_scale : viewing.scale);
    case CsfMode::kBlend: return diagonal ? find_row(viewing)->blend_diagonal[s] : find_row(viewing)->blend[s];
    case CsfMode::kBlendMae: return diagonal ? find_row(viewing)->mae_diagonal[s] : find_row(viewing)->mae[s];
  }
  return 0.0f;
}

// trunc(weight * 2^bits) modulo 2^64; the caller keeps the low bits, as x86-64's conversion does.
std::uint64_t fixed(float weight, int bits) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::ldexp(static_cast<double>(weight), bits)));
}

}  // namespace

bool is_tabulated(const Viewing& viewing) {
  const bool from_table = viewing.mode == CsfMode::kBlend || viewing.mode == CsfMode::kBlendMae;
  return !from_table || find_row(viewing) != nullptr;
}

FloatWeights float_weights(const Viewing& viewing) {
  FloatWeights weights;
  for (int s = 0; s < kScales; ++s) {
    const float straight = weight(viewing, s, false);
    weights[static_cast<size_t>(s)] = {straight, straight, weight(viewing, s, true)};
  }
  return weights;
}

FixedWeights fixed_weights(const Viewing& viewing, const FloatWeights& weights) {
  FixedWeights result;
  for (size_t band = 0; band < kBands; ++band) {
    result[0][band] = static_cast<std::uint16_t>(fixed(weights[0][band], band == 2 ? 23 : 21));
    for (size_t s = 1; s < kScales; ++s) result[s][band] = static_cast<std::uint32_t>(fixed(weights[s][band], 32));
  }
  // The reference's constants for its default geometry; the formula would give two units less.
  if (viewing.mode == CsfMode::kWatson && std::abs(viewing.distance * viewing.display_height - kSmallestViewing) < 1e-8) {
    result[0] = {36453, 36453, 49417};
  }
  return result;
}

}  // namespace vmafbatch::extractors::adm
