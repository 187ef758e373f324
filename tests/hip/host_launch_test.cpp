// The HOST's launches: every thread runs once, and faults that a device shows now and then are found each time.
#include "hip/host/host_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "hip/frame_work.h"
#include "hip/host/host_memory.h"
#include "hip/host/host_runtime.h"
#include "hip/host/host_schedule.h"
#include "hip/platform/block_sum.h"

namespace vmafbatch::testing {
namespace {

using hip::Grid;

constexpr std::uint64_t kSeeds[] = {1, 2, 3, 4, 5};

template <class K>
int run(const Grid& grid, const K& kernel, std::uint64_t number = 0) {
  hip::HostLaunch launch = hip::host_launch(grid, kernel);
  launch.number = number;
  return hip::run_host_launch(launch);
}

class HostLaunch : public ::testing::Test {
 protected:
  void TearDown() override { hip::set_host_config({}); }
};

// --- every thread once

struct SomeShared {
  int unused;
};

// Counts the visits of each thread of the grid, on both sides of a barrier where it has one.
template <int Width, int Height, class SharedMemory>
struct VisitKernel {
  static constexpr const char* kName = "visit";
  static constexpr int kWidth = Width, kHeight = Height;
  using Shared = SharedMemory;

  std::uint32_t* before;
  std::uint32_t* behind;
  int columns;  // threads of the whole grid along x
  int rows;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    const int place = (t.block_z() * rows + t.global_y()) * columns + t.global_x();
    const bool sane = t.x() < kWidth && t.y() < kHeight && t.grid_x() * kWidth == columns && t.grid_y() * kHeight == rows;
    t.atomic_add(before + place, std::uint32_t{sane});
    if constexpr (!std::is_same_v<Shared, hip::NoShared>) t.sync();
    t.atomic_add(behind + place, std::uint32_t{1});
  }
};

template <int Width, int Height, class SharedMemory>
void expect_one_visit_each(const Grid& grid) {
  const int columns = static_cast<int>(grid.x) * Width;
  const int rows = static_cast<int>(grid.y) * Height;
  const auto threads = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows) * grid.z;
  std::vector<std::uint32_t> before(threads);
  std::vector<std::uint32_t> behind(threads);
  ASSERT_EQ(run(grid, VisitKernel<Width, Height, SharedMemory>{before.data(), behind.data(), columns, rows}), 0);
  const std::vector<std::uint32_t> once(threads, 1);
  EXPECT_EQ(before, once) << Width << "x" << Height << " blocks " << grid.x << " " << grid.y << " " << grid.z;
  EXPECT_EQ(behind, once) << Width << "x" << Height << " blocks " << grid.x << " " << grid.y << " " << grid.z;
}

template <int Width, int Height>
void expect_one_visit_each() {
  for (const Grid& grid : {Grid{1, 1, 1}, Grid{3, 1, 1}, Grid{1, 5, 1}, Grid{1, 1, 4}, Grid{3, 2, 2}}) {
    expect_one_visit_each<Width, Height, hip::NoShared>(grid);
    expect_one_visit_each<Width, Height, SomeShared>(grid);
  }
}

TEST_F(HostLaunch, VisitsEveryThreadOfEveryBlockOnce) {
  std::vector<hip::HostConfig> configs(1);
  for (const std::uint64_t seed : kSeeds) configs.push_back({.shuffle_seed = seed});
  for (const hip::HostConfig& config : configs) {
    hip::set_host_config(config);
    expect_one_visit_each<1, 1>();
    expect_one_visit_each<7, 1>();
    expect_one_visit_each<256, 1>();
    expect_one_visit_each<16, 16>();
    expect_one_visit_each<1024, 1>();
  }
}

// Writes down the order in which threads come.
struct OrderKernel {
  static constexpr const char* kName = "order";
  static constexpr int kWidth = 8, kHeight = 1;
  using Shared = hip::NoShared;
  std::vector<int>* order;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    order->push_back(t.global_x());
  }
};

