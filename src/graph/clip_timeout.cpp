#include "graph/clip_timeout.h"

#include <chrono>
#include <utility>

#include "base/number_text.h"

namespace vmafbatch::graph {

io::ReadLimits clip_limits(const RunOptions& options, size_t clips, std::function<bool()> should_stop) {
  using Clock = io::ReadLimits::Clock;
  io::ReadLimits limits;
  limits.should_stop = std::move(should_stop);
  if (options.clip_timeout_s) {
    const std::chrono::duration<double> timeout(*options.clip_timeout_s);
    limits.longest_call = std::chrono::duration_cast<Clock::duration>(timeout);
    limits.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeout * static_cast<double>(clips));
    limits.late_text = "took longer than --clip-timeout " + format_double(*options.clip_timeout_s) + " s";
  }
  return limits;
}

}  // namespace vmafbatch::graph
