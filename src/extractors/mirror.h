// How filters read beyond the edge of a plane: reflected at the border sample, which is not repeated.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::extractors {

// -1 -> 1, -2 -> 2; n -> n - 2, n + 1 -> n - 3; inside 0 .. n-1 the index itself. One reflection only.
// REQUIRES: -n < i < 2n - 1
VB_HOST_DEVICE constexpr int mirror_index(int i, int n) {
  if (i < 0) return -i;
  return i < n ? i : 2 * n - i - 2;
}

}  // namespace vmafbatch::extractors
