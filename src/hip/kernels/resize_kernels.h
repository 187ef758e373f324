// Planes of floats resized: the prescale options.
#pragma once

#include <cstdint>

#include "extractors/float_plane_math.h"
#include "extractors/float_resize_math.h"
#include "hip/platform/kernel.h"
#include "hip/platform/kernel_list.h"
#include "io/plane.h"

namespace vmafbatch::hip {

// The samples of a plane on the 8-bit scale, centred around zero and resized. A thread for each sample of `out`.
template <class Sample>
struct ResizeKernel {
  static constexpr const char* kName = sizeof(Sample) == 1 ? "resize_8" : "resize_16";
  static constexpr int kWidth = 64, kHeight = 4;
  using Shared = NoShared;

  io::Plane<const Sample> in;
  float factor;                             // float_sample_factor
  const extractors::ResizeWindow* columns;  // out.width of them
  const extractors::ResizeWindow* rows;     // out.height of them
  extractors::ResizeMethod method;
  io::Plane<float> out;

  template <class Thread>
  VB_HOST_DEVICE void operator()(Thread& t, Shared&) const {
    const int x = t.global_x();
    const int y = t.global_y();
    if (x >= out.width || y >= out.height) return;
    const SampleAt at{in, factor};
    out.row(y)[x] = extractors::resize_sample(at, columns[x], rows[y], method);
  }

 private:
  struct SampleAt {
    io::Plane<const Sample> in;
    float factor;
    VB_HOST_DEVICE float operator()(int y, int x) const {
      return extractors::float_sample(in.row(y)[x], factor, extractors::kCentredOffset);
    }
  };
};

using ResizeKernels = KernelList<ResizeKernel<std::uint8_t>, ResizeKernel<std::uint16_t>>;

}  // namespace vmafbatch::hip
