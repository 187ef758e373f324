#include "extractors/speed_score.h"

#include <cmath>
#include <utility>
#include <vector>

namespace vmafbatch::extractors {
namespace {

// log2(2 pi e): twice the entropy of a Gaussian of variance 1, in bits.
constexpr double kGaussianEntropy = 0x1.06073a671183dp+2;

double entropy_of(float variance) { return std::log2(static_cast<double>(variance)) + kGaussianEntropy; }

// The entropy of each block: one term for each eigenvalue, in their order.
std::vector<float> entropies_of(const SpeedStatistics& side, float noise) {
  std::vector<float> entropies(side.variances.size());
  for (size_t j = 0; j < entropies.size(); ++j) {
    float sum = 0.0f;
    for (const float eigenvalue : side.eigenvalues) {
      const float strength = eigenvalue < 0.0f ? 0.0f : eigenvalue;
      sum = static_cast<float>(static_cast<double>(sum) + entropy_of(strength * side.variances[j] + noise));
    }
    entropies[j] = sum;
  }
  return entropies;
}

double weight_of(float variance) { return std::log2(static_cast<double>(1.0f + variance)); }

// The logarithm for a mixture of both variances, `share` of it the reference's.
double mixed_weight(float reference, float distorted, double share) {
  return std::log2(1.0 + (share * static_cast<double>(reference) + (1.0 - share) * static_cast<double>(distorted)));
}

double mean_weight(float reference, float distorted) { return std::log2(1.0 + static_cast<double>(reference + distorted) / 2.0); }

// The weights of the two entropies of a block: (reference, distorted).
std::pair<double, double> weights_of(int mode, float reference, float distorted) {
  switch (mode) {
    case 1: return {weight_of(reference), weight_of(reference)};
    case 2: return {weight_of(distorted), weight_of(distorted)};
    case 3: return {mean_weight(reference, distorted), mean_weight(reference, distorted)};
    case 4: return {weight_of(reference), mean_weight(reference, distorted)};
    case 5: return {weight_of(reference), mixed_weight(reference, distorted, 0.75)};
    case 6: return {weight_of(reference), mixed_weight(reference, distorted, 0.25)};
    default: return {weight_of(reference), weight_of(distorted)};
  }
}

}  // namespace

SpeedChannel speed_channel(const Options& options, int weight_mode) {
  const auto noise = static_cast<float>(options.real("speed_sigma_nn"));
  const auto share = static_cast<float>(options.real("speed_nn_floor"));
  return {.noise = noise,
          .floor = static_cast<float>(static_cast<double>(kSpeedEntries) * entropy_of((1.0f + share) * noise)),
          .weight_mode = weight_mode};
}

SpeedScore speed_score(const SpeedStatistics& reference, const SpeedStatistics& distorted, const SpeedChannel& channel) {
  if (reference.singular != distorted.singular) return {0.0f, true};
  const std::vector<float> reference_entropies = entropies_of(reference, channel.noise);
  const std::vector<float> distorted_entropies = entropies_of(distorted, channel.noise);
  float sum = 0.0f;
  for (size_t j = 0; j < reference_entropies.size(); ++j) {
    const float r = reference_entropies[j];
    const float d = distorted_entropies[j];
    if (r < channel.floor && d < channel.floor) continue;
    const auto [a, b] = weights_of(channel.weight_mode, reference.variances[j], distorted.variances[j]);
    const float weighted = static_cast<float>(static_cast<double>(r) * a);
    sum = sum + std::fabs(weighted - static_cast<float>(static_cast<double>(d) * b));
  }
  return {sum / static_cast<float>(reference_entropies.size()), reference.singular};
}

size_t speed_slots(const SpeedShape& shape) { return 1 + static_cast<size_t>(kSpeedEntries) + static_cast<size_t>(shape.blocks()); }

void write_speed_statistics(const SpeedStatistics& statistics, size_t first_slot, Measurements& out) {
  size_t slot = first_slot;
  out.set_integer(slot++, statistics.singular ? 1 : 0);
  for (const float eigenvalue : statistics.eigenvalues) out.set_real(slot++, static_cast<double>(eigenvalue));
  for (const float variance : statistics.variances) out.set_real(slot++, static_cast<double>(variance));
}

SpeedStatistics read_speed_statistics(const Measurements& measured, size_t first_slot, const SpeedShape& shape) {
  SpeedStatistics statistics{.variances = std::vector<float>(static_cast<size_t>(shape.blocks()))};
  size_t slot = first_slot;
  statistics.singular = measured.integer(slot++) != 0;
  for (float& eigenvalue : statistics.eigenvalues) eigenvalue = static_cast<float>(measured.real(slot++));
  for (float& variance : statistics.variances) variance = static_cast<float>(measured.real(slot++));
  return statistics;
}

}  // namespace vmafbatch::extractors
