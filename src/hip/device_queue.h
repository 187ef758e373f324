// Feeds one device: a thread that submits frames and a thread that waits for their ends, one wait a frame. Nobody else ever waits for
// the device.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hip/device.h"
#include "hip/frame_work.h"
#include "hip/twin.h"

namespace vmafbatch::hip {

// What the twins of one scoring do with one frame.
class FrameTask {
 public:
  struct Job {
    const Twin* twin;
    std::string shared_key;  // not empty: depends on the reference alone, done once for all renditions
  };

  // `window` and the twins stay until the last collect(). `done` is called once, in a thread of the queue, and must be quick.
  FrameTask(const io::FrameWindow& window, std::vector<Job> jobs, std::function<void()> done)
      : window_(window), jobs_(std::move(jobs)), done_(std::move(done)) {}

  // After `done`: the sentence that says what failed; nothing of the frame counts then.
  const std::optional<std::string>& error() const { return error_; }
  // After `done`, without error: the measurements of job `index`. Any thread. Throws what the twin throws.
  void collect(std::size_t index, extractors::Measurements& out) const;

 private:
  friend class DeviceQueue;

  struct Place {
    std::shared_ptr<ResultBlock> block;
    std::size_t offset = 0;
  };

  const io::FrameWindow& window_;
  std::vector<Job> jobs_;
  std::function<void()> done_;
  std::optional<std::string> error_;
  std::vector<Place> places_;  // by job
  std::optional<FrameWork> work_;
  DeviceStream* compute_ = nullptr;
};

// put() may be called from any thread and never blocks.
class DeviceQueue {
 public:
  // `memory_limit`: bytes of device memory; a frame waits while it would pass it and other frames are under way.
  // `streams`: frames that the device may work on at once, 1 or more. Throws DeviceError.
  DeviceQueue(Device& device, std::size_t memory_limit, int streams);
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  // REQUIRES: every task's `done` was called
  ~DeviceQueue();

  void put(std::shared_ptr<FrameTask> task);

  Device& device() { return device_; }
  // The sentence of the error after which the device is not used any more. (Lack of memory is none.)
  std::optional<std::string> retired() const;

 private:
  using TaskPointer = std::shared_ptr<FrameTask>;

  void stop();
  void submit_loop() noexcept;
  void collect_loop() noexcept;
  void submit(FrameTask& task);
  void place_jobs(FrameTask& task, std::vector<std::size_t>& own);
  void wait_for_end(FrameTask& task);
  void fail(FrameTask& task, const std::exception& error);
  std::size_t bytes_of(const FrameTask& task) const;
  bool room_for(const FrameTask& task) const;

  Device& device_;
  const std::size_t memory_limit_;
  std::vector<std::unique_ptr<DeviceStream>> compute_;
  DeviceStream copies_;
  std::size_t next_stream_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TaskPointer> waiting_;
  std::deque<TaskPointer> submitted_;
  std::size_t under_way_ = 0;  // submitted and not done
  bool stop_ = false;
  std::optional<std::string> retired_;

  std::thread submitter_;
  std::thread collector_;
};

}  // namespace vmafbatch::hip
