#include "hip/host/host_runtime.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/version.h"
#include "hip/host/host_launch.h"
#include "hip/host/host_memory.h"
#include "hip/host/host_schedule.h"
#include "hip/kernels/all_kernels.h"

namespace vmafbatch::hip {
namespace {

constexpr int kInjectedFault = 9003;
constexpr int kUnknownFault = 9010;

// One record of an event: the place in a stream that waits are for.
class Mark {
 public:
  // `status`: of the stream when it came here.
  void reach(int status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
    changed_.notify_all();
  }
  int wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return status_.has_value(); });
    return *status_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> status_;
};
// The streams' work that names a mark may outlive its event.
using MarkPointer = std::shared_ptr<Mark>;

// A wait is for the newest record at its time; later records do not touch it. Never recorded: nothing to wait for.
class HostEvent {
 public:
  MarkPointer record() {
    const std::lock_guard lock(mutex_);
    newest_ = std::make_shared<Mark>();
    return newest_;
  }
  MarkPointer newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
  }

 private:
  mutable std::mutex mutex_;
  MarkPointer newest_;
};

int wait_for(const MarkPointer& mark) { return mark ? mark->wait() : 0; }

// A thread that does what is put in, in order. The first status that is not 0 stays.
class HostStream {
 public:
  HostStream() : worker_([this] { work(); }) {}
  ~HostStream() {
    put([this] {
      stop_ = true;
      return 0;
    });
    worker_.join();
  }
  HostStream(const HostStream&) = delete;
  HostStream& operator=(const HostStream&) = delete;

  void put(std::function<int()> item) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
    }
    changed_.notify_all();
  }
  int wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return items_.empty() && !busy_; });
    return status_;
  }
  int status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  static int done_by(const std::function<int()>& item) {
    try {
      return item();
    } catch (const std::bad_alloc&) {
      return kOutOfMemory;
    } catch (...) {
      return kUnknownFault;
    }
  }
  void work() {
    while (!stop_) {
      std::function<int()> item;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !items_.empty(); });
        item = std::move(items_.front());
        items_.pop_front();
        busy_ = true;
      }
      const int status = done_by(item);
      item = {};
      {
        const std::lock_guard lock(mutex_);
        busy_ = false;
        if (status_ == 0) status_ = status;
      }
      changed_.notify_all();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<int()>> items_;
  bool busy_ = false;
  bool stop_ = false;  // the worker's own
  int status_ = 0;
  std::thread worker_;
};

HostStream& stream_of(void* stream) { return *static_cast<HostStream*>(stream); }
HostEvent& event_of(void* event) { return *static_cast<HostEvent*>(event); }

int fault(HostCall call) { return host_call_fails(call) ? (call == HostCall::kAllocate ? kOutOfMemory : kInjectedFault) : 0; }

const char* status_text(int status) {
  switch (status) {
    case 0: return "no error";
    case kOutOfMemory: return "out of memory";
    case kDivergentBarrier: return "a barrier was not reached by every thread of its block";
    case kBarrierWithoutShared: return "a kernel without shared memory called a barrier";
    case kBadGrid: return "a grid without blocks or with more than a device takes";
    case kInjectedFault: return "a fault that VMAFBATCH_HOST_FAIL asked for";
    default: return "unknown error";
  }
}

int device_count(int* count) {
  *count = host_config().devices;
  return 0;
}
int describe_device(int, DeviceDescription* out) {
  *out = {};
  std::strncpy(out->name, "CPU threads", sizeof out->name - 1);
  std::strncpy(out->architecture, "host", sizeof out->architecture - 1);
  return 0;
}
int use_device(int) { return 0; }

int allocate(void** memory, size_t bytes) {
  if (const int failed = fault(HostCall::kAllocate); failed != 0) return failed;
  *memory = allocate_host_memory(bytes);
  return *memory == nullptr ? kOutOfMemory : 0;
}
int release(void* memory) {
  release_host_memory(memory);
  return 0;
}

