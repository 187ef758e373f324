// The vector forms of speed_matrix.h: lanes are entries of the covariance, columns of a matrix, or blocks. Each lane adds in the plain
// twin's order.
#include "extractors/speed_matrix_simd.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/speed_matrix_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Doubles = hn::CappedTag<double, 8>;

constexpr int kN = kSpeedEntries;
constexpr int kPitch = SpeedMatrix::kPitch;
// Positions of the windows that are worked on at once: their entries fit into the first-level cache.
constexpr int kTile = 64;
// Rows of the covariance that one pass over a tile adds to.
constexpr int kGroup = 8;

int float_lanes() { return static_cast<int>(hn::Lanes(Floats())); }

// The 25 entries of up to kTile positions, one position a row; what stands behind them is zero.
struct EntryTile {
  alignas(64) float rows[kTile][kPitch] = {};
};

// Calls use(tile, count) with the entries of all positions in raster order.
template <class Use>
void for_tiles(io::Plane<const float> plane, int columns, int rows, const Use& use) {
  EntryTile tile;
  int count = 0;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      for (int r = 0; r < kSpeedBlock; ++r) {
        std::memcpy(tile.rows[count] + r * kSpeedBlock, plane.row(y + r) + x, kSpeedBlock * sizeof(float));
      }
      if (++count == kTile) {
        use(tile, count);
        count = 0;
      }
    }
  }
  if (count > 0) use(tile, count);
}

struct Means {
  alignas(64) float entries[kPitch] = {};
};

Means means_of(io::Plane<const float> plane, int columns, int rows) {
  const Floats d;
  Means sums;
  for_tiles(plane, columns, rows, [&](const EntryTile& tile, int count) {
    for (int lane = 0; lane < kPitch; lane += float_lanes()) {
      auto sum = hn::Load(d, sums.entries + lane);
      for (int i = 0; i < count; ++i) sum = hn::Add(sum, hn::Load(d, tile.rows[i] + lane));
      hn::Store(sum, d, sums.entries + lane);
    }
  });
  for (float& entry : sums.entries) entry = entry / static_cast<float>(columns * rows);
  return sums;
}

// The same positions as doubles, less the means.
struct CentredTile {
  alignas(64) double rows[kTile][kPitch];
};

void centre(const EntryTile& tile, const Means& means, int count, CentredTile& out) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  for (int lane = 0; lane < kPitch; lane += static_cast<int>(hn::Lanes(d))) {
    const auto mean = hn::PromoteTo(d, hn::Load(df, means.entries + lane));
    for (int i = 0; i < count; ++i) hn::Store(hn::Sub(hn::PromoteTo(d, hn::Load(df, tile.rows[i] + lane)), mean), d, out.rows[i] + lane);
  }
}

// sums[q][p] for the rows and columns below 32.
struct CovarianceSums {
  alignas(64) double rows[kPitch][kPitch] = {};
};

