#include "io/picture_format.h"

namespace vmafbatch::io {

size_t PictureFormat::bytes() const {
  size_t samples = 0;
  for (int plane = 0; plane < plane_count(); ++plane) {
    samples += static_cast<size_t>(plane_width(plane)) * static_cast<size_t>(plane_height(plane));
  }
  return samples * bytes_per_sample();
}

std::string PictureFormat::text() const {
  const std::string digits = chroma_name(chroma);
  return std::to_string(width) + "x" + std::to_string(height) + " " + digits[0] + ":" + digits[1] + ":" + digits[2] + " " +
         std::to_string(bit_depth) + "-bit";
}

const char* chroma_name(Chroma chroma) {
  switch (chroma) {
    case Chroma::k400: return "400";
    case Chroma::k420: return "420";
    case Chroma::k422: return "422";
    case Chroma::k444: return "444";
  }
  return "?";
}

}  // namespace vmafbatch::io
