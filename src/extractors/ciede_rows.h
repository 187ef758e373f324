// The colour differences of whole rows of pixels, and their sum over a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "extractors/ciede_math.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// The chroma sample that covers a luma sample (decision: the score equals that of the pair with chroma repeated to 4:4:4; libvmaf 3.2.0
// mixes the axes up at 4:2:2).
struct ChromaPosition {
  int x;
  int y;
};
VB_HOST_DEVICE inline ChromaPosition ciede_chroma_position(io::Chroma chroma, int x, int y) {
  return {chroma == io::Chroma::k444 ? x : x >> 1, chroma == io::Chroma::k420 ? y >> 1 : y};
}

// What was computed lately, under the samples that it was computed from: pictures repeat their colours, and a colour costs six powers.
// For one thread at a time.
class CiedeMemory {
 public:
  explicit CiedeMemory(int bit_depth);

  // The difference of two pixels, each given as packed samples.
  float difference(std::uint64_t reference, std::uint64_t distorted);

  static constexpr std::uint64_t pack(unsigned luma, unsigned cb, unsigned cr) {
    return luma | std::uint64_t{cb} << 16 | std::uint64_t{cr} << 32;
  }
  static constexpr size_t kBytes = (size_t{1} << 13) * 24 + (size_t{1} << 13) * 24;

 private:
  static constexpr int kSlotBits = 13;
  static constexpr std::uint64_t kNoPixel = ~std::uint64_t{0};  // packed samples have 48 bits

  struct Colour {
    std::uint64_t pixel = kNoPixel;
    CiedeLab lab{};
  };
  struct Difference {
    std::uint64_t reference = kNoPixel;
    std::uint64_t distorted = kNoPixel;
    float value = 0.0f;
  };

  static size_t slot_of(std::uint64_t pixels) { return static_cast<size_t>((pixels * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits)); }
  const CiedeLab& lab(std::uint64_t pixel);

  CiedeRange range_;
  std::unique_ptr<Colour[]> colours_;
  std::unique_ptr<Difference[]> differences_;
};

// Writes the colour difference of every pixel of row y to out[0 .. width-1]. REQUIRES: both pictures have one format with chroma.
void slow_ciede_row(const io::Frame& reference, const io::Frame& distorted, int y, float* out);
// The same, helped by what `memory` (of the same bit depth) holds.
void fast_ciede_row(const io::Frame& reference, const io::Frame& distorted, int y, CiedeMemory& memory, float* out);

// The differences of all pixels added in raster order in one double. Rows are computed in parallel; simd_mode() chooses the path.
double ciede_sum(const io::FramePair& pair);

// The memory that ciede_sum takes for a picture of this width, in bytes.
size_t ciede_sum_bytes(int width);

}  // namespace vmafbatch::extractors
