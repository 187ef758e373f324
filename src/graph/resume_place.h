// Where a clip goes on that an interrupted run left in its middle, and whether it may.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graph/run.h"
#include "graph/scoring.h"
#include "io/group_reader.h"
#include "store/records.h"

namespace vmafbatch::graph {

// Why what is stored cannot be gone on with, as the end of a sentence: "the distorted file is another one"; nothing where it can. The
// files are compared with what the task's were when it was looked for in the database, everything else with what is stored.
// REQUIRES: prefix.frames > 0; scoring.plan and scoring.record are complete
std::optional<std::string> why_not_resumed(const store::StoredPrefix& prefix, const ClipTask& task, const Scoring& scoring);

// Adds the stored times of a member's pair; false where they do not tell it from the pair before it.
bool add_times(const store::StoredPrefix& prefix, std::int64_t frame, size_t member, io::PositionTimes& times);

enum class Likeness { kSame, kOther, kUnknown };  // kUnknown: the pair is not among the newest that are stored

// Whether the pair shows the luma that is stored of the frame.
Likeness compare_pictures(const store::StoredPrefix& prefix, std::int64_t frame, const io::FramePair& pair);

}  // namespace vmafbatch::graph
