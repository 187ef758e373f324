#include "extractors/ssim_sums.h"

#include <algorithm>
#include <vector>

#include "base/simd.h"
#include "extractors/ssim_math.h"
#include "extractors/ssim_simd.h"

namespace vmafbatch::extractors {
namespace {

// The moments of the columns around row y.
template <class Sample>
void sum_columns(io::Plane<const Sample> reference, io::Plane<const Sample> distorted, int y, std::vector<Ssim9Moments>& out) {
  std::ranges::fill(out, Ssim9Moments{});
  for (int k = 0; k < kSsim9Taps; ++k) {
    const int row = y + k - kSsim9Radius;
    if (row < 0 || row >= reference.height) continue;
    for (size_t x = 0; x < out.size(); ++x)
      add_weighted(out[x], ssim9_weight(k), ssim9_products(reference.row(row)[x], distorted.row(row)[x]));
  }
}

Ssim9Moments sum_row(const std::vector<Ssim9Moments>& columns, int x) {
  const int width = static_cast<int>(columns.size());
  Ssim9Moments sum;
  for (int k = std::max(0, kSsim9Radius - x); k < std::min(kSsim9Taps, width + kSsim9Radius - x); ++k) {
    add_weighted(sum, ssim9_weight(k), columns[static_cast<size_t>(x + k - kSsim9Radius)]);
  }
  return sum;
}

template <class Sample>
double sum_plane(io::Plane<const Sample> reference, io::Plane<const Sample> distorted, const Ssim9Constants& constants) {
  std::vector<Ssim9Moments> columns(static_cast<size_t>(reference.width));
  double sum = 0.0;
  for (int y = 0; y < reference.height; ++y) {
    sum_columns(reference, distorted, y, columns);
    const double inside = ssim9_weight_inside(y, reference.height);
    for (int x = 0; x < reference.width; ++x) {
      sum += ssim9_term(sum_row(columns, x), inside * ssim9_weight_inside(x, reference.width), constants);
    }
  }
  return sum;
}

double weight_of_side(int side) {
  double sum = 0.0;
  for (int i = 0; i < side; ++i) sum += ssim9_weight_inside(i, side);
  return sum;
}

}  // namespace

double slow_ssim9_sum(const io::Frame& reference, const io::Frame& distorted) {
  const Ssim9Constants constants = ssim9_constants(reference.format().bit_depth);
  return io::with_sample_type(reference.format(), [&](auto sample) {
    return sum_plane(reference.plane<decltype(sample)>(0), distorted.plane<decltype(sample)>(0), constants);
  });
}

double ssim9_sum(const io::Frame& reference, const io::Frame& distorted) {
  const auto sum = simd_mode() == SimdMode::kScalar ? slow_ssim9_sum : fast_ssim9_sum;
  return sum(reference, distorted);
}

double ssim9_total_weight(int width, int height) { return weight_of_side(width) * weight_of_side(height); }

size_t ssim9_scratch_bytes(int width) { return fast_ssim9_scratch_bytes(width); }  // the plain twin takes less

}  // namespace vmafbatch::extractors
