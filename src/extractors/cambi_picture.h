// The picture that cambi looks at: ten bits, at the size of the view, and the mask of its flat places.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "extractors/cambi_rows.h"
#include "extractors/cambi_setup.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// A plane that owns its samples, rows without gaps. They are undefined until they are written.
template <class T>
class CambiPlane {
 public:
  CambiPlane() = default;
  CambiPlane(int width, int height)
      : width_(width),
        height_(height),
        samples_(std::make_unique_for_overwrite<T[]>(static_cast<size_t>(width) * static_cast<size_t>(height))) {}

  io::Plane<T> view() { return {samples_.get(), width_, width_, height_}; }
  io::Plane<const T> view() const { return {samples_.get(), width_, width_, height_}; }
  int width() const { return width_; }
  int height() const { return height_; }
  // Takes a smaller size; what the samples hold is then undefined. REQUIRES: not more samples than at creation
  void shrink(int width, int height) {
    width_ = width;
    height_ = height;
  }

 private:
  int width_ = 0;
  int height_ = 0;
  std::unique_ptr<T[]> samples_;
};

struct CambiPicture {
  CambiPlane<std::uint16_t> samples;  // ten bits; 16-bit input can give 1024
  CambiPlane<std::uint8_t> mask;      // 1: the surroundings are flat enough for banding to show, else 0
};

// The luma of a frame at the size of `view`, made once per frame. Throws std::runtime_error where a sample is above the bit depth.
const CambiPicture& cambi_picture(const io::Frame& frame, const CambiView& view, bool antidither);
size_t cambi_picture_bytes(const CambiView& view);

// The steps of it, made of the given row loops.

// At ten bits, resampled to the nearest sample, with the dithering taken away if asked for.
CambiPlane<std::uint16_t> cambi_ten_bit_plane(const io::Frame& frame, const CambiView& view, bool antidither, const CambiRows& rows);

// 1 where more than a threshold of the 7x7 samples around equal both their right and their lower neighbour.
CambiPlane<std::uint8_t> cambi_mask(io::Plane<const std::uint16_t> samples, const CambiRows& rows);

// The number of such samples that the mask asks more than.
int cambi_mask_threshold(int width, int height);

// For each of `count` output positions, the input position of the nearest sample, by the reference's accumulated float steps.
std::vector<int> cambi_nearest_positions(int input_count, int count);

}  // namespace vmafbatch::extractors
