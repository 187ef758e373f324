#include "extractors/moment_sums.h"

#include <vector>

#include "base/simd.h"
#include "extractors/moment_math.h"
#include "extractors/row_sums.h"
#include "extractors/squared_error.h"

namespace vmafbatch::extractors {
namespace {

// The running sum of a plane's terms. While the exact sum stays within kExactSumLimit the order of additions does not matter and a
// row may be added as one whole number; from the row on that would pass the limit, terms are added one by one.
// row_sum(y): the exact sum of row y. add_terms(y, sum): adds the row's terms to the double `sum` from left to right.
template <class RowSum, class AddTerms>
std::uint64_t running_sum(int rows, RowSum&& row_sum, AddTerms&& add_terms) {
  std::uint64_t exact = 0;
  int y = 0;
  for (; y < rows; ++y) {
    const std::uint64_t next = exact + row_sum(y);
    if (next > kExactSumLimit) break;
    exact = next;
  }
  double sum = static_cast<double>(exact);
  for (; y < rows; ++y) add_terms(y, sum);
  return static_cast<std::uint64_t>(sum);
}

RowMoments moments_of(const std::uint8_t* row, size_t n, int) { return row_moments(row, n); }
RowMoments moments_of(const std::uint16_t* row, size_t n, int depth) { return row_moments(row, n, depth); }

}  // namespace

MomentSums slow_moment_sums(const io::Frame& frame) {
  return io::with_sample_type(frame.format(), [&](auto type) {
    const io::Plane<const decltype(type)> luma = frame.plane<decltype(type)>(0);
    MomentSums sums;
    double squares = 0.0;
    for (int y = 0; y < luma.height; ++y) {
      for (int x = 0; x < luma.width; ++x) {
        sums.samples += luma.row(y)[x];
        squares += static_cast<double>(rounded_square(luma.row(y)[x]));
      }
    }
    sums.squares = static_cast<std::uint64_t>(squares);
    return sums;
  });
}

std::uint64_t slow_running_squared_error(const io::Frame& reference, const io::Frame& distorted) {
  return io::with_sample_type(reference.format(), [&](auto type) {
    const io::Plane<const decltype(type)> a = reference.plane<decltype(type)>(0);
    const io::Plane<const decltype(type)> b = distorted.plane<decltype(type)>(0);
    double sum = 0.0;
    for (int y = 0; y < a.height; ++y) {
      for (int x = 0; x < a.width; ++x) sum += static_cast<double>(rounded_square(absolute_difference(a.row(y)[x], b.row(y)[x])));
    }
    return static_cast<std::uint64_t>(sum);
  });
}

MomentSums moment_sums(const io::Frame& frame) {
  if (simd_mode() == SimdMode::kScalar) return slow_moment_sums(frame);
  return io::with_sample_type(frame.format(), [&](auto type) {
    const io::Plane<const decltype(type)> luma = frame.plane<decltype(type)>(0);
    const int depth = frame.format().bit_depth;
    std::vector<std::uint64_t> squares;
    MomentSums sums;
    for (int y = 0; y < luma.height; ++y) {
      const RowMoments row = moments_of(luma.row(y), static_cast<size_t>(luma.width), depth);
      sums.samples += row.samples;
      squares.push_back(row.squares);
    }
    const auto add_terms = [&](int y, double& sum) {
      for (int x = 0; x < luma.width; ++x) sum += static_cast<double>(rounded_square(luma.row(y)[x]));
    };
    sums.squares = running_sum(
        luma.height, [&](int y) { return squares[static_cast<size_t>(y)]; }, add_terms);
    return sums;
  });
}

std::uint64_t running_squared_error(const io::FramePair& pair) {
  if (simd_mode() == SimdMode::kScalar) return slow_running_squared_error(pair.reference(), pair.distorted());
  // Up to 12 bits no square rounds and no sum reaches the limit: the luma's exact sum of squared errors, which psnr needs too.
  if (pair.reference().format().bit_depth < 16) return shared_sum_of_squared_errors(pair, 0);
  const io::Plane<const std::uint16_t> a = pair.reference().plane<std::uint16_t>(0);
  const io::Plane<const std::uint16_t> b = pair.distorted().plane<std::uint16_t>(0);
  const auto row_sum = [&](int y) { return row_rounded_squared_error(a.row(y), b.row(y), static_cast<size_t>(a.width)); };
  const auto add_terms = [&](int y, double& sum) {
    for (int x = 0; x < a.width; ++x) sum += static_cast<double>(rounded_square(absolute_difference(a.row(y)[x], b.row(y)[x])));
  };
  return running_sum(a.height, row_sum, add_terms);
}

}  // namespace vmafbatch::extractors
