#include "cli/interrupt.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "base/unfinished_files.h"

namespace vmafbatch::cli {
namespace {

std::atomic<bool> g_stop{false};
SignalWords g_words = kRunWords;  // constant once the handlers are installed
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

// Said where it can be said at once: a handler that waited for a reader would hold its thread, and the next signal too.
void tell(std::string_view text) {
  const int kept = errno;
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  }
  errno = kept;
}

void on_signal(int signal) {
  if (!g_stop.exchange(true)) {
    tell(g_words.first);
    return;
  }
  if (signal == SIGHUP) return;  // a terminal that goes away sends it more than once
  std::signal(signal, SIG_DFL);
  ::alarm(1);  // a terminal with room for half the words would wait for the rest
  tell(g_words.again);
  remove_unfinished_files();
  std::raise(signal);  // comes when this handler returns
}

void remove_and_end(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // comes when this handler returns
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& stop_on_signals(const SignalWords& words) {
  g_words = words;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) install(signal, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  return g_stop;
}

void end_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) install(signal, remove_and_end);
}

}  // namespace vmafbatch::cli
