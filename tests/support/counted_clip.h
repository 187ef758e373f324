// Clips whose pictures say which they are: picture n is flat, its luma is first_luma + n, without colour.
#pragma once

#include <cstdint>
#include <string>

#include "io/picture_writer.h"

namespace vmafbatch::testing {

struct CountedClip {
  int width = 48;  // even, as the height
  int height = 32;
  int frames = 20;  // first_luma + frames: at most 256
  int first_luma = 16;
  bool raw = false;      // the planes alone, else Y4M of 25 pictures a second; 4:2:0, 8 bits
  int odd_picture = -1;  // whose luma is `odd_luma` instead
  int odd_luma = 235;
};
void write_counted(const CountedClip& clip, const std::string& path);

// The gray that such a picture is shown with, limited range: 8-bit RGB, each part.
int shown_gray(int luma);

// The middle of the three pictures of a side-by-side of 48x32 pictures: reference, distorted, difference (0, 1, 2).
const std::uint8_t* panel_middle(const io::RgbPicture& picture, int panel);

}  // namespace vmafbatch::testing
