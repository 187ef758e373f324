// The fast paths of speed_matrix.h, which chooses.
#pragma once

#include "extractors/speed_matrix.h"

namespace vmafbatch::extractors {

SpeedMatrix fast_speed_covariance(io::Plane<const float> plane, int columns, int rows);
SpeedEigenvalues fast_speed_eigenvalues(const SpeedMatrix& matrix);
// REQUIRES: rows of `blocks` that may be read in whole vectors of 64 bytes
std::optional<FloatPlane> fast_speed_solve(const SpeedMatrix& matrix, io::Plane<const float> blocks);

}  // namespace vmafbatch::extractors
