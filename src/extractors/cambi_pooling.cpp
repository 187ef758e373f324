#include "extractors/cambi_pooling.h"

#include <utility>

namespace vmafbatch::extractors {
namespace {

// Moves the k+1 largest values to the front. The reference's moves, one by one: they decide the order of the sum.
void select_largest(std::span<float> values, size_t k) {
  auto low = std::ptrdiff_t{0};
  auto high = static_cast<std::ptrdiff_t>(values.size()) - 1;
  const auto target = static_cast<std::ptrdiff_t>(k);
  float* const c = values.data();
  while (low < high) {
    const float pivot = c[target];
    std::ptrdiff_t i = low;
    std::ptrdiff_t j = high;
    do {
      while (c[i] > pivot) ++i;
      while (c[j] < pivot) --j;
      if (i <= j) std::swap(c[i++], c[j--]);
    } while (i <= j);
    if (j < target) low = i;
    if (target < i) high = j;
  }
}

}  // namespace

double slow_cambi_sum_of_largest(std::span<float> values, size_t count) {
  if (count < values.size()) select_largest(values, count);
  double sum = 0.0;
  for (const float value : values.first(count)) sum += static_cast<double>(value);
  return sum;
}

double cambi_sum_of_largest(std::span<float> values, size_t count) { return slow_cambi_sum_of_largest(values, count); }

}  // namespace vmafbatch::extractors
