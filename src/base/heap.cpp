#include "base/heap.h"

#include <malloc.h>

namespace vmafbatch {

void keep_pictures_out_of_the_heap() {
  // Measured: with smaller values the planes that extractors derive from 1920x1080 pictures cost page faults at every frame; with
  // greater ones the heaps of many threads keep more than they give back. Setting them also ends their own growth.
  constexpr int kMappedAloneBytes = 4 << 20;
  constexpr int kKeptAtAHeapsEndBytes = 16 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedAloneBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptAtAHeapsEndBytes);
}

}  // namespace vmafbatch
