// How filters read beyond the edge of a plane: reflected at the border sample, which is repeated by some and not by others.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::extractors {

// -1 -> 1, -2 -> 2; n -> n - 2, n + 1 -> n - 3; inside 0 .. n-1 the index itself. One reflection only.
// REQUIRES: -n < i < 2n - 1
VB_HOST_DEVICE constexpr int mirror_index(int i, int n) {
  if (i < 0) return -i;
  return i < n ? i : 2 * n - i - 2;
}

// The border sample is repeated: -1 -> 0, -2 -> 1; n -> n - 1, n + 1 -> n - 2; inside 0 .. n-1 the index itself. One reflection only.
// REQUIRES: -n <= i < 2n
VB_HOST_DEVICE constexpr int symmetric_index(int i, int n) {
  if (i < 0) return -1 - i;
  return i < n ? i : 2 * n - 1 - i;
}

}  // namespace vmafbatch::extractors
