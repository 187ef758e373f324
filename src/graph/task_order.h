// In which order a run takes its clips. Their scores do not depend on it.
#pragma once

#include <vector>

#include "graph/decode_lane.h"

namespace vmafbatch::graph {

// How much work a task is, in bytes of uncompressed pictures, guessed from its files' sizes; 0 where they cannot be read. Only good for
// comparing tasks of one run.
double guessed_bytes(const ClipTask& task);

// The groups that are the most work come first, so that no long clip is left alone at the end; equal ones stay in their order.
void put_longest_first(const std::vector<ClipTask>& tasks, std::vector<ClipGroup>& groups);

}  // namespace vmafbatch::graph
