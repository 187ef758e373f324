// PNG and JPEG files back into pixels, by libavcodec's decoders.
#pragma once

#include <string>

#include "io/picture_writer.h"

namespace vmafbatch::testing {

// Throws std::runtime_error where the bytes are no such file.
io::RgbPicture decode_image(const std::string& bytes, io::ImageFormat format);

}  // namespace vmafbatch::testing
