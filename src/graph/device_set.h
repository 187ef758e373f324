// The devices of a run: a queue for each, shared out by ladders.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hip/device_queue.h"
#include "io/frame.h"

namespace vmafbatch::graph {

struct RunOptions;

// Any thread may call any member. REQUIRES: the devices outlive it, and it outlives the frames.
class DeviceSet {
 public:
  // The error is the device's.
  static Result<std::unique_ptr<DeviceSet>> open(const RunOptions& options);
  DeviceSet(const DeviceSet&) = delete;
  DeviceSet& operator=(const DeviceSet&) = delete;
  ~DeviceSet();

  size_t size() const { return entries_.size(); }
  hip::DeviceQueue& queue(size_t device) { return entries_[device]->queue; }

  // Pinned memory for pictures, which devices copy from without a detour; null where no device is used.
  std::shared_ptr<io::PictureMemory> picture_memory() const { return pictures_; }

  // Holds a device for one ladder.
  class Use {
   public:
    Use() = default;
    Use(Use&& other) noexcept : set_(std::exchange(other.set_, nullptr)), index_(other.index_) {}
    Use& operator=(Use&& other) noexcept {
      std::swap(set_, other.set_);
      std::swap(index_, other.index_);
      return *this;
    }
    ~Use();

    // None: there is no device.
    std::optional<size_t> index() const { return set_ == nullptr ? std::nullopt : std::optional(index_); }

   private:
    friend class DeviceSet;
    Use(DeviceSet& set, size_t index) : set_(&set), index_(index) {}

    DeviceSet* set_ = nullptr;
    size_t index_ = 0;
  };
  // The device that the fewest ladders use, then the one that the fewest have used; one that was given up only where no other is left.
  Use take();

 private:
  struct Entry {
    Entry(hip::Device& device, size_t memory_bytes, int streams) : queue(device, memory_bytes, streams) {}
    hip::DeviceQueue queue;
    int ladders = 0;         // that use it now
    std::int64_t taken = 0;  // in all
  };

  DeviceSet() = default;

  std::mutex mutex_;  // guards `ladders`
  std::vector<std::unique_ptr<Entry>> entries_;
  std::shared_ptr<io::PictureMemory> pictures_;
};

}  // namespace vmafbatch::graph
