// The dyadic pyramid of vif: scales 1 to 3 of one picture's luma.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "extractors/vif_math.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// Owns a plane of 16-bit samples. Whole vectors of up to 64 bytes may be loaded at the end of a row.
class VifPlane {
 public:
  VifPlane() = default;
  VifPlane(int width, int height);

  io::Plane<std::uint16_t> view() { return {samples_.data(), stride_, width_, height_}; }
  io::Plane<const std::uint16_t> view() const { return {samples_.data(), stride_, width_, height_}; }

 private:
  int width_ = 0;
  int height_ = 0;
  ptrdiff_t stride_ = 0;
  std::vector<std::uint16_t> samples_;
};

// Element s - 1: scale s, floor(side / 2^s) samples a side, on a 16-bit scale whatever the depth of the picture.
using VifPyramid = std::array<VifPlane, kVifScales - 1>;

// REQUIRES: both sides of the picture are at least 8
VifPyramid vif_pyramid(const io::Frame& frame);
// The plain twin.
VifPyramid slow_vif_pyramid(const io::Frame& frame);

// The same, computed once per frame; lives as long as the frame.
const VifPyramid& shared_vif_pyramid(const io::Frame& frame);

// Memory of a pyramid.
size_t vif_pyramid_bytes(int width, int height);

// Calls f(reference, distorted) with the two planes of a scale: the luma planes for scale 0, views of the pyramids otherwise.
template <class F>
void with_vif_planes(const io::FramePair& pair, int scale, F&& f) {
  if (scale > 0) {
    const auto level = static_cast<size_t>(scale - 1);
    f(shared_vif_pyramid(pair.reference())[level].view(), shared_vif_pyramid(pair.distorted())[level].view());
    return;
  }
  io::with_sample_type(pair.reference().format(), [&](auto sample) {
    using Sample = decltype(sample);
    f(pair.reference().plane<Sample>(0), pair.distorted().plane<Sample>(0));
  });
}

}  // namespace vmafbatch::extractors