// Adds a tile to rows q .. q+7 of one vector of columns.
void add_to_group(const CentredTile& tile, int count, int q, int lane, CovarianceSums& sums) {
  const Doubles d;
  auto s0 = hn::Load(d, sums.rows[q] + lane);
  auto s1 = hn::Load(d, sums.rows[q + 1] + lane);
  auto s2 = hn::Load(d, sums.rows[q + 2] + lane);
  auto s3 = hn::Load(d, sums.rows[q + 3] + lane);
  auto s4 = hn::Load(d, sums.rows[q + 4] + lane);
  auto s5 = hn::Load(d, sums.rows[q + 5] + lane);
  auto s6 = hn::Load(d, sums.rows[q + 6] + lane);
  auto s7 = hn::Load(d, sums.rows[q + 7] + lane);
  for (int i = 0; i < count; ++i) {
    const double* entries = tile.rows[i] + q;
    const auto given = hn::Load(d, tile.rows[i] + lane);
    s0 = hn::Add(s0, hn::Mul(given, hn::Set(d, entries[0])));
    s1 = hn::Add(s1, hn::Mul(given, hn::Set(d, entries[1])));
    s2 = hn::Add(s2, hn::Mul(given, hn::Set(d, entries[2])));
    s3 = hn::Add(s3, hn::Mul(given, hn::Set(d, entries[3])));
    s4 = hn::Add(s4, hn::Mul(given, hn::Set(d, entries[4])));
    s5 = hn::Add(s5, hn::Mul(given, hn::Set(d, entries[5])));
    s6 = hn::Add(s6, hn::Mul(given, hn::Set(d, entries[6])));
    s7 = hn::Add(s7, hn::Mul(given, hn::Set(d, entries[7])));
  }
  hn::Store(s0, d, sums.rows[q] + lane);
  hn::Store(s1, d, sums.rows[q + 1] + lane);
  hn::Store(s2, d, sums.rows[q + 2] + lane);
  hn::Store(s3, d, sums.rows[q + 3] + lane);
  hn::Store(s4, d, sums.rows[q + 4] + lane);
  hn::Store(s5, d, sums.rows[q + 5] + lane);
  hn::Store(s6, d, sums.rows[q + 6] + lane);
  hn::Store(s7, d, sums.rows[q + 7] + lane);
}

void covariance(io::Plane<const float> plane, int columns, int rows, SpeedMatrix& out) {
  const int lanes = static_cast<int>(hn::Lanes(Doubles()));
  const Means means = means_of(plane, columns, rows);
  CovarianceSums sums;
  CentredTile centred;
  for_tiles(plane, columns, rows, [&](const EntryTile& tile, int count) {
    centre(tile, means, count, centred);
    for (int q = 0; q < kN; q += kGroup) {
      for (int lane = q / lanes * lanes; lane < kN; lane += lanes) add_to_group(centred, count, q, lane, sums);
    }
  });
  for (int p = 0; p < kN; ++p) {
    for (int q = 0; q <= p; ++q) {
      out[p][q] = static_cast<float>(sums.rows[q][p] / static_cast<double>(columns * rows));
      out[q][p] = out[p][q];
    }
  }
}

// v[first .. 24] of a column that stands alone.
struct Column {
  alignas(64) float entries[kPitch] = {};
};

float length_of(const Column& v, int first) {
  float sum = 0.0f;
  for (int i = first; i < kN; ++i) sum = sum + v.entries[i] * v.entries[i];
  return std::sqrt(sum);
}

// As the plain twin; what it leaves in columns before `first` is not read again. The matrix is symmetric, so lanes run along a row where
// the plain twin walks down a column.
void reflect_both_sides(SpeedMatrix& a, const Column& v, float factor, int first) {
  const Floats d;
  const auto factors = hn::Set(d, factor);
  const int start = first / float_lanes() * float_lanes();
  Column x;
  for (int lane = start; lane < kN; lane += float_lanes()) {
    auto sum = hn::Zero(d);
    for (int j = first; j < kN; ++j) sum = hn::Add(sum, hn::Mul(hn::Mul(factors, hn::Load(d, a[j] + lane)), hn::Set(d, v.entries[j])));
    hn::Store(sum, d, x.entries + lane);
  }
  float product = 0.0f;
  for (int i = first; i < kN; ++i) product = product + x.entries[i] * v.entries[i];
  const auto part = hn::Set(d, (-0.5f * factor) * product);
  for (int lane = start; lane < kN; lane += float_lanes()) {
    const auto sum = hn::Add(hn::Load(d, x.entries + lane), hn::Mul(part, hn::Load(d, v.entries + lane)));
    hn::Store(sum, d, x.entries + lane);
  }
  for (int i = first; i < kN; ++i) {
    const auto vi = hn::Set(d, v.entries[i]);
    const auto xi = hn::Set(d, x.entries[i]);
    for (int lane = start; lane < kN; lane += float_lanes()) {
      const auto change = hn::Add(hn::Mul(xi, hn::Load(d, v.entries + lane)), hn::Mul(vi, hn::Load(d, x.entries + lane)));
      hn::Store(hn::Sub(hn::Load(d, a[i] + lane), change), d, a[i] + lane);
    }
  }
}

