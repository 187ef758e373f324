// One picture of a pair for people: reference, distorted and what differs, side by side over a caption.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/frame.h"
#include "io/picture_writer.h"
#include "io/rgb_frame.h"

namespace vmafbatch::report {

struct SideBySideOptions {
  double amplify = 8;
  int max_width = 1920;  // at least kLeastWidth
};

inline constexpr int kLeastWidth = 320;  // of the whole, so that a caption can be read

// The size at which each of three pictures is shown: its own; or smaller by area, keeping its shape, so that three fit into `max_width`;
// or tiny ones larger by a whole number.
struct PanelSize {
  int width = 0;  // after scaling down, before enlarging
  int height = 0;
  int enlarge = 1;  // every pixel becomes so many squared
};
PanelSize panel_size(int width, int height, int max_width);

// |reference - distorted| of the samples that were scored, on the scale of 8 bits, times `amplify` and at most 255: what differs in luma is
// gray, in Cb blue, in Cr red, each added to the gray. Scaled down, a pixel shows the largest difference that it covers, so that a
// single wrong sample does not vanish. REQUIRES: width and height in 1..the pair's, amplify is not negative
io::RgbPicture difference_picture(const io::FramePair& pair, double amplify, int width, int height);

// The three with their titles, and the caption's lines below; long lines are wrapped. Error: as io::rgb_picture().
Result<io::RgbPicture> side_by_side(const io::FramePair& pair, const io::PairColours& colours, const std::vector<std::string>& caption,
                                    const SideBySideOptions& options);

}  // namespace vmafbatch::report