std::vector<int> order_of(std::uint64_t launch) {
  std::vector<int> order;
  EXPECT_EQ(run(Grid{4, 1, 1}, OrderKernel{&order}, launch), 0);
  return order;
}

TEST_F(HostLaunch, RunsInOrderWithoutASeed) {
  const std::vector<int> order = order_of(1);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(HostLaunch, RepeatsTheOrderOfASeedAndOfALaunch) {
  hip::set_host_config({.shuffle_seed = 1});
  const std::vector<int> first = order_of(1);
  EXPECT_EQ(order_of(1), first);
  EXPECT_NE(order_of(2), first);
  hip::set_host_config({.shuffle_seed = 2});
  EXPECT_NE(order_of(1), first);
}

TEST_F(HostLaunch, RefusesAGridThatADeviceRefuses) {
  std::vector<int> order;
  for (const Grid& grid : {Grid{0, 1, 1}, Grid{1, 0, 1}, Grid{1, 1, 0}, Grid{1, 65536, 1}, Grid{1, 1, 65536}}) {
    EXPECT_EQ(run(grid, OrderKernel{&order}), hip::kBadGrid);
  }
  EXPECT_TRUE(order.empty());
}

// --- barriers

// The sum of numbers 1 .. 64, with or without the barrier that it needs.
template <bool kBarrier>
struct ReductionKernel {
  static constexpr const char* kName = "reduction";
  static constexpr int kWidth = 64, kHeight = 1;
  struct Shared {
    std::uint64_t partial[kWidth];
  };
  std::uint64_t* total;

  template <class Thread>
  void operator()(Thread& t, Shared& shared) const {
    shared.partial[t.x()] = static_cast<std::uint64_t>(t.x() + 1);
    if constexpr (kBarrier) t.sync();
    for (int half = kWidth / 2; half > 0; half /= 2) {
      if (t.x() < half) shared.partial[t.x()] += shared.partial[t.x() + half];
      t.sync();
    }
    if (t.x() == 0) *total = shared.partial[0];
  }
};

// Two sums one after the other in the same memory; the barrier keeps the second from overwriting what the first still reads.
template <bool kBarrier>
struct ReuseKernel {
  static constexpr const char* kName = "reuse";
  static constexpr int kWidth = 64, kHeight = 1;
  struct Shared {
    std::uint64_t partial[kWidth];
  };
  std::uint64_t* total;  // one for each thread

  template <class Thread>
  void operator()(Thread& t, Shared& shared) const {
    hip::block_sum(t, shared.partial, t.x(), std::uint64_t{1});
    total[t.x()] = shared.partial[0];
    if constexpr (kBarrier) t.sync();
    hip::block_sum(t, shared.partial, t.x(), std::uint64_t{3});
    total[t.x()] += shared.partial[0];
  }
};

template <class K>
int seeds_that_sum_to(std::uint64_t want) {
  int right = 0;
  for (const std::uint64_t seed : kSeeds) {
    hip::set_host_config({.shuffle_seed = seed});
    std::vector<std::uint64_t> total(K::kWidth, want);
    EXPECT_EQ(run(Grid{}, K{total.data()}), 0);
    right += total == std::vector<std::uint64_t>(K::kWidth, want) ? 1 : 0;
  }
  return right;
}

TEST_F(HostLaunch, SumsRightWithItsBarriersInEveryOrder) {
  EXPECT_EQ(seeds_that_sum_to<ReductionKernel<true>>(64 * 65 / 2), 5);
  EXPECT_EQ(seeds_that_sum_to<ReuseKernel<true>>(64 * 4), 5);
}

TEST_F(HostLaunch, FindsAMissingBarrierBeforeAReading) { EXPECT_LT(seeds_that_sum_to<ReductionKernel<false>>(64 * 65 / 2), 5); }

TEST_F(HostLaunch, FindsAMissingBarrierBeforeMemoryIsReused) { EXPECT_LT(seeds_that_sum_to<ReuseKernel<false>>(64 * 4), 5); }

// Half of the threads pass a barrier that the others do not reach.
struct DivergentKernel {
  static constexpr const char* kName = "divergent";
  static constexpr int kWidth = 16, kHeight = 2;
  using Shared = SomeShared;
  std::uint32_t* behind;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    if (t.y() == 0) return;
    t.sync();
    t.atomic_add(behind, std::uint32_t{1});
  }
};

