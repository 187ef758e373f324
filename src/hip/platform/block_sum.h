// Sums over the threads of a block, without assuming how many run in step.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::hip {

// Adds `own` of all N threads of a block into partial[0], which every thread may read after the call. Integers only: the order of
// additions is not the threads'. `thread`: its number in the block, 0 .. N-1. A barrier must stand before `partial` is used again.
// REQUIRES: N is a power of two; all threads of the block call it.
template <class Thread, class Value, int N>
VB_HOST_DEVICE void block_sum(Thread& t, Value (&partial)[N], int thread, Value own) {
  static_assert((N & (N - 1)) == 0, "halved until one is left");
  partial[thread] = own;
  t.sync();
  for (int half = N / 2; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    t.sync();
  }
}

}  // namespace vmafbatch::hip
