#include "extractors/float_plane.h"

#include <new>
#include <string>

#include "base/simd.h"
#include "extractors/float_plane_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/float_plane.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class Sample>
void convert_row(const Sample* in, size_t n, float factor, float offset, float* out) {
  const hn::ScalableTag<float> df;
  const hn::RebindToSigned<decltype(df)> d32;
  const hn::Rebind<Sample, decltype(df)> narrow;
  size_t x = 0;
  for (; x + hn::Lanes(df) <= n; x += hn::Lanes(df)) {
    const auto value = hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(narrow, in + x)));
    hn::StoreU(hn::Add(hn::Mul(value, hn::Set(df, factor)), hn::Set(df, offset)), df, out + x);
  }
  for (; x < n; ++x) out[x] = float_sample(in[x], factor, offset);
}

void convert_plane(const io::Frame& frame, int plane, float factor, float offset, const io::Plane<float>& out) {
  io::with_sample_type(frame.format(), [&](auto sample) {
    const auto in = frame.plane<decltype(sample)>(plane);
    for (int y = 0; y < out.height; ++y) convert_row(in.row(y), static_cast<size_t>(out.width), factor, offset, out.row(y));
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vmafbatch::extractors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

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
    const float factor = float_sample_factor(frame.format().bit_depth);
    FloatPlane result(in.width, in.height);
    const io::Plane<float> out = result.view();
    for (int y = 0; y < in.height; ++y) {
      for (int x = 0; x < in.width; ++x) out.row(y)[x] = float_sample(in.row(y)[x], factor, offset);
    }
    return result;
  });
}

HWY_EXPORT(convert_plane);

FloatPlane float_samples(const io::Frame& frame, int plane, float offset) {
  if (simd_mode() == SimdMode::kScalar) return slow_float_samples(frame, plane, offset);
  FloatPlane result(frame.format().plane_width(plane), frame.format().plane_height(plane));
  HWY_DYNAMIC_DISPATCH(convert_plane)(frame, plane, float_sample_factor(frame.format().bit_depth), offset, result.view());
  return result;
}

const FloatPlane& shared_float_samples(const io::Frame& frame, int plane, float offset) {
  const std::string key = "samples plane " + std::to_string(plane) + " offset " + std::to_string(offset);
  return frame.derived().get<FloatPlane>(key, [&] { return float_samples(frame, plane, offset); });
}

}  // namespace vmafbatch::extractors
#endif  // HWY_ONCE