TEST_F(HostLaunch, FindsABarrierThatOnlySomeThreadsReach) {
  std::uint32_t behind = 0;
  EXPECT_EQ(run(Grid{3, 1, 1}, DivergentKernel{&behind}), hip::kDivergentBarrier);
  EXPECT_EQ(behind, 0u) << "the block is given up at the barrier";
}

struct BarrierWithoutSharedKernel {
  static constexpr const char* kName = "barrier_without_shared";
  static constexpr int kWidth = 4, kHeight = 1;
  using Shared = hip::NoShared;
  int unused;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    t.sync();
  }
};

TEST_F(HostLaunch, FindsABarrierInAKernelWithoutSharedMemory) {
  EXPECT_EQ(run(Grid{}, BarrierWithoutSharedKernel{0}), hip::kBarrierWithoutShared);
}

// Each thread keeps values of its own on its stack while the others run.
struct StackKernel {
  static constexpr const char* kName = "stack";
  static constexpr int kWidth = 64, kHeight = 1;
  using Shared = SomeShared;
  std::uint32_t* total;

  template <class Thread>
  void operator()(Thread& t, Shared&) const {
    std::uint32_t own[100];
    for (std::uint32_t i = 0; i < 100; ++i) own[i] = static_cast<std::uint32_t>(t.global_x()) + i;
    for (int round = 0; round < 3; ++round) {
      t.sync();
      for (std::uint32_t& value : own) value += 1;
    }
    std::uint32_t sum = 0;
    for (const std::uint32_t value : own) sum += value;
    t.atomic_add(total + t.global_x(), sum);
  }
};

