#include "io/patience.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/log.h"

namespace vmafbatch::io {

bool may_pass(int error) {
  switch (error) {
    case EIO:
    case ESTALE:
    case ETIMEDOUT:
    case EAGAIN:
    case EMFILE:
    case ENFILE: return true;
    default: return false;
  }
}

std::string error_text(int error) { return std::generic_category().message(error); }

std::string given_up_text(CallThread::Outcome outcome, const std::string& what, const ReadLimits& limits) {
  return (outcome == CallThread::Outcome::kStopped ? "stopped" : limits.late_text) + " while " + what;
}

std::optional<CallThread::Outcome> pause_before_try(int next_try, const std::string& path, const std::string& what, int error,
                                                    const ReadLimits& limits) {
  const auto longest = std::min(limits.first_wait * (1 << std::min(next_try - 2, 16)), ReadLimits::kLongestWait);
  log_warning(path + ": " + error_text(error) + " while " + what + "; try " + std::to_string(next_try) + " of " +
              std::to_string(limits.tries) + " follows in " + std::to_string(longest.count()) + " ms");
  constexpr std::chrono::milliseconds kPoll{20};
  const auto end = limits.now() + longest;
  while (true) {
    if (limits.stopped()) return CallThread::Outcome::kStopped;
    if (limits.late()) return CallThread::Outcome::kLate;
    const auto now = limits.now();
    if (now >= end) return std::nullopt;
    std::this_thread::sleep_for(std::min<ReadLimits::Clock::duration>(kPoll, end - now));
  }
}

}  // namespace vmafbatch::io
