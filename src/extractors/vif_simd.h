// The fast paths of vif; vif_pyramid.h and vif_sums.h choose. All sums are integers, so any order gives the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "extractors/padded_row.h"
#include "extractors/vif_math.h"
#include "io/picture_format.h"
#include "io/plane.h"

namespace vmafbatch::extractors {

// Whether the fast paths serve pictures of this size; the plain ones serve all.
inline bool vif_vectors_serve(const io::PictureFormat& format) {
  return format.width >= 16 && format.height >= 16 && format.width <= 65536;
}

// The sums of one scale, whose planes are given; nothing where this processor has no vectors that the code knows.
// REQUIRES: planes of one size, sides 16 >> scale to 65536, rows that may be read in whole vectors of 64 bytes
std::optional<VifSums> fast_vif_plane_sums(io::Plane<const std::uint8_t> reference, io::Plane<const std::uint8_t> distorted, int scale,
                                           int bit_depth, double gain_limit);
std::optional<VifSums> fast_vif_plane_sums(io::Plane<const std::uint16_t> reference, io::Plane<const std::uint16_t> distorted, int scale,
                                           int bit_depth, double gain_limit);

// The samples of `scale` from those of the scale before; false, and nothing done, where this processor has no such vectors.
// REQUIRES: the sides of `out` are half of those of `in`, rounded down; as above
bool fast_vif_downscale(io::Plane<const std::uint8_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out);
bool fast_vif_downscale(io::Plane<const std::uint16_t> in, int scale, int bit_depth, io::Plane<std::uint16_t> out);

// What follows is how the vector code keeps its data.

// A window as pairs of neighbouring taps, for the multiplication of 16-bit pairs that adds both products.
struct VifTapPairs {
  explicit VifTapPairs(int scale);

  int count = 0;
  std::array<int, vif_radius(0) + 1> offset{};          // of the pair's first tap from the centre
  std::array<bool, vif_radius(0) + 1> second_counts{};  // false: the second tap is 0
  std::array<std::int32_t, vif_radius(0) + 1> taps{};   // the first tap in the low half, the second in the high half
};

// One row behind the vertical pass. Products of samples are kept as high and low halves; every value has 32768 taken off, which makes it
// a signed 16-bit number.
struct VifRows {
  explicit VifRows(int width) : rows{{Row(width), Row(width), Row(width), Row(width), Row(width), Row(width), Row(width), Row(width)}} {}

  using Row = PaddedRow<std::int16_t>;
  enum Content : size_t { kMean1, kMean2, kSquare1, kSquare2 = kSquare1 + 2, kProduct = kSquare2 + 2, kCount = kProduct + 2 };
  static size_t bytes_of(int width) { return kCount * Row::bytes_of(width); }

  std::array<Row, kCount> rows;  // of a product: the high half first
};

}  // namespace vmafbatch::extractors
