// The decibel forms of the three SSIM extractors: options enable_db and clip_db.
#pragma once

#include "extractors/options.h"
#include "io/picture_format.h"

namespace vmafbatch::extractors {

// How one instance reports a score.
class SsimScale {
 public:
  // Reads enable_db and clip_db. The ceiling of clip_db comes from the luma size and the depth.
  SsimScale(const Options& options, const io::PictureFormat& format);

  bool decibels() const { return decibels_; }
  // The score itself, or -10 log10(1 - score) up to the ceiling. In dB a score of 1 or more, or NaN, gives the ceiling, which is +infinity
  // without clip_db.
  double operator()(double score) const;

 private:
  bool decibels_;
  double ceiling_;
};

// The two options, for the tables of the extractors.
inline constexpr OptionSpec kSsimEnableDb = {.name = "enable_db",
                                             .type = OptionType::kBool,
                                             .role = OptionRole::kValue,
                                             .default_value = false,
                                             .help = "give the score as -10 log10(1 - score), dB"};
inline constexpr OptionSpec kSsimClipDb = {.name = "clip_db",
                                           .type = OptionType::kBool,
                                           .role = OptionRole::kValue,
                                           .default_value = false,
                                           .help = "with enable_db: cap the dB value at a ceiling that follows from size and depth"};

}  // namespace vmafbatch::extractors