int create_stream(void** stream) {
  *stream = std::make_unique<HostStream>().release();
  return 0;
}
int destroy_stream(void* stream) {
  const std::unique_ptr<HostStream> owned(&stream_of(stream));
  return 0;
}
// A wait that is told to fail has waited all the same: the caller may free what the stream used.
int wait_stream(void* stream) {
  const int status = stream_of(stream).wait();
  const int failed = fault(HostCall::kWait);
  return failed != 0 ? failed : status;
}
int create_event(void** event) {
  *event = std::make_unique<HostEvent>().release();
  return 0;
}
int destroy_event(void* event) {
  const std::unique_ptr<HostEvent> owned(&event_of(event));
  return 0;
}
int record_event(void* event, void* stream) {
  stream_of(stream).put([mark = event_of(event).record(), stream] {
    mark->reach(stream_of(stream).status());
    return 0;
  });
  return stream_of(stream).status();
}
int stream_wait_event(void* stream, void* event) {
  stream_of(stream).put([mark = event_of(event).newest()] { return wait_for(mark); });
  return stream_of(stream).status();
}
int wait_event(void* event) {
  const int status = wait_for(event_of(event).newest());
  const int failed = fault(HostCall::kWait);
  return failed != 0 ? failed : status;
}

int upload(void* device, size_t device_pitch, const void* host, size_t host_pitch, size_t row_bytes, size_t rows, void* stream) {
  if (const int failed = fault(HostCall::kCopy); failed != 0) return failed;
  stream_of(stream).put([=] {
    for (size_t y = 0; y < rows; ++y) {
      std::memcpy(static_cast<std::byte*>(device) + y * device_pitch, static_cast<const std::byte*>(host) + y * host_pitch, row_bytes);
    }
    return 0;
  });
  return stream_of(stream).status();
}
int download(void* host, const void* device, size_t bytes, void* stream) {
  if (const int failed = fault(HostCall::kCopy); failed != 0) return failed;
  stream_of(stream).put([=] {
    std::memcpy(host, device, bytes);
    return 0;
  });
  return stream_of(stream).status();
}
int clear(void* device, size_t bytes, void* stream) {
  if (const int failed = fault(HostCall::kCopy); failed != 0) return failed;
  stream_of(stream).put([=] {
    std::memset(device, 0, bytes);
    return 0;
  });
  return stream_of(stream).status();
}

size_t plane_pitch(size_t row_bytes, size_t) { return (row_bytes + 2 * kHostRowGuard - 1) / kHostRowGuard * kHostRowGuard; }

}  // namespace

int enqueue_host_launch(void* stream, HostLaunch launch) {
  if (const int failed = fault(HostCall::kLaunch); failed != 0) return failed;
  launch.number = host_calls(HostCall::kLaunch);
  stream_of(stream).put([work = std::move(launch)] { return run_host_launch(work); });
  return stream_of(stream).status();
}

const ModuleTable& host_module() {
  static const std::vector<ModuleKernel> kernels = all_kernels();
  static const std::string version(kVersion);
  static const ModuleTable table = {
      .abi = kModuleAbi,
      .version = version.c_str(),
      .platform = "host",
      .kernels = kernels.data(),
      .kernel_count = kernels.size(),
      .status_text = status_text,
      .device_count = device_count,
      .describe_device = describe_device,
      .use_device = use_device,
      .allocate = allocate,
      .release = release,
      .allocate_pinned = allocate,
      .release_pinned = release,
      .create_stream = create_stream,
      .destroy_stream = destroy_stream,
      .wait_stream = wait_stream,
      .create_event = create_event,
      .destroy_event = destroy_event,
      .record_event = record_event,
      .stream_wait_event = stream_wait_event,
      .wait_event = wait_event,
      .upload = upload,
      .download = download,
      .clear = clear,
      .plane_pitch = plane_pitch,
      .forbid = forbid_host_memory,
  };
  return table;
}

}  // namespace vmafbatch::hip
