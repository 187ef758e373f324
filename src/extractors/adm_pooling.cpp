#include "extractors/adm_pooling.h"

#include <cmath>

namespace vmafbatch::extractors::adm {
namespace {

float cube_root(float x) { return powf(x, 1.0f / 3.0f); }

// The noise floor of each band: the cube root of `weight` per pooled sample.
float noise_floor(const ScaleGeometry& g, double weight) {
  return cube_root(static_cast<float>(static_cast<double>(g.inner.width() * g.inner.height()) * weight));
}

float sum_of_bands(const std::array<float, kBands>& band) { return (band[0] + band[1]) + band[2]; }

// Binary digits of the fraction in a numerator's total, before the rounding shifts took some.
int numerator_bits(int scale, size_t band) {
  constexpr std::array kCoarser = {45, 39, 36};  // scales 1..3
  if (scale == 0) return band == 2 ? 57 : 52;
  return kCoarser[static_cast<size_t>(scale) - 1];
}

float numerator(const std::array<std::int64_t, kBands>& totals, const ScaleGeometry& g, float noise) {
  std::array<float, kBands> band;
  for (size_t b = 0; b < kBands; ++b) {
    const int bits = numerator_bits(g.scale, b) - g.term_shift[b] - g.row_shift;
    // Scale 0 goes through double to float, the others go to float at once and stay exact afterwards.
    const float value = g.scale == 0 ? static_cast<float>(std::ldexp(static_cast<double>(totals[b]), -bits))
                                     : std::ldexp(static_cast<float>(totals[b]), -bits);
    band[b] = cube_root(value) + noise;
  }
  return sum_of_bands(band);
}

float denominator(const std::array<std::uint64_t, kBands>& totals, const ScaleGeometry& g, const std::array<float, kBands>& weights,
                  float noise) {
  constexpr std::array kBits = {18, 32, 27, 23};  // binary digits of the fraction, per scale
  const int bits = kBits[static_cast<size_t>(g.scale)] - g.reference_term_shift - g.reference_row_shift;
  std::array<float, kBands> band;
  for (size_t b = 0; b < kBands; ++b) {
    const double unweighted = std::ldexp(static_cast<double>(totals[b]), -bits);
    const double weighted = unweighted * std::pow(static_cast<double>(weights[b]), 3.0);
    band[b] = cube_root(static_cast<float>(weighted)) + noise;
  }
  return sum_of_bands(band);
}

}  // namespace

Scores pool(const Totals& totals, const Geometry& geometry, int width, int height, const FloatWeights& weights,
            const PoolingOptions& options) {
  constexpr float kSkippedDenominator = 1e-10f;  // libvmaf's, for a scale that is left out
  Scores scores;
  double additive = 0.0;
  for (size_t s = 0; s < kScales; ++s) {
    const ScaleGeometry& g = geometry[s];
    float additive_of_scale = 0.0f;
    if (s == 0 && options.skip_scale0) {
      scores.scale_denominator[s] = kSkippedDenominator;
    } else {
      const float noise = noise_floor(g, options.noise_weight);
      scores.scale_numerator[s] = numerator(totals[s].contrast.detail, g, noise);
      scores.scale_denominator[s] = denominator(totals[s].reference, g, weights[s], noise);
      if (!options.skip_aim) additive_of_scale = numerator(totals[s].contrast.additive, g, 0.0f);
    }
    scores.numerator += static_cast<double>(scores.scale_numerator[s]);
    scores.denominator += static_cast<double>(scores.scale_denominator[s]);
    additive += static_cast<double>(additive_of_scale);
    scores.scale_ratio[s] = static_cast<double>(scores.scale_numerator[s]) / static_cast<double>(scores.scale_denominator[s]);
  }

  const double limit = 1e-10 * (static_cast<double>(width) * static_cast<double>(height)) / (1920.0 * 1080.0);
  if (scores.numerator < limit) scores.numerator = 0.0;
  if (scores.denominator < limit) scores.denominator = 0.0;
  scores.adm2 = scores.denominator == 0.0 ? 1.0 : scores.numerator / scores.denominator;
  scores.aim = scores.denominator == 0.0 ? 0.0 : additive / scores.denominator;
  const double blend = scores.adm2 * options.dlm_weight + (1.0 - scores.aim) * (1.0 - options.dlm_weight);
  scores.adm3 = blend > options.smallest_adm3 ? blend : options.smallest_adm3;
  return scores;
}

}  // namespace vmafbatch::extractors::adm