TEST_F(HostLaunch, KeepsTheStacksOfAllThreads) {
  constexpr std::uint32_t kThreads = 5 * StackKernel::kWidth;
  for (const std::uint64_t seed : kSeeds) {
    hip::set_host_config({.shuffle_seed = seed});
    std::vector<std::uint32_t> total(kThreads);
    ASSERT_EQ(run(Grid{5, 1, 1}, StackKernel{total.data()}), 0);
    for (std::uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(total[i], 100 * (i + 3) + 99 * 100 / 2);
  }
}

// --- memory that nothing wrote

struct CopyKernel {
  static constexpr const char* kName = "copy";
  static constexpr int kWidth = 1, kHeight = 1;
  using Shared = hip::NoShared;
  const std::uint64_t* from;
  std::uint64_t* to;

  template <class Thread>
  void operator()(Thread&, Shared&) const {
    *to = *from;
  }
};

struct UnwrittenSharedKernel {
  static constexpr const char* kName = "unwritten_shared";
  static constexpr int kWidth = 1, kHeight = 1;
  struct Shared {
    std::uint64_t value;
  };
  std::uint64_t* to;

  template <class Thread>
  void operator()(Thread& t, Shared& shared) const {
    to[t.block_x()] = shared.value;
    shared.value = 1;  // is not there any more in the next block
  }
};

TEST_F(HostLaunch, ShowsDeviceMemoryThatNothingWrote) {
  std::vector<std::uint64_t> seen;
  for (const std::uint64_t seed : kSeeds) {
    hip::set_host_config({.shuffle_seed = seed});
    hip::Device device(hip::host_module(), 0);
    const hip::DeviceMemory memory(device, hip::DeviceMemory::Kind::kDevice, sizeof(std::uint64_t));
    seen.push_back(0);
    ASSERT_EQ(run(Grid{}, CopyKernel{memory.as<std::uint64_t>(), &seen.back()}), 0);
    EXPECT_NE(seen.back(), 0u);
  }
  EXPECT_NE(seen, std::vector<std::uint64_t>(seen.size(), seen.front()));
}

// A picture that was written there before must not be taken for this one.
TEST_F(HostLaunch, ShowsMemoryThatOnlyItsLastOwnerWrote) {
  hip::Device device(hip::host_module(), 0);
  for (int round = 0; round < 3; ++round) {
    const hip::DeviceMemory memory(device, hip::DeviceMemory::Kind::kDevice, 4096);
    EXPECT_EQ(memory.as<unsigned char>()[100], hip::host_fill_byte());
    memory.as<unsigned char>()[100] = 7;
  }
}

TEST_F(HostLaunch, ShowsSharedMemoryThatNothingWroteInThisBlock) {
  std::vector<std::uint64_t> seen;
  for (const std::uint64_t seed : kSeeds) {
    hip::set_host_config({.shuffle_seed = seed});
    std::uint64_t values[3] = {};
    ASSERT_EQ(run(Grid{3, 1, 1}, UnwrittenSharedKernel{values}), 0);
    EXPECT_EQ(values[0], values[1]);
    EXPECT_EQ(values[0], values[2]);
    EXPECT_NE(values[0], 1u);
    seen.push_back(values[0]);
  }
  EXPECT_NE(seen, std::vector<std::uint64_t>(seen.size(), seen.front()));
}

// --- out of bounds

struct ReadKernel {
  static constexpr const char* kName = "read";
  static constexpr int kWidth = 1, kHeight = 1;
  using Shared = hip::NoShared;
  io::Plane<const std::uint8_t> plane;
  int x;
  int y;
  std::uint8_t* to;

  template <class Thread>
  void operator()(Thread&, Shared&) const {
    *to = plane.row(y)[x];
  }
};

class OutOfBounds : public HostLaunch {
 protected:
  void SetUp() override {
#if !defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer finds these: build with the preset asan-ubsan";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }

  static constexpr int kPlaneWidth = 50, kPlaneHeight = 4;  // no multiple of the row alignment

  void read(int x, int y) {
    hip::Device device(hip::host_module(), 0);
    const hip::DevicePlane plane(device, 1, kPlaneWidth, kPlaneHeight);
    std::uint8_t value = 0;
    EXPECT_EQ(run(Grid{}, ReadKernel{plane.view<const std::uint8_t>(), x, y, &value}), 0);
  }
};

TEST_F(OutOfBounds, NothingIsSaidOfThePlaneItself) {
  for (const int y : {0, kPlaneHeight - 1}) {
    for (const int x : {0, kPlaneWidth - 1}) read(x, y);
  }
}

TEST_F(OutOfBounds, IsFoundInTheGapBehindARow) {
  EXPECT_DEATH(read(kPlaneWidth, 0), "AddressSanitizer: use-after-poison");
  EXPECT_DEATH(read(kPlaneWidth + 63, 1), "AddressSanitizer: use-after-poison");
}

TEST_F(OutOfBounds, IsFoundInTheGapBeforeARow) { EXPECT_DEATH(read(-1, 1), "AddressSanitizer: use-after-poison"); }

TEST_F(OutOfBounds, IsFoundBehindTheLastRow) {
  EXPECT_DEATH(read(kPlaneWidth, kPlaneHeight - 1), "AddressSanitizer: heap-buffer-overflow");
}

TEST_F(OutOfBounds, IsFoundBeforeTheFirstRow) { EXPECT_DEATH(read(-1, 0), "AddressSanitizer: heap-buffer-overflow"); }

TEST_F(OutOfBounds, IsFoundInMemoryThatWasGivenBack) {
  const auto use_after_free = [] {
    hip::Device device(hip::host_module(), 0);
    auto plane = std::make_unique<hip::DevicePlane>(device, 1, kPlaneWidth, kPlaneHeight);
    const io::Plane<const std::uint8_t> view = plane->view<const std::uint8_t>();
    plane.reset();
    std::uint8_t value = 0;
    run(Grid{}, ReadKernel{view, 0, 0, &value});
  };
  EXPECT_DEATH(use_after_free(), "AddressSanitizer: heap-use-after-free");
}

}  // namespace
}  // namespace vmafbatch::testing
