#include "extractors/float_ms_ssim_pyramid.h"

#include <string>
#include <utility>

#include "base/simd.h"
#include "extractors/float_ssim_simd.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {

FloatPlane slow_low_passed(io::Plane<const float> in) {
  FloatPlane out(half_side(in.width), half_side(in.height));
  for (int y = 0; y < out.height(); ++y) {
    for (int x = 0; x < out.width(); ++x) {
      out.view().row(y)[x] = low_pass([&](int i, int j) {
        return in.row(symmetric_index(2 * y + i - kLowPassRadius, in.height))[symmetric_index(2 * x + j - kLowPassRadius, in.width)];
      });
    }
  }
  return out;
}

FloatPlane low_passed(io::Plane<const float> in) { return simd_mode() == SimdMode::kScalar ? slow_low_passed(in) : fast_low_passed(in); }

const MsSsimPyramid& shared_ms_ssim_pyramid(const io::Frame& frame, int plane) {
  return frame.derived().get<MsSsimPyramid>("plane " + std::to_string(plane), [&] {
    MsSsimPyramid pyramid;
    io::Plane<const float> finer = shared_float_samples(frame, plane, 0.0f).view();
    for (FloatPlane& coarser : pyramid.planes) {
      coarser = low_passed(finer);
      finer = std::as_const(coarser).view();
    }
    return pyramid;
  });
}

size_t ms_ssim_pyramid_bytes(int width, int height) {
  size_t bytes = 0;
  for (int scale = 0; scale < kMsSsimScales; ++scale) {
    bytes += FloatPlane::bytes_of(width, height);
    width = half_side(width);
    height = half_side(height);
  }
  return bytes;
}

}  // namespace vmafbatch::extractors
