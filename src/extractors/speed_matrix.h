// The linear algebra of the SpEED features on 25x25 matrices in single precision: covariance, eigenvalues, Householder QR and the linear
// system of all blocks. Every sum starts at zero and ascends; see speed_math.h for the steps that a device shares.
#pragma once

#include <array>
#include <optional>

#include "extractors/float_plane.h"
#include "extractors/speed_math.h"

namespace vmafbatch::extractors {

// A 25x25 matrix. Rows are padded to whole vectors of 64 bytes; the padding is zero.
class SpeedMatrix {
 public:
  static constexpr int kPitch = 32;

  float* operator[](int row) { return entries_.data() + row * kPitch; }
  const float* operator[](int row) const { return entries_.data() + row * kPitch; }

 private:
  alignas(64) std::array<float, static_cast<size_t>(kSpeedEntries* kPitch)> entries_{};
};

using SpeedEigenvalues = std::array<float, kSpeedEntries>;

// The covariance of the 25 windows of `rows` x `columns` samples that start at (p / 5, p % 5).
// REQUIRES: the plane has at least rows + 4 rows and columns + 4 columns
SpeedMatrix speed_covariance(io::Plane<const float> plane, int columns, int rows);

// The eigenvalues of a symmetric matrix, in the order in which the iteration leaves them.
SpeedEigenvalues speed_eigenvalues(const SpeedMatrix& matrix);

// The solution X of matrix * X = blocks, one block of 25 entries a column; none where a pivot is zero.
// REQUIRES: `blocks` has 25 rows, which may be read in whole vectors of 64 bytes as those of a FloatPlane
std::optional<FloatPlane> speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks);

// The plain twins.
SpeedMatrix slow_speed_covariance(io::Plane<const float> plane, int columns, int rows);
SpeedEigenvalues slow_speed_eigenvalues(const SpeedMatrix& matrix);
std::optional<FloatPlane> slow_speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks);

}  // namespace vmafbatch::extractors
