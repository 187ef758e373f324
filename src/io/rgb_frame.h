// From a scored frame to a picture for people: 8-bit RGB, by the matrix and range that the stream is tagged with.
#pragma once

#include <string>

#include "base/result.h"
#include "io/frame.h"
#include "io/picture_writer.h"
#include "io/video_reader.h"

namespace vmafbatch::io {

// How the Y, Cb, Cr of one side are shown.
struct DisplayColour {
  std::string matrix;       // "bt709", in FFmpeg's names
  bool full_range = false;  // else limited
  std::string text;         // "bt709 limited", and what was assumed or cannot be shown
};

// What `own` says; what it does not say is taken from the other side's tags, and what neither says is assumed: limited range, BT.709 from
// 720 lines on, else BT.601 (smpte170m). High dynamic range (PQ, HLG) is shown as stored, and the text says so.
DisplayColour display_colour(const ColourTags& own, const ColourTags& other, const PictureFormat& format);

// As display_colour() for each side of a pair, whose `info`s are the reader's. A side that is converted from RGB has the matrix and range
// that the conversion gave it.
struct PairColours {
  DisplayColour reference, distorted;
};
PairColours display_colours(const StreamInfo& reference, const StreamInfo& distorted);

// The picture at another size (scaled by area), or at its own. More than 8 bits are shown by their upper 8. Gray has equal parts.
// Error: out of memory, or libswscale refuses. REQUIRES: width and height in 1..kMostPixels
Result<RgbPicture> rgb_picture(const Frame& frame, const DisplayColour& colour, int width, int height);

}  // namespace vmafbatch::io
