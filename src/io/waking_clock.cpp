#include "io/waking_clock.h"

namespace vmafbatch::io {
namespace {

// A busy machine lets no thread wait for as long as kGap; where it does, a limit is that much more generous.
constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::seconds kGap{2};

}  // namespace

WakingClock::WakingClock() : time_(Clock::now(), kGap) {
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, kLook, [this] { return ended_; })) time_.at(Clock::now());
  });
}

WakingClock::~WakingClock() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

WakingClock::Clock::time_point WakingClock::now() {
  const std::scoped_lock lock(mutex_);
  return time_.at(Clock::now());
}

}  // namespace vmafbatch::io
