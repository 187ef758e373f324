// How many files the process may have open.
#pragma once

#include <cstdint>

namespace vmafbatch {

// Raises the limit as far as the process may: to the hard one. The usual soft limit of 1024 is there for programs that use select(2), so no
// command that does calls this. Call it before threads start.
void raise_open_file_limit();

std::uint64_t open_file_limit();

}  // namespace vmafbatch
