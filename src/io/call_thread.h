// A thread for calls that may never return, such as a read from a network mount that hangs. Private to this room.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "io/read_limits.h"

namespace vmafbatch::io {

// One thread at a time.
class CallThread {
 public:
  enum class Outcome {
    kDone,     // the call has returned
    kLate,     // it had not when its time was over
    kStopped,  // it had not when should_stop() became true
  };

  CallThread() = default;
  CallThread(const CallThread&) = delete;
  CallThread& operator=(const CallThread&) = delete;
  // A thread that was left in a call stays there; it frees what the call holds when the call returns, or goes with the program.
  ~CallThread();

  // Runs `call` in the thread and waits for it; what it throws is thrown here, as if it had been called here. Not kDone: the call may still
  // run, so it must own (share) all that it touches; the thread is lost, and every further call gives the same at once.
  Outcome run(std::function<void()> call, const ReadLimits& limits);

 private:
  // Shared with the thread, which may outlive this object.
  struct State {
    std::mutex mutex;
    std::condition_variable work;
    std::condition_variable done;
    std::function<void()> call;  // empty: nothing to do
    std::exception_ptr thrown;   // by the last call
    bool quit = false;
  };

  static void serve(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread thread_;
  Outcome outcome_ = Outcome::kDone;  // else: of the call that the thread was left in
};

}  // namespace vmafbatch::io
