// A frame's bands (groups of rows) computed by any number of threads, their results folded in order by one at a time: for sums whose
// order decides the rounding.
#pragma once

#include <oneapi/tbb/parallel_pipeline.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace vmafbatch::extractors {

// At most so many bands of one frame are computed or wait for their turn: it bounds the memory, and frames run side by side anyway.
inline constexpr size_t kBandsInFlight = 8;

// Calls compute(band, slot) for every band 0 .. bands-1, in any order and on any thread, and fold(slot) for the same slot afterwards, in
// ascending order of bands, never two at a time. A slot is the room for one band's result; it is used again for later bands, so that
// what compute() keeps in it stays warm. REQUIRES: slots holds at least kBandsInFlight slots. Exceptions reach the caller.
template <class Slot, class Compute, class Fold>
void fold_in_order(int bands, std::vector<Slot>& slots, const Compute& compute, const Fold& fold) {
  struct Work {
    int band;
    Slot* slot;
  };
  std::mutex mutex;  // guards `free`
  std::vector<Slot*> free;
  for (Slot& slot : slots) free.push_back(&slot);

  int next = 0;
  const auto take = [&](oneapi::tbb::flow_control& control) -> Work {
    if (next == bands) {
      control.stop();
      return {};
    }
    const std::lock_guard lock(mutex);
    Slot* slot = free.back();
    free.pop_back();
    return {next++, slot};
  };
  const auto work = [&](Work item) {
    compute(item.band, *item.slot);
    return item.slot;
  };
  const auto give = [&](Slot* slot) {
    fold(*slot);
    const std::lock_guard lock(mutex);
    free.push_back(slot);
  };
  using oneapi::tbb::filter_mode;
  oneapi::tbb::parallel_pipeline(kBandsInFlight, oneapi::tbb::make_filter<void, Work>(filter_mode::serial_in_order, take) &
                                                     oneapi::tbb::make_filter<Work, Slot*>(filter_mode::parallel, work) &
                                                     oneapi::tbb::make_filter<Slot*, void>(filter_mode::serial_in_order, give));
}

}  // namespace vmafbatch::extractors
