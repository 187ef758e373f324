// Signals of a run. Ctrl-C, SIGTERM and the end of a terminal (SIGHUP) ask it to stop and store; a second Ctrl-C or SIGTERM ends the
// program at once. Both are told on standard error.
#pragma once

#include <atomic>
#include <string_view>

namespace vmafbatch::cli {

// What is said at the first signal and at the next; both live as long as the program.
struct SignalWords {
  std::string_view first;
  std::string_view again;
};

inline constexpr SignalWords kRunWords = {
    "\nstopping: frames in flight are finished and stored; once more ends at once\n",
    "\nended at once: what came after the last checkpoint may be lost; the same command goes on from there\n"};

// The same command would begin anew.
inline constexpr SignalWords kFreshRunWords = {
    kRunWords.first,
    "\nended at once: what came after the last checkpoint may be lost; the same command without --fresh goes on from there\n"};

// Installs the handlers and gives the flag they set. What was ignored when the program started stays ignored (nohup, a shell's "&"). A
// pipe that nobody reads any more does not end the run.
const std::atomic<bool>& stop_on_signals(const SignalWords& words = kRunWords);

// For commands that have nothing to store: the same signals remove what is unfinished (base/unfinished_files.h) and end the program as they
// would without a handler. stop_on_signals() replaces it.
void end_on_signals();

}  // namespace vmafbatch::cli
