#include "hip/host/host_launch.h"

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "hip/host/host_memory.h"
#include "hip/host/host_schedule.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace vmafbatch::hip {
namespace {

// AddressSanitizer must know which stack it stands on. From one side of a switch to the other.
class StackNote {
 public:
#if defined(__SANITIZE_ADDRESS__)
  void leave(const void* bottom, size_t size) { __sanitizer_start_switch_fiber(&kept_, bottom, size); }
  void leave_for_good(const void* bottom, size_t size) { __sanitizer_start_switch_fiber(nullptr, bottom, size); }
  void arrive(const void** old_bottom, size_t* old_size) { __sanitizer_finish_switch_fiber(kept_, old_bottom, old_size); }

 private:
  void* kept_ = nullptr;
#else
  void leave(const void*, size_t) {}
  void leave_for_good(const void*, size_t) {}
  void arrive(const void**, size_t*) {}
#endif
};

constexpr size_t kStackBytes = size_t{64} << 10;

// The stacks of one stream's fibers. They stay from launch to launch: fresh pages cost more than a small launch does.
class Stacks {
 public:
  static Stacks& of_this_thread() {
    static thread_local Stacks stacks;
    return stacks;
  }

  // Makes `count` stacks ready for new fibers.
  void reserve(size_t count) {
    if (count > count_) {
      memory_ = std::make_unique_for_overwrite<std::byte[]>(count * kStride);
      count_ = count;
      for (size_t i = 0; i < count; ++i) forbid_host_memory(memory_.get() + i * kStride, kGuardBytes);
    }
    // Fibers that ended left their last frames marked.
    for (size_t i = 0; i < count; ++i) allow_host_memory(bottom(i), kStackBytes);
  }
  // The lowest byte of a stack; the forbidden bytes before it catch one that is too deep.
  std::byte* bottom(size_t index) const { return memory_.get() + index * kStride + kGuardBytes; }

 private:
  // Not a multiple of a page: the tops of all stacks would share one set of the cache.
  static constexpr size_t kGuardBytes = 4096 + 192;
  static constexpr size_t kStride = kGuardBytes + kStackBytes;

  std::unique_ptr<std::byte[]> memory_;
  size_t count_ = 0;
};

// One of them, as a fiber takes it.
class BorrowedStack {
 public:
  explicit BorrowedStack(std::byte* bottom) {
    context_.size = kStackBytes;
    context_.sp = bottom + kStackBytes;
  }
  boost::context::stack_context allocate() { return context_; }
  void deallocate(boost::context::stack_context&) {}

 private:
  boost::context::stack_context context_;
};

void shuffle(std::vector<int>& order, HostRandom& random) {
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
}

// Leaves a thread whose block was given up.
struct Abandoned {};

bool taken_by_every_device(const Grid& grid) {
  constexpr unsigned kMostColumns = 0x7fffffff;
  return grid.x >= 1 && grid.x <= kMostColumns && grid.y >= 1 && grid.y <= kMostBlocks && grid.z >= 1 && grid.z <= kMostBlocks;
}

struct FreeAligned {
  size_t alignment;
  void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{alignment}); }
};

}  // namespace

// Walks the blocks of one launch.
class HostBlocks {
 public:
  explicit HostBlocks(const HostLaunch& launch);
  // A status.
  int run();
  void sync(int index);

 private:
  enum class At { kStart, kBarrier, kEnd };

  struct Fiber {
    boost::context::fiber fiber;
    At at = At::kStart;
    HostThread thread;
    StackNote note;
    const void* bottom = nullptr;
  };

  bool shuffled() const { return host_config().shuffle_seed.has_value(); }
  HostThread thread_of(int index);
  void place(HostThread& thread, int block) const;
  int run_block_as_fibers(int block);
  int run_block_in_order(int block);
  void start_fibers();
  void stop_fibers();
  void resume(Fiber& fiber);
  void suspend(int index, At at);

  const HostLaunch& launch_;
  HostRandom random_;
  int threads_;
  std::unique_ptr<std::byte, FreeAligned> shared_;
  std::vector<int> order_;
  std::vector<Fiber> fibers_;
  std::vector<boost::context::fiber> scheduler_;  // by fiber: where sync() goes back to
  bool stopping_ = false;
  bool barrier_without_shared_ = false;
  StackNote scheduler_note_;
  const void* scheduler_bottom_ = nullptr;
  size_t scheduler_bytes_ = 0;
};

void HostThread::sync() { blocks_->sync(index_); }

HostBlocks::HostBlocks(const HostLaunch& launch)
    : launch_(launch),
      random_(launch.number),
      threads_(launch.width * launch.height),
      shared_(static_cast<std::byte*>(::operator new (launch.shared_bytes, std::align_val_t{launch.shared_alignment})),
              FreeAligned{launch.shared_alignment}),
      order_(static_cast<size_t>(threads_)) {
  std::iota(order_.begin(), order_.end(), 0);
}

