// One number for a clip from the numbers of its frames.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace vmafbatch::model {

// min, max, mean and harmonic_mean: libvmaf's, bit for bit. A value that IEEE arithmetic makes NaN stays NaN here.
struct Pooled {
  std::size_t frames = 0;
  double min = 0.0;
  double max = 0.0;
  double mean = 0.0;
  double harmonic_mean = 0.0;  // count / sum(1 / (value + 1)) - 1
};

// `values` are those of the reported frames, in frame order. REQUIRES: not empty
Pooled pool(std::span<const double> values);

}  // namespace vmafbatch::model
