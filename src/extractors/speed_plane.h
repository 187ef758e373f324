// What the SpEED features measure of one plane: the eigenvalues of the covariance of its 5x5 blocks and each block's variance under that
// covariance. The entropies that follow from them are formed on the host (speed_score.h).
#pragma once

#include <vector>

#include "extractors/speed_low_pass.h"
#include "extractors/speed_matrix.h"

namespace vmafbatch::extractors {

struct SpeedStatistics {
  bool singular = false;  // the covariance has no inverse; the variances are zero
  SpeedEigenvalues eigenvalues{};
  std::vector<float> variances;  // one a block, in raster order
};

SpeedStatistics speed_statistics(const SpeedSource& source, const SpeedShape& shape);

// Of a plane of one picture: computed once per frame and shape, and shared.
const SpeedStatistics& shared_speed_statistics(const io::Frame& frame, int plane, const SpeedShape& shape);

// Memory that speed_statistics takes for a plane of width x height, the float samples that it leaves with the frames included.
size_t speed_statistics_bytes(int width, int height, bool is_difference, const SpeedShape& shape);

}  // namespace vmafbatch::extractors
