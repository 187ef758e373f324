// The vector form of speed_low_pass: lanes are columns. Of 16 rows it reads as many as the window has taps, as native samples where nothing
// is resized.
#include "extractors/speed_low_pass_simd.h"

#include <array>
#include <utility>

#include "extractors/mirror.h"
#include "extractors/padded_row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "extractors/speed_low_pass_simd.cpp"
#include <hwy/foreach_target.h>
// Behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vmafbatch::extractors::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Integers = hn::RebindToSigned<Floats>;

// The rows that one decimated row reads.
template <class Sample>
using TapRows = std::array<const Sample*, 2 * PaddedRow<float>::kPadding + 1>;

template <class Sample>
TapRows<Sample> tap_rows(const io::Plane<const Sample>& plane, int y, int taps) {
  TapRows<Sample> rows{};
  for (int k = 0; k < taps; ++k) {
    rows[static_cast<size_t>(k)] = plane.row(mirror_index(y * kSpeedDecimation - taps / 2 + k, plane.height));
  }
  return rows;
}

// Loads a vector of row k at column x as floats on the 8-bit scale. A power of two as factor: exact, as is the difference.
template <class Sample>
auto centred_samples(const TapRows<Sample>& rows, float factor) {
  return [&rows, factor](size_t k, size_t x) HWY_ATTR {
    const Floats d;
    const hn::Rebind<Sample, Floats> narrow;
    const auto value = hn::ConvertTo(d, hn::PromoteTo(Integers(), hn::LoadU(narrow, rows[k] + x)));
    return hn::Add(hn::Mul(value, hn::Set(d, factor)), hn::Set(d, kCentredOffset));
  };
}

template <class Sample>
auto sample_differences(const TapRows<Sample>& rows, const TapRows<Sample>& subtracted, float factor) {
  return [&rows, &subtracted, factor](size_t k, size_t x) HWY_ATTR {
    const Floats d;
    const hn::Rebind<Sample, Floats> narrow;
    const auto a = hn::PromoteTo(Integers(), hn::LoadU(narrow, rows[k] + x));
    const auto b = hn::PromoteTo(Integers(), hn::LoadU(narrow, subtracted[k] + x));
    return hn::Mul(hn::ConvertTo(d, hn::Sub(a, b)), hn::Set(d, factor));
  };
}

// Down the columns. load(k, x) gives a vector of tap k.
template <class Load>
void filter_columns(const Load& load, const std::vector<float>& window, int width, PaddedRow<float>& out) {
  const Floats d;
  for (size_t x = 0; x < static_cast<size_t>(width); x += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < window.size(); ++k) sum = hn::Add(sum, hn::Mul(hn::Set(d, window[k]), load(k, x)));
    hn::StoreU(sum, d, out.data() + x);
  }
}

void decimate_row(PaddedRow<float>& row, const std::vector<float>& window, int width, float* out) {
  const int radius = static_cast<int>(window.size()) / 2;
  row.mirror(radius);
  for (int x = 0; x < width; ++x) {
    const float* first = row.data() + x * kSpeedDecimation - radius;
    float sum = 0.0f;
    for (size_t k = 0; k < window.size(); ++k) sum = sum + window[k] * first[k];
    out[x] = sum;
  }
}

template <class Sample>
void filter_samples(const SpeedSource& source, const SpeedShape& shape, io::Plane<float> out) {
  const int taps = static_cast<int>(shape.low_pass.size());
  const float factor = 1.0f / static_cast<float>(1 << (source.frame.format().bit_depth - 8));
  PaddedRow<float> row(shape.width);
  for (int y = 0; y < out.height; ++y) {
    const TapRows<Sample> rows = tap_rows(source.frame.plane<Sample>(source.plane), y, taps);
    if (source.subtracted == nullptr) {
      filter_columns(centred_samples(rows, factor), shape.low_pass, shape.width, row);
    } else {
      const TapRows<Sample> subtracted = tap_rows(source.subtracted->plane<Sample>(source.plane), y, taps);
      filter_columns(sample_differences(rows, subtracted, factor), shape.low_pass, shape.width, row);
    }
    decimate_row(row, shape.low_pass, out.width, out.row(y));
  }
}

