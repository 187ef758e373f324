// Turns a KernelList into a table of launchers of the build that compiles it: device code under hipcc and nvcc, fibers under the C++
// compiler.
#pragma once

#include <type_traits>
#include <vector>

#include "hip/platform/kernel_list.h"
#include "hip/platform/module_table.h"

#if defined(__HIPCC__) || defined(__CUDACC__)
#include "hip/platform/device_launch.h"
#else
#include "hip/host/host_launch.h"
#endif

namespace vmafbatch::hip {

// kernel_table(KernelList<...>{}): one entry for each.
template <class... Kernels>
std::vector<ModuleKernel> kernel_table(KernelList<Kernels...>) {
  static_assert((std::is_trivially_copyable_v<Kernels> && ...), "a kernel is copied to the device byte by byte");
  return {ModuleKernel{Kernels::kName, sizeof(Kernels), Kernels::kWidth, Kernels::kHeight, &launch_kernel<Kernels>}...};
}

}  // namespace vmafbatch::hip
