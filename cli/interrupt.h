// Signals of a run. Ctrl-C, SIGTERM and the end of a terminal (SIGHUP) ask it to stop and store; a second Ctrl-C or SIGTERM ends the
// program at once. Both are told on standard error.
#pragma once

#include <atomic>

namespace vmafbatch::cli {

// Installs the handlers and gives the flag they set. What was ignored when the program started stays ignored (nohup, a shell's "&"). A
// pipe that nobody reads any more does not end the run.
const std::atomic<bool>& stop_on_signals();

}  // namespace vmafbatch::cli