void low_pass(const SpeedSource& source, const SpeedShape& shape, io::Plane<float> out) {
  io::with_sample_type(source.frame.format(), [&](auto sample) { filter_samples<decltype(sample)>(source, shape, out); });
}

// The samples of the whole plane, before they are resized.
template <class Sample>
void convert_samples(const SpeedSource& source, io::Plane<float> out) {
  const Floats d;
  const float factor = 1.0f / static_cast<float>(1 << (source.frame.format().bit_depth - 8));
  for (int y = 0; y < out.height; ++y) {
    TapRows<Sample> rows{source.frame.plane<Sample>(source.plane).row(y)};
    const auto convert = [&](const auto& load) HWY_ATTR {
      for (size_t x = 0; x < static_cast<size_t>(out.width); x += hn::Lanes(d)) hn::StoreU(load(0, x), d, out.row(y) + x);
    };
    if (source.subtracted == nullptr) {
      convert(centred_samples(rows, factor));
    } else {
      const TapRows<Sample> subtracted{source.subtracted->plane<Sample>(source.plane).row(y)};
      convert(sample_differences(rows, subtracted, factor));
    }
  }
}

void resized_low_pass(const SpeedSource& source, const SpeedShape& shape, io::Plane<float> out) {
  FloatPlane samples(source.width(), source.height());
  io::with_sample_type(source.frame.format(), [&](auto sample) { convert_samples<decltype(sample)>(source, samples.view()); });
  const RowResizer resizer(source.width(), source.height(), shape.width, shape.height, shape.method);
  const int taps = static_cast<int>(shape.low_pass.size());
  FloatPlane resized(shape.width, taps);
  PaddedRow<float> row(shape.width);
  const Floats d;
  for (int y = 0; y < out.height; ++y) {
    for (int k = 0; k < taps; ++k) {
      resizer.row(std::as_const(samples).view(), mirror_index(y * kSpeedDecimation - taps / 2 + k, shape.height), resized.view().row(k));
    }
    const io::Plane<const float> rows = std::as_const(resized).view();
    const auto load = [&](size_t k, size_t x) HWY_ATTR { return hn::LoadU(d, rows.row(static_cast<int>(k)) + x); };
    filter_columns(load, shape.low_pass, shape.width, row);
    decimate_row(row, shape.low_pass, out.width, out.row(y));
  }
}

}  // namespace vmafbatch::extractors::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vmafbatch::extractors {
HWY_EXPORT(low_pass);
HWY_EXPORT(resized_low_pass);

FloatPlane fast_speed_low_pass(const SpeedSource& source, const SpeedShape& shape) {
  FloatPlane result(shape.decimated_width(), shape.decimated_height());
  if (source.is_resized(shape)) {
    HWY_DYNAMIC_DISPATCH(resized_low_pass)(source, shape, result.view());
  } else {
    HWY_DYNAMIC_DISPATCH(low_pass)(source, shape, result.view());
  }
  return result;
}

size_t fast_speed_low_pass_bytes(int width, int height, const SpeedShape& shape) {
  size_t bytes = PaddedRow<float>::bytes_of(shape.width) + FloatPlane::bytes_of(shape.decimated_width(), shape.decimated_height());
  if (shape.width != width || shape.height != height) {
    bytes += FloatPlane::bytes_of(width, height) + FloatPlane::bytes_of(shape.width, static_cast<int>(shape.low_pass.size()));
    bytes += static_cast<size_t>(shape.width + shape.height) * sizeof(ResizeWindow);
  }
  return bytes;
}
}  // namespace vmafbatch::extractors
#endif
