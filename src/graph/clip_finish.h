// The end of a clip: what needs all of its frames (finish() of extractors, models), where they were computed, and its status.
#pragma once

#include "base/result.h"
#include "graph/clip_outcome.h"
#include "graph/scoring.h"
#include "store/writer.h"

namespace vmafbatch::graph {

// Stores all that only the end of a clip gives, in one transaction with its status, and completes the outcome. Errors are the store's: an
// extractor or a model that fails is a failure of the clip. REQUIRES: all frames of the clip are stored; it was not interrupted
Status finish_clip(const ClipEnd& end, store::Writer& writer, ClipOutcome& outcome);

}  // namespace vmafbatch::graph
