// What a raw planar file does not say about itself. A file that begins as a container's does (Y4M, MP4, Matroska ...) is read as what it
// is, whatever the geometry says.
#pragma once

#include <optional>
#include <string>

namespace vmafbatch::io {

struct RawGeometry {
  int width = 0;                     // luma samples
  int height = 0;                    // luma rows
  std::string pixel_format = "420";  // 420, 422, 444, 400, or a name of FFmpeg ("nv12", "yuv420p10be")
  std::optional<int> bit_depth;      // 8, 10, 12, 16; default 8. A name of FFmpeg says it itself.
  int fps_numerator = 25;            // for times only
  int fps_denominator = 1;

  bool operator==(const RawGeometry&) const = default;
};

}  // namespace vmafbatch::io
