// The body of the collect node: what a device measured goes into the frame's record.
#pragma once

#include "graph/frame_record.h"
#include "hip/device_queue.h"

namespace vmafbatch::graph {

// Takes the measurements of job `message.job` from `task` (null: the device never got the frame), where it stands at `index`. False: the
// device failed, the CPU must measure the frame, and the job has left the device.
bool collect_job(const JobMessage& message, const hip::FrameTask* task, size_t index) noexcept;

}  // namespace vmafbatch::graph
