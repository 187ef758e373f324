// The wavelet detail bands of one picture's luma, which all float_adm instances share.
#pragma once

#include <array>
#include <cstddef>

#include "extractors/float_adm_csf.h"
#include "extractors/float_plane.h"
#include "io/frame.h"

namespace vmafbatch::extractors::float_adm {

// A rectangle of samples; right and bottom are exclusive.
struct Region {
  int left = 0, top = 0, right = 0, bottom = 0;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
  bool has_row(int y) const { return y >= top && y < bottom; }
  bool operator==(const Region&) const = default;
};

// Size of the bands of a scale (0 finest) of a width x height picture: each scale halves, rounding up.
struct BandSize {
  int width, height;
};
BandSize band_size(int width, int height, int scale);

// The part of a band whose coefficients enter the sums: a tenth of each side is left out.
Region score_region(BandSize band);
// The score region and the samples around it that the masking threshold looks at, inside the band.
Region stored_region(BandSize band);

// The detail bands of one scale, cut to the stored region: sample (x, y) of a plane is coefficient (x + left, y + top) of the band.
struct DetailBands {
  BandSize band{};
  FloatPlane h, v, d;
};

struct WaveletPyramid {
  std::array<DetailBands, kScales> scales;
};

// Four levels of the separable 4-tap Daubechies transform of luma - 128 (8-bit scale), vertical first. Computed once per frame;
// lives as long as the frame. Luma is converted row by row on the way: no plane of floats is kept. REQUIRES: luma of at least 17x17.
const WaveletPyramid& shared_wavelet_pyramid(const io::Frame& frame);

// What the pyramid of a picture of this size takes, with the approximation planes that exist while it is made.
size_t wavelet_pyramid_bytes(int width, int height);

}  // namespace vmafbatch::extractors::float_adm
