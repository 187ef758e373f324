// The body of the gather node: finds the last report of a frame and concludes the frame.
#pragma once

#include <optional>

#include "graph/frame_record.h"

namespace vmafbatch::graph {

// Reports one piece of work of a frame. The last report lets the frame's pictures go, concludes every job, and returns the scores;
// all others return nothing. Any thread.
std::optional<FrameScores> gather_report(const JobMessage& message) noexcept;

}  // namespace vmafbatch::graph
