#include "hip/device_queue.h"

#include <exception>
#include <utility>

namespace vmafbatch::hip {
namespace {

// Frames that a stream may have before it: one runs, one is ready.
constexpr std::size_t kFramesPerStream = 2;

constexpr std::size_t kResultAlignment = 256;
std::size_t aligned(std::size_t bytes) { return (bytes + kResultAlignment - 1) / kResultAlignment * kResultAlignment; }

}  // namespace

void FrameTask::collect(std::size_t index, extractors::Measurements& out) const {
  const Place& place = places_[index];
  jobs_[index].twin->collect(window_, place.block ? place.block->host.as<const std::byte>() + place.offset : nullptr, out);
}

DeviceQueue::DeviceQueue(Device& device, std::size_t memory_limit, int streams)
    : device_(device), memory_limit_(memory_limit), copies_(device) {
  for (int i = 0; i < streams; ++i) compute_.push_back(std::make_unique<DeviceStream>(device));
  device_.on_release([this] {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  });
  try {
    submitter_ = std::thread([this] { submit_loop(); });
    collector_ = std::thread([this] { collect_loop(); });
  } catch (...) {
    stop();
    throw;
  }
}

DeviceQueue::~DeviceQueue() { stop(); }

void DeviceQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (submitter_.joinable()) submitter_.join();
  if (collector_.joinable()) collector_.join();
  device_.on_release({});
}

void DeviceQueue::put(std::shared_ptr<FrameTask> task) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(task));
  changed_.notify_all();
}

std::optional<std::string> DeviceQueue::retired() const {
  const std::lock_guard lock(mutex_);
  return retired_;
}

std::size_t DeviceQueue::bytes_of(const FrameTask& task) const {
  std::size_t bytes = 0;
  const io::PictureFormat& format = task.window_.format();
  for (int p = 0; p < format.plane_count(); ++p) {
    for (const io::Frame* const frame : {&task.window_.reference(), &task.window_.distorted()}) {
      bytes += DevicePlane::uploaded_bytes(device_, *frame, p);
    }
  }
  for (const FrameTask::Job& job : task.jobs_) bytes += job.twin->device_bytes() + aligned(job.twin->result_bytes());
  return bytes;
}

// Planes of earlier frames that are kept as history alone never hold a frame back.
bool DeviceQueue::room_for(const FrameTask& task) const {
  if (under_way_ == 0) return true;
  if (under_way_ >= kFramesPerStream * compute_.size()) return false;
  return device_.bytes_in_use() + bytes_of(task) <= memory_limit_;
}

void DeviceQueue::submit_loop() noexcept {
  while (true) {
    TaskPointer task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stop_ || (!waiting_.empty() && room_for(*waiting_.front())); });
      if (waiting_.empty()) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      ++under_way_;
      if (retired_) task->error_ = *retired_;
    }
    if (!task->error_) {
      try {
        submit(*task);
      } catch (const std::exception& e) {
        fail(*task, e);
      }
    }
    const std::lock_guard lock(mutex_);
    submitted_.push_back(std::move(task));
    changed_.notify_all();
  }
}

void DeviceQueue::submit(FrameTask& task) {
  device_.counters().frames.fetch_add(1);
  task.compute_ = compute_[next_stream_].get();
  next_stream_ = (next_stream_ + 1) % compute_.size();
  std::vector<std::size_t> own;
  std::size_t bytes = 0;
  for (const FrameTask::Job& job : task.jobs_) bytes += aligned(job.twin->result_bytes());
  task.work_.emplace(device_, *task.compute_, copies_, bytes);
  place_jobs(task, own);
  FrameWork& work = *task.work_;
  work.begin();
  for (const std::size_t i : own) {
    std::byte* const results = work.results() ? work.results()->device.as<std::byte>() + task.places_[i].offset : nullptr;
    task.jobs_[i].twin->submit(task.window_, work, results);
  }
  work.end();
}

// Gives each job its place among the results. What depends on the reference alone has one already where another rendition of the same
// frame came first; `own` gets the others.
void DeviceQueue::place_jobs(FrameTask& task, std::vector<std::size_t>& own) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < task.jobs_.size(); ++i) {
    const FrameTask::Job& job = task.jobs_[i];
    const FrameTask::Place mine{task.work_->results(), offset};
    bool first = true;
    if (!job.shared_key.empty()) {
      first = false;
      const auto make = [&] {
        first = true;
        return FrameTask::Place(mine);
      };
      task.places_.push_back(
          task.window_.reference().derived().get<FrameTask::Place>(device_.text() + " results of " + job.shared_key, make));
    } else {
      task.places_.push_back(mine);
    }
    if (first) {
      own.push_back(i);
      offset += aligned(job.twin->result_bytes());
    }
  }
}

void DeviceQueue::collect_loop() noexcept {
  while (true) {
    TaskPointer task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return (stop_ && under_way_ == 0 && waiting_.empty()) || !submitted_.empty(); });
      if (submitted_.empty()) return;
      task = std::move(submitted_.front());
      submitted_.pop_front();
    }
    wait_for_end(*task);
    // What the frame frees now is free when the next one is weighed.
    task->work_.reset();
    {
      const std::function<void()> done = std::exchange(task->done_, {});  // it may hold the task
      task.reset();
      done();
    }
    const std::lock_guard lock(mutex_);
    --under_way_;
    changed_.notify_all();
  }
}

// One wait. After an error nothing of the frame may be under way any more when its memory goes.
void DeviceQueue::wait_for_end(FrameTask& task) {
  if (!task.error_) {
    try {
      device_.wait(task.work_->done());
    } catch (const std::exception& e) {
      fail(task, e);
    }
  }
  if (task.error_) {
    if (task.compute_ != nullptr) {
      copies_.drain();
      task.compute_->drain();
    }
    if (task.work_ && task.work_->results()) task.work_->results()->failure = *task.error_;
    return;
  }
  // What a device says that has failed meanwhile is not trusted.
  if (std::optional<std::string> given_up = retired()) task.error_ = std::move(*given_up);
  for (const FrameTask::Place& place : task.places_) {
    if (place.block && !place.block->failure.empty()) task.error_ = place.block->failure;
  }
}

void DeviceQueue::fail(FrameTask& task, const std::exception& error) {
  task.error_ = error.what();
  const auto* const device_error = dynamic_cast<const DeviceError*>(&error);
  if (device_error != nullptr && device_error->out_of_memory()) return;
  const std::lock_guard lock(mutex_);
  if (!retired_) retired_ = error.what();
}

}  // namespace vmafbatch::hip
