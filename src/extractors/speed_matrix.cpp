#include "extractors/speed_matrix.h"

#include <cmath>

#include "base/simd.h"
#include "extractors/speed_matrix_simd.h"

namespace vmafbatch::extractors {
namespace {

constexpr int kN = kSpeedEntries;

// The root of the sum of squares of v[first .. 24].
float length_of(const std::array<float, kN>& v, int first) {
  float sum = 0.0f;
  for (int i = first; i < kN; ++i) sum = sum + v[static_cast<size_t>(i)] * v[static_cast<size_t>(i)];
  return std::sqrt(sum);
}

// A - (x v' + v x') on rows and columns first .. 24, where x comes from A v: both sides of a reflection at once.
void reflect_both_sides(SpeedMatrix& a, const std::array<float, kN>& v, float factor, int first) {
  std::array<float, kN> x{};
  float product = 0.0f;
  for (int i = first; i < kN; ++i) {
    float sum = 0.0f;
    for (int j = first; j < kN; ++j) sum = sum + (factor * a[i][j]) * v[static_cast<size_t>(j)];
    x[static_cast<size_t>(i)] = sum;
    product = product + sum * v[static_cast<size_t>(i)];
  }
  const float part = (-0.5f * factor) * product;
  for (int i = first; i < kN; ++i) x[static_cast<size_t>(i)] = x[static_cast<size_t>(i)] + part * v[static_cast<size_t>(i)];
  for (int i = first; i < kN; ++i) {
    const float vi = v[static_cast<size_t>(i)];
    const float xi = x[static_cast<size_t>(i)];
    for (int j = first; j < kN; ++j) a[i][j] = a[i][j] - (xi * v[static_cast<size_t>(j)] + vi * x[static_cast<size_t>(j)]);
  }
}

// Makes column i of a symmetric matrix zero below the entry beside the diagonal.
void tridiagonalise_column(SpeedMatrix& a, int i) {
  const int first = i + 1;
  std::array<float, kN> v{};
  for (int j = first; j < kN; ++j) v[static_cast<size_t>(j)] = a[j][i];
  const SpeedReflection reflection = speed_reflection(a[first][i], length_of(v, first + 1));
  a[first][i] = reflection.head;
  if (reflection.factor == 0.0f) return;
  for (int j = first + 1; j < kN; ++j) v[static_cast<size_t>(j)] = v[static_cast<size_t>(j)] / reflection.divisor;
  v[static_cast<size_t>(first)] = 1.0f;
  reflect_both_sides(a, v, reflection.factor, first);
}

// Rows first .. 24 of P * matrix, with the sums over first .. 24: P is the identity elsewhere.
void multiply_from(const SpeedMatrix& p, int first, int first_column, SpeedMatrix& matrix) {
  const SpeedMatrix given = matrix;
  for (int i = first; i < kN; ++i) {
    for (int j = first_column; j < kN; ++j) {
      float sum = 0.0f;
      for (int l = first; l < kN; ++l) sum = sum + p[i][l] * given[l][j];
      matrix[i][j] = sum;
    }
  }
}

// The product of the 24 reflections that make a matrix upper triangular.
SpeedMatrix reflections_of(const SpeedMatrix& matrix) {
  SpeedMatrix z = matrix;
  SpeedMatrix q;
  for (int i = 0; i < kN; ++i) q[i][i] = 1.0f;
  for (int k = 0; k + 1 < kN; ++k) {
    std::array<float, kN> v{};
    for (int i = k; i < kN; ++i) v[static_cast<size_t>(i)] = z[i][k];
    v[static_cast<size_t>(k)] = v[static_cast<size_t>(k)] + length_of(v, k);
    const float length = length_of(v, k);
    for (int i = k; i < kN; ++i) v[static_cast<size_t>(i)] = v[static_cast<size_t>(i)] / length;
    SpeedMatrix p;
    for (int i = k; i < kN; ++i) {
      for (int j = k; j < kN; ++j) p[i][j] = (-2.0f * v[static_cast<size_t>(i)]) * v[static_cast<size_t>(j)];
      p[i][i] = p[i][i] + 1.0f;
    }
    multiply_from(p, k, k, z);
    multiply_from(p, k, 0, q);
  }
  return q;
}

// left * right, for a right side of any width.
FloatPlane product(const SpeedMatrix& left, io::Plane<const float> right) {
  FloatPlane result(right.width, kN);
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < right.width; ++j) {
      float sum = 0.0f;
      for (int l = 0; l < kN; ++l) sum = sum + left[i][l] * right.row(l)[j];
      result.view().row(i)[j] = sum;
    }
  }
  return result;
}

