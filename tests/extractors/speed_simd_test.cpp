// The fast paths of the SpEED features against their plain twins, over random pictures, planes and matrices, bit by bit.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>

#include "extractors/gaussian_window.h"
#include "extractors/speed_low_pass_simd.h"
#include "extractors/speed_matrix_simd.h"
#include "support/random_frames.h"
#include "support/vector_targets.h"

namespace vmafbatch::testing {
namespace {

using extractors::FloatPlane;
using extractors::kSpeedEntries;
using extractors::SpeedMatrix;

int from_to(std::mt19937& random, int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); }

// Neighbours that depend on each other (smooth > 0) give a covariance with large and small eigenvalues.
FloatPlane random_plane(std::mt19937& random, int width, int height, float smooth) {
  FloatPlane plane(width, height);
  std::uniform_real_distribution<float> sample(-20.0f, 20.0f);
  for (int y = 0; y < height; ++y) {
    float* row = plane.view().row(y);
    for (int x = 0; x < width; ++x) row[x] = sample(random) + (x > 0 ? smooth * row[x - 1] : 0.0f);
  }
  return plane;
}

::testing::AssertionResult same_planes(const FloatPlane& a, const FloatPlane& b) {
  if (a.width() != b.width() || a.height() != b.height()) return ::testing::AssertionFailure() << "sizes differ";
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      if (std::memcmp(&a.view().row(y)[x], &b.view().row(y)[x], sizeof(float)) != 0) {
        return ::testing::AssertionFailure() << "at " << x << "," << y << ": " << a.view().row(y)[x] << " and " << b.view().row(y)[x];
      }
    }
  }
  return ::testing::AssertionSuccess();
}

bool same_matrices(const SpeedMatrix& a, const SpeedMatrix& b) {
  for (int i = 0; i < kSpeedEntries; ++i) {
    if (std::memcmp(a[i], b[i], kSpeedEntries * sizeof(float)) != 0) return false;
  }
  return true;
}

// Covariances of random planes, from too few samples (singular) to many.
std::vector<SpeedMatrix> random_covariances(std::mt19937& random) {
  std::vector<SpeedMatrix> matrices;
  for (const float smooth : {0.0f, 0.6f, 0.99f}) {
    for (const int side : {1, 5, 6, 21, 60}) {
      const int columns = side + from_to(random, 0, 3);
      const FloatPlane plane = random_plane(random, columns + 4, side + 4, smooth);
      matrices.push_back(extractors::slow_speed_covariance(plane.view(), columns, side));
    }
  }
  matrices.emplace_back();  // zero
  return matrices;
}

void check_covariance() {
  std::mt19937 random(20250101);
  for (int run = 0; run < 40; ++run) {
    const int columns = from_to(random, 1, 90);
    const int rows = from_to(random, 1, 40);
    const FloatPlane plane = random_plane(random, columns + 4 + from_to(random, 0, 4), rows + 4, run % 2 == 0 ? 0.0f : 0.9f);
    EXPECT_TRUE(same_matrices(extractors::fast_speed_covariance(plane.view(), columns, rows),
                              extractors::slow_speed_covariance(plane.view(), columns, rows)))
        << columns << "x" << rows;
  }
}

void check_eigenvalues() {
  std::mt19937 random(20250102);
  for (const SpeedMatrix& matrix : random_covariances(random)) {
    const auto fast = extractors::fast_speed_eigenvalues(matrix);
    const auto plain = extractors::slow_speed_eigenvalues(matrix);
    EXPECT_EQ(std::memcmp(fast.data(), plain.data(), sizeof fast), 0);
  }
}

void check_solve() {
  std::mt19937 random(20250103);
  int solved = 0;
  int refused = 0;
  for (const SpeedMatrix& matrix : random_covariances(random)) {
    const FloatPlane blocks = random_plane(random, from_to(random, 1, 70), kSpeedEntries, 0.0f);
    const auto fast = extractors::fast_speed_solve(matrix, blocks.view());
    const auto plain = extractors::slow_speed_solve(matrix, blocks.view());
    ASSERT_EQ(fast.has_value(), plain.has_value());
    ++(fast ? solved : refused);
    if (!fast) continue;
    EXPECT_TRUE(same_planes(*fast, *plain));
  }
  EXPECT_GT(solved, 0);
  EXPECT_GT(refused, 0);
}

void check_low_pass() {
  std::mt19937 random(20250104);
  for (const int depth : {8, 10, 12, 16}) {
    for (const double prescale : {1.0, 0.7, 1.3}) {
      for (const extractors::ResizeMethod method : {extractors::ResizeMethod::kNearest, extractors::ResizeMethod::kBilinear,
                                                    extractors::ResizeMethod::kBicubic, extractors::ResizeMethod::kLanczos4}) {
        const int width = from_to(random, 115, 150);
        const int height = from_to(random, 115, 150);
        const io::PictureFormat format{width, height, io::Chroma::k444, depth};
        const auto a = random_frame(format, static_cast<std::uint32_t>(random()), RandomKind::kUniform);
        const auto b = random_frame(format, static_cast<std::uint32_t>(random()), RandomKind::kUniform);
        const int taps = 2 * from_to(random, 1, 17) + 1;
        const extractors::SpeedShape shape{.width = extractors::resized_side(width, prescale),
                                           .height = extractors::resized_side(height, prescale),
                                           .method = method,
                                           .low_pass = extractors::gaussian_window(taps, static_cast<float>(taps) / 2.5f),
                                           .local_mean = {}};
        for (const io::Frame* subtracted : {static_cast<const io::Frame*>(nullptr), b.get()}) {
          const extractors::SpeedSource source{*a, 1, subtracted};
          EXPECT_TRUE(same_planes(extractors::fast_speed_low_pass(source, shape), extractors::slow_speed_low_pass(source, shape)))
              << format.text() << " to " << shape.width << "x" << shape.height << ", " << taps << " taps";
        }
      }
    }
  }
}

TEST(SpeedSimd, CovarianceEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_covariance); }
TEST(SpeedSimd, EigenvaluesEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_eigenvalues); }
TEST(SpeedSimd, SolutionsEqualThePlainTwinOnEveryTarget) { on_every_vector_target(check_solve); }
TEST(SpeedSimd, LowPassEqualsThePlainTwinOnEveryTarget) { on_every_vector_target(check_low_pass); }

}  // namespace
}  // namespace vmafbatch::testing
