// The one guard of every tile load. The threads of a block cover more than the plane where its size is no multiple of the block's, and
// one reflection at the border does not bring such a thread's index inside a small plane.
#pragma once

#include "base/host_device.h"

namespace vmafbatch::hip {

// The identity for 0 <= i < size, else the nearest index inside. Wherever the loaded value is used the index is inside already
// (tests/hip/tile_index_test.cpp replays every launch grid). REQUIRES: size >= 1
VB_HOST_DEVICE constexpr int tile_index(int i, int size) { return i < 0 ? 0 : (i < size ? i : size - 1); }

}  // namespace vmafbatch::hip
