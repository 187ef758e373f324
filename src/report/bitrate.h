// The bit rate of a clip's distorted file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/clip_data.h"

namespace vmafbatch::report {

struct Bitrate {
  std::optional<double> bits_per_second;
  std::string reason;  // why there is none
};

// The clip's tag "bitrate" where it has one ("800000", "800k", "0.8M"), else 8 * size / duration of the distorted file. The duration is
// that of the scored pictures and of those skipped before them, by option or by alignment. It says nothing about the file where not all
// of it was scored: a clip that is not done, was cut, or whose reference ends first.
// warnings: of the scoring, as ClipReader gives them.
Bitrate bitrate_of(const ScoringData& scoring, const std::map<std::string, std::string>& tags, const std::vector<std::string>& warnings);

}  // namespace vmafbatch::report
