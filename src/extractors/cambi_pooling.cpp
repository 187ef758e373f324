#include "extractors/cambi_pooling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/simd.h"

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

// A sum in double and its smallest summand that is not 0.
struct Sum {
  double total = 0.0;
  float smallest = 0.0F;

  // Every summand is a multiple of the last bit of the smallest, and a double holds 2^53 of them exactly: below that no addition was
  // rounded, so any other order gives the same. A sum that was rounded cannot have fallen below it again.
  bool exact() const { return total == 0.0 || total < std::ldexp(1.0, std::ilogb(smallest) - 23 + 53); }
};

// The bits of a float that is not negative order as it does; the leading ones, of the exponent and a few of the fraction, choose a bin.
constexpr int kBinShift = 18;
constexpr size_t kBins = size_t{1} << (31 - kBinShift);
size_t bin_of(float value) { return std::bit_cast<std::uint32_t>(value) >> kBinShift; }

// The sum of the `count` largest in any order. REQUIRES: more than `count` of the values are not 0
Sum sum_of_largest_in_any_order(std::span<const float> values, size_t count) {
  std::vector<std::uint32_t> bins(kBins);
  for (const float value : values) ++bins[bin_of(value)];
  size_t bin = kBins;
  size_t above = 0;  // values in the bins above
  while (true) {
    --bin;
    if (above + bins[bin] >= count) break;
    above += bins[bin];
  }
  Sum sum;
  std::vector<float> border;  // the values of the bin that is taken in part
  border.reserve(bins[bin]);
  for (const float value : values) {
    const size_t own = bin_of(value);
    if (own > bin) sum.total += static_cast<double>(value);
    if (own == bin) border.push_back(value);
  }
  const auto last = border.begin() + static_cast<std::ptrdiff_t>(count - above - 1);
  std::ranges::nth_element(border, last, std::greater());
  for (auto value = border.begin(); value <= last; ++value) sum.total += static_cast<double>(*value);
  sum.smallest = *last;
  return sum;
}

// The same where at most `count` of the values are not 0, else nothing. Four sums side by side, none waits for another.
std::optional<Sum> sum_of_few(std::span<const float> values, size_t count) {
  constexpr size_t kSums = 4;
  std::array<double, kSums> totals{};
  std::array<float, kSums> smallest;
  smallest.fill(std::numeric_limits<float>::infinity());
  std::array<size_t, kSums> used{};
  const auto take = [&](size_t sum, float value) {
    totals[sum] += static_cast<double>(value);
    smallest[sum] = std::min(smallest[sum], value == 0.0F ? std::numeric_limits<float>::infinity() : value);
    used[sum] += value == 0.0F ? 0 : 1;
  };
  size_t i = 0;
  for (; i + kSums <= values.size(); i += kSums) {
    for (size_t sum = 0; sum < kSums; ++sum) take(sum, values[i + sum]);
  }
  for (; i < values.size(); ++i) take(0, values[i]);
  if (used[0] + used[1] + used[2] + used[3] > count) return std::nullopt;
  return Sum{(totals[0] + totals[1]) + (totals[2] + totals[3]), *std::ranges::min_element(smallest)};
}

}  // namespace

double slow_cambi_sum_of_largest(std::span<float> values, size_t count) {
  if (count < values.size()) select_largest(values, count);
  double sum = 0.0;
  for (const float value : values.first(count)) sum += static_cast<double>(value);
  return sum;
}

double fast_cambi_sum_of_largest(std::span<float> values, size_t count) {
  std::optional<Sum> sum = sum_of_few(values, count);
  if (!sum) sum = sum_of_largest_in_any_order(values, count);
  return sum->exact() ? sum->total : slow_cambi_sum_of_largest(values, count);
}

double cambi_sum_of_largest(std::span<float> values, size_t count) {
  if (simd_mode() == SimdMode::kScalar) return slow_cambi_sum_of_largest(values, count);
  return fast_cambi_sum_of_largest(values, count);
}

}  // namespace vmafbatch::extractors
