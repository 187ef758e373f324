// The bit rate of a clip's distorted file.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "report/clip_data.h"

namespace vmafbatch::report {

struct Bitrate {
  std::optional<double> bits_per_second;
  std::string reason;  // why there is none
};

// The clip's tag "bitrate" where it has one ("800000", "800k", "0.8M"), else 8 * size / duration of the distorted file. The duration is
// that of the scored pictures and of those skipped before them; of a clip that was scored in part it says nothing about the file.
Bitrate bitrate_of(const ScoringData& scoring, const std::map<std::string, std::string>& tags);

}  // namespace vmafbatch::report