void tridiagonal_form(SpeedMatrix& a, float* diagonal, float* beside) {
  for (int i = 0; i + 2 < kN; ++i) {
    const int first = i + 1;
    Column v;
    for (int j = first; j < kN; ++j) v.entries[j] = a[j][i];
    const SpeedReflection reflection = speed_reflection(a[first][i], length_of(v, first + 1));
    beside[i] = reflection.head;
    if (reflection.factor == 0.0f) continue;
    for (int j = first + 1; j < kN; ++j) v.entries[j] = v.entries[j] / reflection.divisor;
    v.entries[first] = 1.0f;
    reflect_both_sides(a, v, reflection.factor, first);
  }
  beside[kN - 2] = a[kN - 1][kN - 2];
  for (int i = 0; i < kN; ++i) diagonal[i] = a[i][i];
}

// out[i] = sum over l = first .. 24 of left[i][l] * right[l], for `Count` rows from i and one vector of columns.
template <int kCount>
void multiply_rows(const SpeedMatrix& left, int i, int first, const float* right, ptrdiff_t pitch, float* out, ptrdiff_t out_pitch) {
  const Floats d;
  static_assert(kCount == 1 || kCount == 5);
  auto s0 = hn::Zero(d);
  auto s1 = hn::Zero(d);
  auto s2 = hn::Zero(d);
  auto s3 = hn::Zero(d);
  auto s4 = hn::Zero(d);
  for (int l = first; l < kN; ++l) {
    const auto given = hn::LoadU(d, right + l * pitch);
    s0 = hn::Add(s0, hn::Mul(hn::Set(d, left[i][l]), given));
    if constexpr (kCount == 5) {
      s1 = hn::Add(s1, hn::Mul(hn::Set(d, left[i + 1][l]), given));
      s2 = hn::Add(s2, hn::Mul(hn::Set(d, left[i + 2][l]), given));
      s3 = hn::Add(s3, hn::Mul(hn::Set(d, left[i + 3][l]), given));
      s4 = hn::Add(s4, hn::Mul(hn::Set(d, left[i + 4][l]), given));
    }
  }
  hn::StoreU(s0, d, out + i * out_pitch);
  if constexpr (kCount == 5) {
    hn::StoreU(s1, d, out + (i + 1) * out_pitch);
    hn::StoreU(s2, d, out + (i + 2) * out_pitch);
    hn::StoreU(s3, d, out + (i + 3) * out_pitch);
    hn::StoreU(s4, d, out + (i + 4) * out_pitch);
  }
}

// Rows first .. 24 of left * right, in whole vectors of columns from `column` on.
void multiply(const SpeedMatrix& left, int first, io::Plane<const float> right, int column, io::Plane<float> out) {
  for (int lane = column / float_lanes() * float_lanes(); lane < right.width; lane += float_lanes()) {
    int i = first;
    for (; i + 5 <= kN; i += 5) multiply_rows<5>(left, i, first, right.data + lane, right.stride, out.data + lane, out.stride);
    for (; i < kN; ++i) multiply_rows<1>(left, i, first, right.data + lane, right.stride, out.data + lane, out.stride);
  }
}

io::Plane<const float> view(const SpeedMatrix& matrix) { return {matrix[0], kPitch, kN, kN}; }
io::Plane<float> view(SpeedMatrix& matrix) { return {matrix[0], kPitch, kN, kN}; }

