// The time in which this process was awake: a limit on a clip's time must not pass while the process or the machine was suspended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace vmafbatch::io {

// Leaves out of a steady clock the stretches in which nobody looked at it for longer than `gap`. Not for several threads.
class AwakeTime {
 public:
  using Clock = std::chrono::steady_clock;

  AwakeTime(Clock::time_point start, Clock::duration gap) : last_(start), gap_(gap) {}

  // What `now` is in time awake. `now`: not before the last one.
  Clock::time_point at(Clock::time_point now) {
    if (now - last_ > gap_) asleep_ += now - last_;
    last_ = now;
    return now - asleep_;
  }

 private:
  Clock::time_point last_;
  Clock::duration gap_;
  Clock::duration asleep_{0};
};

// An AwakeTime that a thread of its own looks at all the time, so that only a process that is stopped (SIGSTOP, a suspended machine)
// leaves a gap. Any thread may ask.
class WakingClock {
 public:
  using Clock = AwakeTime::Clock;

  WakingClock();
  WakingClock(const WakingClock&) = delete;
  WakingClock& operator=(const WakingClock&) = delete;
  ~WakingClock();

  Clock::time_point now();

 private:
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  AwakeTime time_;
  std::thread thread_;
};

}  // namespace vmafbatch::io