HostThread HostBlocks::thread_of(int index) {
  HostThread thread;
  thread.blocks_ = this;
  thread.index_ = index;
  thread.x_ = index % launch_.width;
  thread.y_ = index / launch_.width;
  thread.width_ = launch_.width;
  thread.height_ = launch_.height;
  thread.grid_x_ = static_cast<int>(launch_.grid.x);
  thread.grid_y_ = static_cast<int>(launch_.grid.y);
  return thread;
}

void HostBlocks::place(HostThread& thread, int block) const {
  const int columns = static_cast<int>(launch_.grid.x);
  const int rows = static_cast<int>(launch_.grid.y);
  thread.block_x_ = block % columns;
  thread.block_y_ = block / columns % rows;
  thread.block_z_ = block / columns / rows;
}

int HostBlocks::run() {
  std::vector<int> blocks(size_t{launch_.grid.x} * launch_.grid.y * launch_.grid.z);
  std::iota(blocks.begin(), blocks.end(), 0);
  if (shuffled()) shuffle(blocks, random_);
  int status = 0;
  if (launch_.fibers) start_fibers();
  for (const int block : blocks) {
    std::memset(shared_.get(), host_fill_byte(), launch_.shared_bytes);
    if (launch_.fibers) {
      status = run_block_as_fibers(block);
    } else {
      status = run_block_in_order(block);
    }
    if (status != 0) break;
  }
  if (launch_.fibers) stop_fibers();
  return status;
}

int HostBlocks::run_block_in_order(int block) {
  if (shuffled()) shuffle(order_, random_);
  for (const int index : order_) {
    HostThread thread = thread_of(index);
    place(thread, block);
    launch_.thread(thread, shared_.get());
  }
  return barrier_without_shared_ ? kBarrierWithoutShared : 0;
}

// Rounds: each thread runs to its next barrier or to its end; all must have come to the same.
int HostBlocks::run_block_as_fibers(int block) {
  for (Fiber& fiber : fibers_) place(fiber.thread, block);
  while (true) {
    if (shuffled()) shuffle(order_, random_);
    for (const int index : order_) resume(fibers_[static_cast<size_t>(index)]);
    const At at = fibers_.front().at;
    for (const Fiber& fiber : fibers_) {
      if (fiber.at != at) return kDivergentBarrier;
    }
    if (at == At::kEnd) return 0;
  }
}

void HostBlocks::start_fibers() {
  Stacks& stacks = Stacks::of_this_thread();
  stacks.reserve(static_cast<size_t>(threads_));
  fibers_.resize(static_cast<size_t>(threads_));
  scheduler_.resize(static_cast<size_t>(threads_));
  for (int index = 0; index < threads_; ++index) {
    const auto i = static_cast<size_t>(index);
    fibers_[i].thread = thread_of(index);
    fibers_[i].fiber =
        boost::context::fiber(std::allocator_arg, BorrowedStack(stacks.bottom(i)), [this, i](boost::context::fiber&& scheduler) {
          scheduler_[i] = std::move(scheduler);
          fibers_[i].note.arrive(&scheduler_bottom_, &scheduler_bytes_);
          try {
            while (!stopping_) {
              launch_.thread(fibers_[i].thread, shared_.get());
              suspend(static_cast<int>(i), At::kEnd);
            }
          } catch (const Abandoned&) {
          }
          fibers_[i].note.leave_for_good(scheduler_bottom_, scheduler_bytes_);
          return std::move(scheduler_[i]);
        });
    fibers_[i].bottom = stacks.bottom(i);
  }
}

// Threads that stand at a barrier of an abandoned block leave the kernel there: what they would read behind it is not whole.
void HostBlocks::stop_fibers() {
  stopping_ = true;
  for (Fiber& fiber : fibers_) {
    while (fiber.fiber) resume(fiber);
  }
}

void HostBlocks::resume(Fiber& fiber) {
  scheduler_note_.leave(fiber.bottom, kStackBytes);
  fiber.fiber = std::move(fiber.fiber).resume();
  scheduler_note_.arrive(nullptr, nullptr);
}

void HostBlocks::suspend(int index, At at) {
  const auto i = static_cast<size_t>(index);
  fibers_[i].at = at;
  fibers_[i].note.leave(scheduler_bottom_, scheduler_bytes_);
  scheduler_[i] = std::move(scheduler_[i]).resume();
  fibers_[i].note.arrive(&scheduler_bottom_, &scheduler_bytes_);
}

void HostBlocks::sync(int index) {
  if (!launch_.fibers) {
    barrier_without_shared_ = true;
  } else {
    suspend(index, At::kBarrier);
    if (stopping_) throw Abandoned{};
  }
}

int run_host_launch(const HostLaunch& launch) { return taken_by_every_device(launch.grid) ? HostBlocks(launch).run() : kBadGrid; }

}  // namespace vmafbatch::hip
