#include "graph/clip_timeout.h"

#include <chrono>
#include <utility>

#include "base/number_text.h"

namespace vmafbatch::graph {

ClipTimeout::ClipTimeout(std::optional<double> seconds, std::function<void(int error)> no_more_files)
    : seconds_(seconds), no_more_files_(std::move(no_more_files)), clock_(seconds ? std::make_shared<io::WakingClock>() : nullptr) {}

io::ReadLimits ClipTimeout::limits(size_t clips, std::function<bool()> should_stop) const {
  using Duration = io::ReadLimits::Clock::duration;
  io::ReadLimits limits;
  limits.should_stop = std::move(should_stop);
  limits.no_more_files = no_more_files_;
  if (seconds_) {
    const std::chrono::duration<double> timeout(*seconds_);
    limits.clock = clock_;
    limits.longest_call = std::chrono::duration_cast<Duration>(timeout);
    limits.deadline = limits.now() + std::chrono::duration_cast<Duration>(timeout * static_cast<double>(clips));
    limits.late_text = "took longer than --clip-timeout " + format_double(*seconds_) + " s";
  }
  return limits;
}

}  // namespace vmafbatch::graph
