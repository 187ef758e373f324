// How many may do something at a time; some others wait a while for their turn, and all others are sent away at once: who waits holds a
// thread of the server.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace vmafbatch::report {

class Turnstile {
 public:
  Turnstile(int places, int most_waiting) : free_(places), room_(most_waiting) {}

  // A place that is given back at the end; false: there was none within the time, or too many wait already.
  class Place {
   public:
    // stopping: true ends the wait.
    Place(Turnstile& turnstile, std::chrono::milliseconds patience, const std::atomic<bool>& stopping);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    explicit operator bool() const { return taken_; }

   private:
    Turnstile& turnstile_;
    bool taken_ = false;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int free_;
  int room_;  // for so many more to wait
};

}  // namespace vmafbatch::report
