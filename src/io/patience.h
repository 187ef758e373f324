// How calls to a file system that may be on the network are tried again, and what is said where they are given up. Private to this room.
#pragma once

#include <optional>
#include <string>

#include "io/call_thread.h"
#include "io/read_limits.h"

namespace vmafbatch::io {

// EIO, ESTALE, ETIMEDOUT, EAGAIN, and EMFILE, ENFILE (others close their files): the same call may work a moment later.
bool may_pass(int error);

std::string error_text(int error);

// "took longer than --clip-timeout 5 s while it was opened". REQUIRES: not kDone
std::string given_up_text(CallThread::Outcome outcome, const std::string& what, const ReadLimits& limits);

// Logs "PATH: ERROR while WHAT; try 2 of 7 follows in 100 ms" and sleeps; kLate or kStopped where `limits` end the waiting.
std::optional<CallThread::Outcome> pause_before_try(int next_try, const std::string& path, const std::string& what, int error,
                                                    const ReadLimits& limits);

}  // namespace vmafbatch::io
