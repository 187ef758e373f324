#include "extractors/float_ssim_decimation.h"

#include <algorithm>
#include <string>

#include "base/simd.h"
#include "extractors/float_ssim_simd.h"
#include "extractors/mirror.h"

namespace vmafbatch::extractors {
namespace {

// The mean of one box. Each product rounds to float, the sum of all is a double.
template <class Sample>
float box_mean(io::Plane<const Sample> in, float scale, int factor, int x, int y) {
  const float weight = 1.0f / static_cast<float>(factor * factor);
  const int first = -(factor / 2);
  double sum = 0.0;
  for (int v = first; v < first + factor; ++v) {
    const Sample* row = in.row(symmetric_index(y * factor + v, in.height));
    for (int u = first; u < first + factor; ++u) {
      sum += static_cast<double>(static_cast<float>(row[symmetric_index(x * factor + u, in.width)]) / scale * weight);
    }
  }
  return static_cast<float>(sum);
}

}  // namespace

int decimation_factor(int scale, int width, int height) {
  if (scale > 0) return scale;
  const float quotient = static_cast<float>(std::min(width, height)) / 256.0f;
  const int whole = static_cast<int>(quotient);
  return std::max(1, whole + (quotient - static_cast<float>(whole) >= 0.5f ? 1 : 0));
}

FloatPlane slow_decimated(const io::Frame& frame, int plane, int factor) {
  return io::with_sample_type(frame.format(), [&](auto sample) {
    const auto in = frame.plane<decltype(sample)>(plane);
    const auto scale = static_cast<float>(1 << (frame.format().bit_depth - 8));
    FloatPlane out(decimated_side(in.width, factor), decimated_side(in.height, factor));
    for (int y = 0; y < out.height(); ++y) {
      for (int x = 0; x < out.width(); ++x) out.view().row(y)[x] = box_mean(in, scale, factor, x, y);
    }
    return out;
  });
}

FloatPlane decimated(const io::Frame& frame, int plane, int factor) {
  const bool plain = simd_mode() == SimdMode::kScalar || factor > kLargestFastFactor;
  return plain ? slow_decimated(frame, plane, factor) : fast_decimated(frame, plane, factor);
}

io::Plane<const float> shared_decimated_samples(const io::Frame& frame, int plane, int factor) {
  if (factor == 1) return shared_float_samples(frame, plane, 0.0f).view();
  const std::string key = "ssim decimation plane " + std::to_string(plane) + " factor " + std::to_string(factor);
  return frame.derived().get<FloatPlane>(key, [&] { return decimated(frame, plane, factor); }).view();
}

}  // namespace vmafbatch::extractors
