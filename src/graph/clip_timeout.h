// --clip-timeout: how long a clip may take from the moment at which it is opened to its last decoded picture.
//
// A ladder has one clock. Each of its clips brings the timeout to it, as the time of a group is split evenly between its clips; and no
// single call to the system may take longer than the timeout, so that a file that hangs uses up its own clip's share and no other's.
// Time in which the process or the machine was stopped does not count.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/read_limits.h"

namespace vmafbatch::graph {

class ClipTimeout {
 public:
  // `seconds`: of a clip; nothing: it may take as long as it likes. `no_more_files`: io::ReadLimits's.
  explicit ClipTimeout(std::optional<double> seconds, std::function<void(int error)> no_more_files = {});

  // Under which the files of a group of `clips` are read that begins now. `should_stop`: from any thread. Any thread.
  io::ReadLimits limits(size_t clips, std::function<bool()> should_stop) const;

 private:
  std::optional<double> seconds_;
  std::function<void(int error)> no_more_files_;
  std::shared_ptr<io::WakingClock> clock_;  // null without a timeout
};

}  // namespace vmafbatch::graph
