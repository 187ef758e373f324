// Puts the frames of a clip back in order: extractors finish them in any.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace vmafbatch::graph {

// Holds back items that came early. One thread at a time. What waits is bounded by the steps that admission lets be open.
template <class T>
class Sequencer {
 public:
  // The first index; 0 where it is not called. REQUIRES: nothing was pushed.
  void start_at(std::int64_t first) { next_ = first; }

  // Takes item `index` (each index once, without a gap from the first one) and calls take(T&&) for every item whose predecessors have all
  // been taken.
  template <class Take>
  void push(std::int64_t index, T item, Take&& take) {
    early_.emplace(index, std::move(item));
    while (!early_.empty() && early_.begin()->first == next_) {
      T ready = std::move(early_.begin()->second);
      early_.erase(early_.begin());
      ++next_;
      take(std::move(ready));
    }
  }

  // Lets go of what waits.
  void clear() { early_.clear(); }

  // The index that is taken next: the end of the contiguous prefix.
  std::int64_t next() const { return next_; }
  size_t waiting() const { return early_.size(); }

 private:
  std::map<std::int64_t, T> early_;
  std::int64_t next_ = 0;
};

}  // namespace vmafbatch::graph
