#include "graph/collect.h"

#include <exception>

#include "graph/scoring.h"

namespace vmafbatch::graph {

bool collect_job(const JobMessage& message, const hip::FrameTask* task, size_t index) noexcept {
  Job& job = *message.record->scoring->plan.jobs[message.job];
  JobOutcome& outcome = message.record->outcomes[message.job];
  try {
    if (task == nullptr || task->error()) {
      job.leave_device(task == nullptr ? "no memory to send a frame to the device" : *task->error());
      return false;
    }
    task->collect(index, outcome.measurements);
    outcome.measured = true;
    outcome.on_device = true;
    return true;
  } catch (const std::exception& e) {
    job.leave_device(e.what());
  } catch (...) {
    job.leave_device("reading its results stopped for an unknown reason");
  }
  return false;
}

}  // namespace vmafbatch::graph
