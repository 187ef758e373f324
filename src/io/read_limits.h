// How long who reads a file waits for it.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/waking_clock.h"

namespace vmafbatch::io {

// Without should_stop, deadline and longest_call a call to the system may block for ever, as on a network mount that hangs. With one of
// them reading goes through a thread that can be left behind (io/call_thread.h).
struct ReadLimits {
  using Clock = std::chrono::steady_clock;

  std::function<bool()> should_stop;                   // asked in the reading thread while it waits; true: give up at once
  std::optional<Clock::time_point> deadline;           // of all reading under these limits
  std::optional<Clock::duration> longest_call;         // of a single call
  std::string late_text = "took longer than allowed";  // what the user is told of both
  std::shared_ptr<WakingClock> clock;                  // by which both are meant; null: Clock

  // Told that a file cannot be opened because the process (EMFILE) or the machine (ENFILE) has too many open; in the reading thread.
  std::function<void(int error)> no_more_files;

  // An error that may pass is tried again after first_wait, twice first_wait ... at most kLongestWait, `tries` times in all.
  static constexpr std::chrono::milliseconds kLongestWait{5000};
  int tries = 7;
  std::chrono::milliseconds first_wait{100};

  bool any() const { return should_stop || deadline || longest_call; }
  bool stopped() const { return should_stop && should_stop(); }
  Clock::time_point now() const { return clock ? clock->now() : Clock::now(); }
  bool late() const { return deadline && now() >= *deadline; }
  // When a call that begins now is given up.
  std::optional<Clock::time_point> call_deadline() const {
    if (!longest_call) return deadline;
    return deadline ? std::min(*deadline, now() + *longest_call) : now() + *longest_call;
  }
};

}  // namespace vmafbatch::io
