// The fast path of float_vif_sums; float_vif_sums.h chooses.
#pragma once

#include <span>

#include "extractors/float_vif_sums.h"
#include "extractors/padded_row.h"

namespace vmafbatch::extractors {

// As float_vif_sums. REQUIRES: window.size() <= 65, rows that may be read in whole vectors of 64 bytes
FloatVifSums fast_float_vif_sums(io::Plane<const float> reference, io::Plane<const float> distorted, std::span<const float> window,
                                 const FloatVifChannel& channel);

// Memory of one call: more than the plain path takes.
inline size_t fast_float_vif_scratch_bytes(int width) { return 14 * PaddedRow<float>::bytes_of(width); }

// What follows is how the vector code keeps its data.

// The five quantities behind the vertical pass, one row each.
struct FloatVifRows {
  explicit FloatVifRows(int width) : mean1(width), mean2(width), square1(width), square2(width), product(width) {}
  void mirror(int radius) {
    for (PaddedRow<float>* row : {&mean1, &mean2, &square1, &square2, &product}) row->mirror(radius);
  }
  PaddedRow<float> mean1, mean2, square1, square2, product;
};

// The terms of one row, in the order of its pixels.
struct FloatVifTermRows {
  explicit FloatVifTermRows(int width) : numerator(width), denominator(width) {}
  PaddedRow<float> numerator, denominator;
};

// The channel in the form that the vector code compares and multiplies with.
struct FloatVifVectorChannel {
  double noise_variance;
  double noise_reciprocal;  // exact, or 0 where the noise variance is no power of two
  float smallest_signal;    // the smallest float that is not below the noise variance
  float flat_weight;
  float gain_limit;
};

}  // namespace vmafbatch::extractors
