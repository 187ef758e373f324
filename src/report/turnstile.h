// How many may do something at a time; the others wait a while for their turn.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace vmafbatch::report {

class Turnstile {
 public:
  explicit Turnstile(int places) : free_(places) {}

  // A place that is given back at the end; false: there was none within the time.
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
};

}  // namespace vmafbatch::report
