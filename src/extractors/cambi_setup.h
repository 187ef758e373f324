// What the options of cambi and the size of a clip decide before the first frame.
#pragma once

#include <string>

#include "base/result.h"
#include "extractors/cambi_tables.h"
#include "extractors/options.h"
#include "io/picture_format.h"

namespace vmafbatch::extractors {

// One of the two pictures: the size it is scored at, and the side of the window at that size (odd, at most kCambiLargestWindow).
struct CambiView {
  int width = 0;
  int height = 0;
  int window = 0;
};

struct CambiSetup {
  CambiView encoded;        // of the distorted picture
  CambiView source;         // of the reference
  bool antidither = false;  // encoded at less than ten bits: take dithering away
  bool half = false;        // cambi_high_res_speedup: the first scale is already halved
  int steps = 0;            // the largest contrast, in 10-bit sample values
  CambiThresholds thresholds{};
  int dark_limit = 0;  // cambi_dark_limit
  double pooled_share = 0.0;
};

// The name of the transfer function that counts: cambi_eotf unless it has its default, else eotf.
const std::string& cambi_eotf_name(const Options& options);

// The error is the reason why a clip of this format cannot be scored, with the limit. REQUIRES: the eotf is a known one
Result<CambiSetup> make_cambi_setup(const Options& options, const io::PictureFormat& format);

// How many of the contrasts of a scale are pooled: the share of all, rounded down, at least 1.
size_t cambi_pooled_count(double share, int width, int height);

}  // namespace vmafbatch::extractors
