// In which order a run takes its clips. Their scores do not depend on it.
#pragma once

#include <vector>

#include "graph/decode_lane.h"

namespace vmafbatch::graph {

// The groups that are the most work come first, so that no long clip is left alone at the end; equal ones stay in their order. Work is
// guessed in bytes of uncompressed pictures, from the sizes of the files as the tasks know them; 0 where they do not.
void put_longest_first(const std::vector<ClipTask>& tasks, std::vector<ClipGroup>& groups);

}  // namespace vmafbatch::graph
