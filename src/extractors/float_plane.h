// Planes of floats: what the floating-point extractors compute with.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "extractors/float_plane_math.h"
#include "io/frame.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// Owns width x height floats. Every row starts at a multiple of 64 bytes and has room up to its pitch, so whole vectors of up to
// 64 bytes may be loaded and stored at its end; that padding, as the samples at first, has no defined value.
class FloatPlane {
 public:
  static constexpr size_t kAlignment = 64;

  FloatPlane() = default;
  // REQUIRES: width > 0, height > 0. Throws std::bad_alloc.
  FloatPlane(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  // Floats from one row to the next: a multiple of 16.
  ptrdiff_t pitch() const { return pitch_; }
  size_t bytes() const { return bytes_of(width_, height_); }
  // What a plane of this size takes, for Needs::bytes_per_frame.
  static size_t bytes_of(int width, int height);

  io::Plane<float> view() { return {data_.get(), pitch_, width_, height_}; }
  io::Plane<const float> view() const { return {data_.get(), pitch_, width_, height_}; }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  int width_ = 0;
  int height_ = 0;
  ptrdiff_t pitch_ = 0;
  std::unique_ptr<float, Free> data_;
};

// float(sample) / 2^(depth-8) + offset for every sample of a plane: the 8-bit scale, exact at every depth for offsets 0 and -128.
FloatPlane float_samples(const io::Frame& frame, int plane, float offset);
// The plain twin.
FloatPlane slow_float_samples(const io::Frame& frame, int plane, float offset);

// The same, computed once per frame and shared by all extractors; lives as long as the frame.
const FloatPlane& shared_float_samples(const io::Frame& frame, int plane, float offset);

}  // namespace vmafbatch::extractors
