// Pictures for people: RGB in memory, from scored frames, as PNG or JPEG by libavcodec's encoders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::io {

// Rows from the top, three bytes (red, green, blue) a pixel, without padding.
struct RgbPicture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bytes;

  RgbPicture() = default;
  // Black. REQUIRES: both are positive. Throws std::bad_alloc.
  RgbPicture(int w, int h) : width(w), height(h), bytes(size_t{3} * static_cast<size_t>(w) * static_cast<size_t>(h)) {}

  std::uint8_t* pixel(int x, int y) { return bytes.data() + offset(x, y); }
  const std::uint8_t* pixel(int x, int y) const { return bytes.data() + offset(x, y); }

 private:
  size_t offset(int x, int y) const { return 3 * (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)); }
};

enum class ImageFormat {
  kPng,   // exact
  kJpeg,  // small; full colour resolution
};

// The largest width and height of a JPEG, which no picture here may pass.
inline constexpr int kMostPixels = 65500;

// "png", "jpeg"; "image/png", "image/jpeg".
const char* image_extension(ImageFormat format);
const char* media_type(ImageFormat format);

// The bytes of the file. Error: the encoder is missing in this libavcodec, or refuses the picture.
// REQUIRES: width and height in 1..kMostPixels
Result<std::string> encode_picture(const RgbPicture& picture, ImageFormat format);

// A name that every file system takes and that leads into no other folder: letters, digits, '.', '_' and '-' of `text` stay, other bytes
// become '_', and where anything was changed a hash of `text` follows, so that two texts never share a name. At most 120 bytes.
std::string safe_file_name(std::string_view text);

}  // namespace vmafbatch::io
