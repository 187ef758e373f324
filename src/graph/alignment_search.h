// One offset for two whole sequences of signatures, however far: for recordings that start late.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/luma_signature.h"

namespace vmafbatch::graph {

// How many frames the distorted is behind the reference (negative: ahead), from -most to most; nothing where no offset, or more than
// one, explains the pictures clearly. Up to 500 distorted pictures are compared for each offset, so that a minute of video takes
// about a second.
std::optional<std::int64_t> search_offset(const std::vector<LumaSignature>& reference, const std::vector<LumaSignature>& distorted,
                                          std::int64_t most);

}  // namespace vmafbatch::graph
