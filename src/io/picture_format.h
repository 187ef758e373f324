// The shape of a decoded picture: planar Y, Cb, Cr, unsigned native samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vmafbatch::io {

enum class Chroma { k400, k420, k422, k444 };

// Samples of 8 bits are uint8_t, deeper ones uint16_t with the value in the low bits.
struct PictureFormat {
  int width = 0;   // luma samples, after cropping
  int height = 0;  // luma rows
  Chroma chroma = Chroma::k420;
  int bit_depth = 8;  // 8, 10, 12 or 16

  int plane_count() const { return chroma == Chroma::k400 ? 1 : 3; }
  // Chroma sizes round up (decision 2). plane: 0 = Y, 1 = Cb, 2 = Cr.
  int plane_width(int plane) const { return plane == 0 || chroma == Chroma::k444 ? width : (width + 1) / 2; }
  int plane_height(int plane) const { return plane == 0 || chroma != Chroma::k420 ? height : (height + 1) / 2; }
  size_t bytes_per_sample() const { return bit_depth > 8 ? 2 : 1; }
  // Bytes of all planes without padding.
  size_t bytes() const;
  // "1920x1080 4:2:0 10-bit"
  std::string text() const;

  bool operator==(const PictureFormat&) const = default;
};

// "400", "420", "422", "444".
const char* chroma_name(Chroma chroma);

}  // namespace vmafbatch::io
