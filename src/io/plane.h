// A view of one rectangular plane of samples.
#pragma once

#include <cstddef>

#include "base/host_device.h"

namespace vmafbatch::io {

template <class T>
struct Plane {
  T* data = nullptr;
  ptrdiff_t stride = 0;  // in samples, from one row to the next
  int width = 0;
  int height = 0;

  VB_HOST_DEVICE T* row(int y) const { return data + static_cast<ptrdiff_t>(y) * stride; }
};

}  // namespace vmafbatch::io
