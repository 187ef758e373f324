// The options that speed_chroma and speed_temporal have in common.
#pragma once

#include <array>

#include "extractors/extractor.h"
#include "extractors/float_resize.h"
#include "extractors/speed_low_pass.h"
#include "extractors/tables.h"

namespace vmafbatch::extractors {

// `max_val_help`: what the cap does.
constexpr std::array<OptionSpec, 6> speed_options(std::string_view max_val_help) {
  return {
      real_option("speed_kernelscale", "ks", 1.0, 0.1, 4.0, "scale of both Gaussian windows; one of 21 values"),
      real_option("speed_prescale", "ps", 1.0, 0.1, 4.0, "factor by which both pictures are resized first"),
      OptionSpec{.name = "speed_prescale_method",
                 .alias = "psm",
                 .type = OptionType::kText,
                 .default_value = kResizeMethods[0],
                 .help = "how speed_prescale resizes",
                 .choices = kResizeMethods},
      real_option("speed_sigma_nn", "snn", 0.29, 0.1, 2.0, "variance of the neural noise, grey levels squared"),
      real_option("speed_nn_floor", "nnf", 0.0, 0.0, 1.0, "blocks whose entropy is below that of (1 + this) times the noise do not count"),
      real_option("speed_max_val", "mxv", 1000.0, 0.0, 1000.0, max_val_help)};
}

Status check_speed_options(const Options& options);

// The error of a plane whose size after the prescale is too small, else success.
Status check_speed_size(const ExtractorInfo& info, const Options& options, const ClipInfo& clip, int plane);

}  // namespace vmafbatch::extractors
