// The bodies of the extractor nodes and of the comparison, free of the graph: tests call them with plain threads.
#pragma once

#include "graph/frame_record.h"
#include "hip/device_queue.h"

namespace vmafbatch::graph {

// Measures job `message.job` of its frame; an exception becomes the job's failure. Jobs of one frame may run at once.
void measure_job(const JobMessage& message) noexcept;

// Takes the measurements of job `message.job` from `task` (null: the device never got the frame), where it stands at `index`. False: the
// device failed, the CPU must measure the frame, and the job has left the device.
bool collect_job(const JobMessage& message, const hip::FrameTask* task, size_t index) noexcept;

// Takes the signatures of the two pictures and finds out, for a reported frame, whether they are identical.
void compare_pictures(FrameRecord& record) noexcept;

}  // namespace vmafbatch::graph
