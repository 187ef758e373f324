#include "io/call_thread.h"

#include <algorithm>
#include <utility>

namespace vmafbatch::io {

CallThread::~CallThread() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(state_->mutex);
    state_->quit = true;
  }
  state_->work.notify_one();
  if (outcome_ == Outcome::kDone) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void CallThread::serve(const std::shared_ptr<State>& state) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->work.wait(lock, [&] { return state->quit || state->call; });
    if (!state->call) return;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      state->call();
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    state->call = nullptr;
    state->thrown = std::move(thrown);
    state->done.notify_one();
  }
}

CallThread::Outcome CallThread::run(std::function<void()> call, const ReadLimits& limits) {
  if (outcome_ != Outcome::kDone) return outcome_;
  if (!thread_.joinable()) thread_ = std::thread([state = state_] { serve(state); });
  const auto late_at = limits.call_deadline();
  std::unique_lock lock(state_->mutex);
  state_->call = std::move(call);
  state_->work.notify_one();
  constexpr std::chrono::milliseconds kPoll{50};  // for should_stop()
  while (true) {
    const auto wait = late_at ? std::min<ReadLimits::Clock::duration>(kPoll, *late_at - limits.now()) : kPoll;
    if (state_->done.wait_for(lock, wait, [&] { return !state_->call; })) {
      if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
      return Outcome::kDone;
    }
    if (limits.stopped()) return outcome_ = Outcome::kStopped;
    if (late_at && limits.now() >= *late_at) return outcome_ = Outcome::kLate;
  }
}

}  // namespace vmafbatch::io
