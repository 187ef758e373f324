// The sentences of a clip's alignment, each with its cure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/alignment.h"

namespace vmafbatch::graph {

// Frames dropped at the start of either side.
struct Skips {
  std::int64_t reference = 0;
  std::int64_t distorted = 0;

  bool operator==(const Skips&) const = default;
};

// The skips that bring pictures in step where the distorted runs `behind` under the skips `now`.
Skips skips_for(std::int64_t behind, const Skips& now);

// "skip_distorted 3", "skip_reference 1": what of `cure` is not in `now`.
std::string skips_text(const Skips& cure, const Skips& now);

// "the distorted starts 1 frame late (its picture n is the reference's n + 1)". REQUIRES: behind != 0
std::string offset_sentence(std::int64_t behind);

// One sentence each; none where the clip is in step or nothing can be said. `now`: as the clip was scored.
std::vector<std::string> alignment_warnings(const AlignmentFindings& findings, const Skips& now);

// Of sides that are paired picture by picture: nothing where their rates, pictures a second, are as near as 24 and 25, which show the same
// pictures on purpose.
std::optional<std::string> frame_rate_warning(double reference, double distorted);

}  // namespace vmafbatch::graph
