// Ctrl-C and SIGTERM: the first asks the run to stop and store, the second ends the program at once.
#pragma once

#include <atomic>

namespace vmafbatch::cli {

// Installs the handlers and gives the flag they set.
const std::atomic<bool>& stop_on_signals();

}  // namespace vmafbatch::cli
