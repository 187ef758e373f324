// --clip-timeout: how long a clip may take from the moment at which it is opened to its last decoded picture.
//
// A ladder has one clock. Each of its clips brings the timeout to it, as the time of a group is split evenly between its clips; and no
// single call to the system may take longer than the timeout, so that a file that hangs uses up its own clip's share and no other's.
#pragma once

#include <cstddef>
#include <functional>

#include "graph/run.h"
#include "io/read_limits.h"

namespace vmafbatch::graph {

// Under which the files of a group of `clips` are read that begins now. `should_stop`: from any thread.
io::ReadLimits clip_limits(const RunOptions& options, size_t clips, std::function<bool()> should_stop);

}  // namespace vmafbatch::graph
