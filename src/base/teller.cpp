#include "base/teller.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace vmafbatch {
namespace {

constexpr size_t kMostWaiting = size_t{1} << 20;

// What cannot be written is lost: nobody reads any more, or the disk is full.
void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {  // somebody else made it non-blocking
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (written == 0 || errno != EINTR) {
      return;
    }
  }
}

// The signals of a run are for its other threads, and a pipe that nobody reads any more is no reason to end.
void block_all_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

struct Teller::State {
  explicit State(int to) : descriptor(to) {}

  bool is_idle() const { return waiting.empty() && !is_writing; }

  // The thread's work.
  void run() {
    block_all_signals();
    std::unique_lock lock(mutex);
    while (true) {
      work.wait(lock, [this] { return !waiting.empty() || stop; });
      if (waiting.empty()) return;
      const std::string text = std::exchange(waiting, {});
      is_writing = true;
      lock.unlock();
      write_all(descriptor, text);
      lock.lock();
      is_writing = false;
      gave_up = false;
      written.notify_all();
    }
  }

  // REQUIRES: `lock` holds the mutex
  void wait_until_idle(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds patience) {
    if (!gave_up && !written.wait_for(lock, patience, [this] { return is_idle(); })) gave_up = true;
  }

  const int descriptor;
  std::mutex mutex;
  std::condition_variable work, written;
  std::string waiting;
  bool is_writing = false;
  bool gave_up = false;  // the reader did not go on within the patience
  bool stop = false;
  std::thread thread;
};

Teller::Teller(int descriptor, std::chrono::milliseconds patience) : state_(std::make_shared<State>(descriptor)), patience_(patience) {}

Teller::~Teller() {
  std::unique_lock lock(state_->mutex);
  if (!state_->thread.joinable()) return;
  state_->wait_until_idle(lock, patience_);
  state_->stop = true;
  const bool is_idle = state_->is_idle();
  state_->waiting.clear();
  state_->work.notify_all();
  lock.unlock();
  if (is_idle) {
    state_->thread.join();
  } else {
    state_->thread.detach();
  }
}

// False: it is written or lost already.
bool Teller::append(const std::string& text) {
  if (!state_->thread.joinable()) {
    try {
      state_->thread = std::thread([state = state_] { state->run(); });
    } catch (const std::system_error&) {  // no more threads for this user
      write_all(state_->descriptor, text);
      return false;
    }
  }
  if (state_->waiting.size() + text.size() > kMostWaiting) return false;
  state_->waiting += text;
  state_->work.notify_all();
  return true;
}

void Teller::tell(const std::string& text) {
  std::unique_lock lock(state_->mutex);
  if (append(text)) state_->wait_until_idle(lock, patience_);
}

void Teller::tell_later(const std::string& text) {
  const std::lock_guard lock(state_->mutex);
  append(text);
}

bool Teller::is_behind() const {
  const std::lock_guard lock(state_->mutex);
  return !state_->is_idle();
}

Teller& standard_error() {
  static Teller teller(STDERR_FILENO);
  return teller;
}

}  // namespace vmafbatch
