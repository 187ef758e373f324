// The host's part of the SpEED features: the entropies of a plane's blocks and the difference between two planes. Calls the C library's
// log2, so a device sends the statistics back and the score is formed here.
#pragma once

#include <cstddef>

#include "extractors/extractor.h"
#include "extractors/speed_plane.h"

namespace vmafbatch::extractors {

// What the options make of the score.
struct SpeedChannel {
  float noise;      // speed_sigma_nn
  float floor;      // entropy below which a block on both sides counts as noise: base of speed_nn_floor
  int weight_mode;  // speed_weight_var_mode, 0 .. 6
};

// weight_mode is not among the options of both extractors.
SpeedChannel speed_channel(const Options& options, int weight_mode);

struct SpeedScore {
  float value;    // 0: equal; grows with the difference
  bool singular;  // a side had no regular covariance: the value says nothing
};

// REQUIRES: both sides have the same number of blocks
SpeedScore speed_score(const SpeedStatistics& reference, const SpeedStatistics& distorted, const SpeedChannel& channel);

// The layout of one side of one plane in Measurements: the flag `singular`, 25 eigenvalues, the variances; floats as doubles.
size_t speed_slots(const SpeedShape& shape);
void write_speed_statistics(const SpeedStatistics& statistics, size_t first_slot, Measurements& out);
SpeedStatistics read_speed_statistics(const Measurements& measured, size_t first_slot, const SpeedShape& shape);

}  // namespace vmafbatch::extractors
