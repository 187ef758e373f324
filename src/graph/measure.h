// The bodies of the extractor nodes and of the comparison, free of the graph: tests call them with plain threads.
#pragma once

#include "graph/frame_record.h"

namespace vmafbatch::graph {

// Measures job `message.job` of its frame; an exception becomes the job's failure. Jobs of one frame may run at once.
void measure_job(const JobMessage& message) noexcept;

// Takes the signatures and times of the two pictures and finds out, for a reported frame, whether they are identical.
void compare_pictures(FrameRecord& record) noexcept;

}  // namespace vmafbatch::graph
