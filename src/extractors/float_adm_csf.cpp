#include "extractors/float_adm_csf.h"

#include <cmath>
#include <numbers>

namespace vmafbatch::extractors::float_adm {
namespace {

double band_divisor(int scale) { return std::pow(2.0, scale + 1); }

// Watson et al. 1997: the threshold of uniform quantisation noise, from a parabola in the logarithm of spatial frequency and the
// basis function amplitudes of the linear-phase 9/7 wavelet.
float watson_weight(float pixels_per_degree, int scale, float orientation, float amplitude) {
  constexpr float kLowestThreshold = 0.495f;
  constexpr float kCurvature = 0.466f;
  constexpr float kBestFrequency = 0.401f;
  const auto distance = static_cast<float>(std::log10(((band_divisor(scale) * kBestFrequency) * orientation) / pixels_per_degree));
  const float exponent = (kCurvature * distance) * distance;
  const auto step = static_cast<float>(((2.0 * kLowestThreshold) * std::pow(10.0, exponent)) / amplitude);
  return 1.0f / step;
}

BandWeights watson_weights(float pixels_per_degree, int scale) {
  constexpr std::array<float, kScales> kAmplitude{0.67234f, 0.41317f, 0.22727f, 0.11792f};
  constexpr std::array<float, kScales> kDiagonalAmplitude{0.72709f, 0.49428f, 0.28688f, 0.15214f};
  constexpr float kDiagonalOrientation = 0.534f;
  const auto s = static_cast<size_t>(scale);
  return {watson_weight(pixels_per_degree, scale, 1.0f, kAmplitude[s]),
          watson_weight(pixels_per_degree, scale, kDiagonalOrientation, kDiagonalAmplitude[s])};
}

// The contrast sensitivity of the first detail-loss measure (Li et al. 2011).
float dlm_weight(float frequency) { return static_cast<float>((0.31 + 0.69 * frequency) * std::exp(-0.29 * frequency)); }

BandWeights dlm_weights(float pixels_per_degree, int scale) {
  const auto frequency = static_cast<float>(pixels_per_degree / band_divisor(scale));
  const auto diagonal_frequency = static_cast<float>(frequency / 0.7);
  return {dlm_weight(frequency), dlm_weight(diagonal_frequency)};
}

// A parameter of the neural contrast sensitivity at 100 cd/m2, interpolated in log luminance between its values at 20 and 150.
float at_100_candela(float at_20, float at_150) {
  const auto low = static_cast<float>(std::log10(static_cast<double>(20.0f)));
  const auto high = static_cast<float>(std::log10(static_cast<double>(150.0f)));
  const auto here = static_cast<float>(std::log10(100.0));
  return at_20 + ((at_150 - at_20) / (high - low)) * (here - low);
}

float neural_sensitivity(float frequency) {
  const float p0 = at_100_candela(0.334278f, 0.394533f);
  const float p1 = at_100_candela(3.79542f, 2.7755f);
  const float p2 = at_100_candela(1.07327f, 1.16577f);
  const float p3 = at_100_candela(6.4635f, 7.45665f);
  const auto high_fall = static_cast<float>(1.0 + std::pow(static_cast<double>(p0 * frequency), static_cast<double>(p1)));
  const auto low_fall =
      static_cast<float>(1.0 / std::pow(1.0 - std::exp(-std::pow(static_cast<double>(frequency / 7.0f), 2.0)), static_cast<double>(p2)));
  return static_cast<float>(static_cast<double>(p3) / std::pow(static_cast<double>(high_fall * low_fall), 0.5));
}

// The modulation transfer function of the eye's optics: a sum of four exponentials.
float optical_transfer(float frequency) {
  constexpr std::array<float, 4> kShare{0.424838596301290f, 0.572435103936480f, 0.000167576239164937f, 0.00255872352306433f};
  constexpr std::array<float, 4> kDecay{0.028f, 0.37f, 37.0f, 360.0f};
  float sum = 0.0f;
  for (size_t i = 0; i < kShare.size(); ++i) {
    sum = static_cast<float>(static_cast<double>(sum) +
                             static_cast<double>(kShare[i]) * std::exp(static_cast<double>(-kDecay[i] * frequency)));
  }
  return sum;
}

// Sensitivity of rods and cones together at 100 cd/m2.
float receptor_sensitivity() {
  return static_cast<float>(
      static_cast<double>(30.162f) *
      std::pow(std::pow(static_cast<double>(4.0627f / 100.0f), static_cast<double>(1.6596f)) + 1.0, static_cast<double>(-0.2712f)));
}

BandWeights barten_weights(const CsfSettings& settings, float pixels_per_degree, int scale) {
  const auto frequency = static_cast<float>(pixels_per_degree / band_divisor(scale));
  const auto sensitivity = static_cast<double>((neural_sensitivity(frequency) * optical_transfer(frequency)) * receptor_sensitivity());
  return {static_cast<float>(sensitivity * settings.scale), static_cast<float>(sensitivity * settings.diagonal_scale)};
}

BandWeights model_weights(const CsfSettings& settings, int scale) {
  const auto pixels_per_degree = static_cast<float>(((settings.view_distance * settings.display_height) * std::numbers::pi) / 180.0);
  if (settings.mode == 1) return barten_weights(settings, pixels_per_degree, scale);
  if (settings.mode == 2) return dlm_weights(pixels_per_degree, scale);
  return watson_weights(pixels_per_degree, scale);
}

}  // namespace

std::array<BandWeights, kScales> csf_weights(const CsfSettings& settings) {
  std::array<BandWeights, kScales> weights{};
  for (size_t s = 0; s < weights.size(); ++s) {
    weights[s] = model_weights(settings, static_cast<int>(s));
    if (settings.f1[s] >= 0.0) weights[s].hv = static_cast<float>(settings.f1[s]);
    if (settings.f2[s] >= 0.0) weights[s].d = static_cast<float>(settings.f2[s]);
  }
  return weights;
}

}  // namespace vmafbatch::extractors::float_adm
