#include "support/counted_clip.h"

#include <cmath>

#include "support/media_files.h"

namespace vmafbatch::testing {

void write_counted(const CountedClip& clip, const std::string& path) {
  std::string bytes;
  if (!clip.raw) bytes = "YUV4MPEG2 W" + std::to_string(clip.width) + " H" + std::to_string(clip.height) + " F25:1 Ip A1:1 C420\n";
  const auto samples = static_cast<size_t>(clip.width) * static_cast<size_t>(clip.height);
  for (int n = 0; n < clip.frames; ++n) {
    if (!clip.raw) bytes += "FRAME\n";
    bytes += std::string(samples, static_cast<char>(n == clip.odd_picture ? clip.odd_luma : clip.first_luma + n));
    bytes += std::string(samples / 2, static_cast<char>(128));
  }
  write_file(path, bytes);
}

int shown_gray(int luma) { return static_cast<int>(std::lround(std::fmin(255, std::fmax(0, (luma - 16) * 255.0 / 219.0)))); }

const std::uint8_t* panel_middle(const io::RgbPicture& picture, int panel) {
  constexpr int kPanel = 240;  // 48 times 5
  constexpr int kPitch = kPanel + 4;
  constexpr int kTop = 17;  // the titles
  return picture.pixel(panel * kPitch + kPanel / 2, kTop + 80);
}

}  // namespace vmafbatch::testing