// The reflection of step k on rows and columns k .. 24.
void reflection_of(const SpeedMatrix& z, int k, SpeedMatrix& p) {
  const Floats d;
  Column v;
  for (int i = k; i < kN; ++i) v.entries[i] = z[i][k];
  v.entries[k] = v.entries[k] + length_of(v, k);
  const float length = length_of(v, k);
  for (int i = k; i < kN; ++i) v.entries[i] = v.entries[i] / length;
  for (int i = k; i < kN; ++i) {
    const auto factor = hn::Set(d, -2.0f * v.entries[i]);
    for (int lane = k / float_lanes() * float_lanes(); lane < kN; lane += float_lanes()) {
      hn::Store(hn::Mul(factor, hn::Load(d, v.entries + lane)), d, p[i] + lane);
    }
    p[i][i] = p[i][i] + 1.0f;
  }
}

void reflections(const SpeedMatrix& matrix, SpeedMatrix& q) {
  SpeedMatrix z = matrix;
  SpeedMatrix next;
  SpeedMatrix p;
  for (int i = 0; i < kN; ++i) q[i][i] = 1.0f;
  for (int k = 0; k + 1 < kN; ++k) {
    reflection_of(z, k, p);
    next = z;
    multiply(p, k, view(std::as_const(next)), k, view(z));
    next = q;
    multiply(p, k, view(std::as_const(next)), 0, view(q));
  }
}

void product(const SpeedMatrix& left, io::Plane<const float> right, io::Plane<float> out) { multiply(left, 0, right, 0, out); }

// Overwrites the right side with the solution. REQUIRES: no pivot is zero
void substitute_back(const SpeedMatrix& upper, io::Plane<float> solution) {
  const Floats d;
  for (int lane = 0; lane < solution.width; lane += float_lanes()) {
    for (int i = kN - 1; i >= 0; --i) {
      auto rest = hn::LoadU(d, solution.row(i) + lane);
      for (int l = i + 1; l < kN; ++l) rest = hn::Sub(rest, hn::Mul(hn::LoadU(d, solution.row(l) + lane), hn::Set(d, upper[i][l])));
      hn::StoreU(hn::Div(rest, hn::Set(d, upper[i][i])), d, solution.row(i) + lane);
    }
  }
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(covariance);
HWY_EXPORT(tridiagonal_form);
HWY_EXPORT(reflections);
HWY_EXPORT(product);
HWY_EXPORT(substitute_back);

SpeedMatrix fast_speed_covariance(io::Plane<const float> plane, int columns, int rows) {
  SpeedMatrix result;
  HWY_DYNAMIC_DISPATCH(covariance)(plane, columns, rows, result);
  return result;
}

SpeedEigenvalues fast_speed_eigenvalues(const SpeedMatrix& matrix) {
  SpeedMatrix work = matrix;
  SpeedEigenvalues diagonal{};
  std::array<float, kSpeedEntries - 1> beside{};
  HWY_DYNAMIC_DISPATCH(tridiagonal_form)(work, diagonal.data(), beside.data());
  speed_tridiagonal_eigenvalues(diagonal.data(), beside.data(), kSpeedEntries);
  return diagonal;
}

std::optional<FloatPlane> fast_speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks) {
  SpeedMatrix q;
  HWY_DYNAMIC_DISPATCH(reflections)(matrix, q);
  SpeedMatrix upper;
  HWY_DYNAMIC_DISPATCH(product)
  (q, {matrix[0], SpeedMatrix::kPitch, kSpeedEntries, kSpeedEntries}, {upper[0], SpeedMatrix::kPitch, kSpeedEntries, kSpeedEntries});
  for (int i = 0; i < kSpeedEntries; ++i) {
    if (speed_is_zero_pivot(upper[i][i])) return std::nullopt;
  }
  FloatPlane solution(blocks.width, kSpeedEntries);
  HWY_DYNAMIC_DISPATCH(product)(q, blocks, solution.view());
  HWY_DYNAMIC_DISPATCH(substitute_back)(upper, solution.view());
  return solution;
}
}  // namespace vmafbatch::extractors
#endif
