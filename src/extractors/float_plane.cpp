#include "extractors/float_plane.h"

#include <new>
#include <string>

namespace vmafbatch::extractors {
namespace {

constexpr size_t kFloatsPerLine = FloatPlane::kAlignment / sizeof(float);

size_t pitch_of(int width) { return (static_cast<size_t>(width) + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine; }

}  // namespace

size_t FloatPlane::bytes_of(int width, int height) { return pitch_of(width) * static_cast<size_t>(height) * sizeof(float); }

FloatPlane::FloatPlane(int width, int height)
    : width_(width),
      height_(height),
      pitch_(static_cast<ptrdiff_t>(pitch_of(width))),
      data_(static_cast<float*>(std::aligned_alloc(kAlignment, bytes_of(width, height)))) {
  if (!data_) throw std::bad_alloc();
}

FloatPlane slow_float_samples(const io::Frame& frame, int plane, float offset) {
  return io::with_sample_type(frame.format(), [&](auto sample) {
    using Sample = decltype(sample);
    const io::Plane<const Sample> in = frame.plane<Sample>(plane);
    const float scale = static_cast<float>(1 << (frame.format().bit_depth - 8));
    FloatPlane result(in.width, in.height);
    const io::Plane<float> out = result.view();
    for (int y = 0; y < in.height; ++y) {
      for (int x = 0; x < in.width; ++x) out.row(y)[x] = static_cast<float>(in.row(y)[x]) / scale + offset;
    }
    return result;
  });
}

FloatPlane float_samples(const io::Frame& frame, int plane, float offset) { return slow_float_samples(frame, plane, offset); }

const FloatPlane& shared_float_samples(const io::Frame& frame, int plane, float offset) {
  const std::string key = "samples plane " + std::to_string(plane) + " offset " + std::to_string(offset);
  return frame.derived().get<FloatPlane>(key, [&] { return float_samples(frame, plane, offset); });
}

}  // namespace vmafbatch::extractors