// The mean of each window.
std::array<float, kSpeedEntries> means_of(io::Plane<const float> plane, int columns, int rows) {
  std::array<float, kSpeedEntries> means{};
  const auto count = static_cast<float>(columns * rows);
  for (int p = 0; p < kSpeedEntries; ++p) {
    float sum = 0.0f;
    for (int y = 0; y < rows; ++y) {
      const float* row = plane.row(p / kSpeedBlock + y) + p % kSpeedBlock;
      for (int x = 0; x < columns; ++x) sum = sum + row[x];
    }
    means[static_cast<size_t>(p)] = sum / count;
  }
  return means;
}

}  // namespace

SpeedMatrix slow_speed_covariance(io::Plane<const float> plane, int columns, int rows) {
  const std::array<float, kSpeedEntries> means = means_of(plane, columns, rows);
  const auto count = static_cast<double>(columns * rows);
  SpeedMatrix covariance;
  for (int p = 0; p < kSpeedEntries; ++p) {
    for (int q = 0; q <= p; ++q) {
      double sum = 0.0;
      for (int y = 0; y < rows; ++y) {
        const float* a = plane.row(p / kSpeedBlock + y) + p % kSpeedBlock;
        const float* b = plane.row(q / kSpeedBlock + y) + q % kSpeedBlock;
        for (int x = 0; x < columns; ++x) {
          sum = sum + speed_covariance_term(a[x], means[static_cast<size_t>(p)], b[x], means[static_cast<size_t>(q)]);
        }
      }
      covariance[p][q] = static_cast<float>(sum / count);
      covariance[q][p] = covariance[p][q];
    }
  }
  return covariance;
}

SpeedEigenvalues slow_speed_eigenvalues(const SpeedMatrix& matrix) {
  SpeedMatrix a = matrix;
  for (int i = 0; i + 2 < kN; ++i) tridiagonalise_column(a, i);
  SpeedEigenvalues diagonal{};
  std::array<float, kN - 1> beside{};
  for (int i = 0; i < kN; ++i) diagonal[static_cast<size_t>(i)] = a[i][i];
  for (int i = 0; i + 1 < kN; ++i) beside[static_cast<size_t>(i)] = a[i + 1][i];
  speed_tridiagonal_eigenvalues(diagonal.data(), beside.data(), kN);
  return diagonal;
}

std::optional<FloatPlane> slow_speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks) {
  const SpeedMatrix q = reflections_of(matrix);
  const FloatPlane upper = product(q, {matrix[0], SpeedMatrix::kPitch, kN, kN});
  FloatPlane solution = product(q, blocks);
  for (int i = kN - 1; i >= 0; --i) {
    const float* factors = upper.view().row(i);
    if (speed_is_zero_pivot(factors[i])) return std::nullopt;
    float* row = solution.view().row(i);
    for (int j = 0; j < blocks.width; ++j) {
      float rest = row[j];
      for (int l = i + 1; l < kN; ++l) rest = rest - solution.view().row(l)[j] * factors[l];
      row[j] = rest / factors[i];
    }
  }
  return solution;
}

SpeedMatrix speed_covariance(io::Plane<const float> plane, int columns, int rows) {
  return (simd_mode() == SimdMode::kScalar ? slow_speed_covariance : fast_speed_covariance)(plane, columns, rows);
}

SpeedEigenvalues speed_eigenvalues(const SpeedMatrix& matrix) {
  return (simd_mode() == SimdMode::kScalar ? slow_speed_eigenvalues : fast_speed_eigenvalues)(matrix);
}

std::optional<FloatPlane> speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks) {
  return (simd_mode() == SimdMode::kScalar ? slow_speed_solve : fast_speed_solve)(matrix, blocks);
}

}  // namespace vmafbatch::extractors
