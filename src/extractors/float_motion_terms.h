// Which planes an instance of float_motion compares, and how their differences add up.
#pragma once

#include "extractors/options.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

struct FloatMotionTerms {
  int planes;       // 3 with chroma
  int taps;         // of the blur: 5, 3, or 1: none
  bool half;        // also the planes at half size
  bool force_zero;  // nothing is compared

  explicit FloatMotionTerms(const Options& options)
      : planes(options.flag("motion_add_uv") ? 3 : 1),
        taps(taps_of(options.integer("motion_filter_size"))),
        half(options.flag("motion_add_scale1")),
        force_zero(options.flag("motion_force_zero")) {}

  // Whether the frame before is there and is asked for; else the measurement is 0.
  bool comparable(const io::FrameWindow& window) const { return !force_zero && window.history() >= 1; }

  // The measurement from mean(plane, halved), the mean absolute difference of one plane.
  template <class Mean>
  double total(Mean&& mean) const {
    double sum = 0.0;
    for (int p = 0; p < planes; ++p) {
      float value = mean(p, false);
      if (half) value += mean(p, true);
      sum += static_cast<double>(value);
    }
    return sum;
  }

 private:
  static int taps_of(int filter_size) { return filter_size == 1 || filter_size == 3 ? filter_size : 5; }
};

// A side of the half-size plane.
constexpr int float_motion_half_side(int side) { return (side + 1) / 2; }

}  // namespace vmafbatch::extractors
