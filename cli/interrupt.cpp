#include "cli/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace vmafbatch::cli {
namespace {

std::atomic<bool> g_stop{false};
SignalWords g_words = kRunWords;  // constant once the handlers are installed
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void tell(std::string_view text) {
  const int kept = errno;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  errno = kept;
}

void on_signal(int signal) {
  if (!g_stop.exchange(true)) {
    tell(g_words.first);
    return;
  }
  if (signal == SIGHUP) return;  // a terminal that goes away sends it more than once
  tell(g_words.again);
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // comes when this handler returns
}

void install(int signal) {
  struct sigaction action = {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& stop_on_signals(const SignalWords& words) {
  g_words = words;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) install(signal);
  std::signal(SIGPIPE, SIG_IGN);
  return g_stop;
}

}  // namespace vmafbatch::cli
