// How a frame finds out that it is complete.
#pragma once

#include <atomic>

namespace vmafbatch::graph {

// A frame is complete when everybody who works on it has reported: the one who reports last finds out.
// Any thread may call report().
class Countdown {
 public:
  explicit Countdown(int reports) : missing_(reports) {}

  // True for exactly one caller: the last. What the others wrote before their report is visible to it.
  bool report() { return missing_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<int> missing_;
};

}  // namespace vmafbatch::graph
