// Looks into the beginning of clips for a constant offset before they are scored.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/alignment_warnings.h"
#include "graph/run.h"
#include "io/group_reader.h"

namespace vmafbatch::graph {

// How one clip is to be scored.
struct AlignedClip {
  Skips skips;                        // the task's own where nothing was found
  std::string note;                   // what was done to the pictures; empty: nothing
  std::vector<std::string> warnings;  // what was done, or why nothing was
};

// Decodes the first 10 seconds of a group (and as many more as options.align_search_s) and looks for an offset of each member. A member
// that cannot be read keeps its skips: its scoring will say why. Gives up early where `limits` say so. May throw.
// REQUIRES: options.auto_align; the tasks form a group
std::vector<AlignedClip> align_group(const std::vector<ClipTask>& tasks, const std::vector<size_t>& members, const RunOptions& options,
                                     io::FramePool& pool, const io::ReadLimits& limits);

}  // namespace vmafbatch::graph
