// Launches a kernel on a device: compiled by hipcc and nvcc only.
#pragma once

#include <cstdint>

#include "hip/platform/hip_runtime.h"
#include "hip/platform/kernel.h"

namespace vmafbatch::hip {

template <class K>
class DeviceThread {
 public:
  __device__ int x() const { return static_cast<int>(threadIdx.x); }
  __device__ int y() const { return static_cast<int>(threadIdx.y); }
  __device__ int block_x() const { return static_cast<int>(blockIdx.x); }
  __device__ int block_y() const { return static_cast<int>(blockIdx.y); }
  __device__ int block_z() const { return static_cast<int>(blockIdx.z); }
  __device__ int grid_x() const { return static_cast<int>(gridDim.x); }
  __device__ int grid_y() const { return static_cast<int>(gridDim.y); }
  __device__ int global_x() const { return block_x() * K::kWidth + x(); }
  __device__ int global_y() const { return block_y() * K::kHeight + y(); }
  __device__ void sync() { __syncthreads(); }

  // Two's complement: a signed sum has the bits of the unsigned one.
  template <class T>
  __device__ void atomic_add(T* address, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "32- and 64-bit integers");
    if constexpr (sizeof(T) == 4) {
      atomicAdd(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(value));
    } else {
      atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
    }
  }
};

template <class K>
__global__ void __launch_bounds__(K::kWidth* K::kHeight) run_kernel(const K kernel) {
  __shared__ typename K::Shared shared;
  DeviceThread<K> thread;
  kernel(thread, shared);
}

template <class K>
int launch_kernel(const Grid& grid, void* stream, const void* kernel) {
  run_kernel<K>
      <<<dim3(grid.x, grid.y, grid.z), dim3(K::kWidth, K::kHeight), 0, static_cast<hipStream_t>(stream)>>>(*static_cast<const K*>(kernel));
  return static_cast<int>(hipGetLastError());
}

}  // namespace vmafbatch::hip
