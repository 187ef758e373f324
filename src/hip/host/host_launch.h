// Launches a kernel on CPU threads: every block, barrier, shared array and atomic runs for real. The threads of a block are fibers that
// switch at sync(); they are made once a launch and walk the blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "hip/platform/kernel.h"

namespace vmafbatch::hip {

class HostBlocks;

// What a kernel sees as its Thread.
class HostThread {
 public:
  int x() const { return x_; }
  int y() const { return y_; }
  int block_x() const { return block_x_; }
  int block_y() const { return block_y_; }
  int block_z() const { return block_z_; }
  int grid_x() const { return grid_x_; }
  int grid_y() const { return grid_y_; }
  int global_x() const { return block_x_ * width_ + x_; }
  int global_y() const { return block_y_ * height_ + y_; }
  void sync();

  template <class T>
  void atomic_add(T* address, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "32- and 64-bit integers");
    std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
  }

 private:
  friend class HostBlocks;
  HostBlocks* blocks_ = nullptr;
  int index_ = 0;
  int x_ = 0, y_ = 0, block_x_ = 0, block_y_ = 0, block_z_ = 0, grid_x_ = 0, grid_y_ = 0, width_ = 0, height_ = 0;
};

// One launch, free of the kernel's type.
struct HostLaunch {
  const char* name;
  Grid grid;
  int width;
  int height;
  std::size_t shared_bytes;
  std::size_t shared_alignment;
  bool fibers;  // false: the threads share nothing and run one after the other
  std::function<void(HostThread&, void* shared)> thread;
  std::uint64_t number = 0;  // of the launch: each has an order of its own where a seed shuffles
};

// Puts the launch into `stream` (host/host_runtime.h). Returns a status.
int enqueue_host_launch(void* stream, HostLaunch launch);

inline constexpr int kDivergentBarrier = 9001;      // a barrier that not every thread of the block reached
inline constexpr int kBarrierWithoutShared = 9002;  // sync() in a kernel that says NoShared
inline constexpr int kBadGrid = 9004;               // a grid that a device refuses

// What every device takes: CUDA C++ Programming Guide, "Compute capabilities"; AMD's take more blocks and more shared memory.
inline constexpr int kMostThreads = 1024;
inline constexpr std::size_t kMostSharedBytes = std::size_t{48} << 10;
inline constexpr unsigned kMostBlocks = 65535;  // along y and z; along x 2^31 - 1

// Runs a launch in the calling thread. Returns a status.
int run_host_launch(const HostLaunch& launch);

// The launch of a kernel.
template <class K>
HostLaunch host_launch(const Grid& grid, const K& kernel) {
  using Shared = typename K::Shared;
  static_assert(K::kWidth * K::kHeight <= kMostThreads, "a block that no device runs");
  static_assert(sizeof(Shared) <= kMostSharedBytes, "more shared memory than every device has");
  return {.name = K::kName,
          .grid = grid,
          .width = K::kWidth,
          .height = K::kHeight,
          .shared_bytes = sizeof(Shared),
          .shared_alignment = alignof(Shared),
          .fibers = !std::is_same_v<Shared, NoShared>,
          .thread = [kernel](HostThread& t, void* shared) { kernel(t, *static_cast<Shared*>(shared)); }};
}

template <class K>
int launch_kernel(const Grid& grid, void* stream, const void* kernel) {
  return enqueue_host_launch(stream, host_launch(grid, *static_cast<const K*>(kernel)));
}

}  // namespace vmafbatch::hip
