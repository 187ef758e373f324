// One device of one module: its calls with every status checked, its memory pools, its streams. Owners are RAII; what goes wrong is a
// DeviceError whose text names call, device and size.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hip/platform/module_table.h"

namespace vmafbatch::hip {

class DeviceError : public std::runtime_error {
 public:
  DeviceError(const std::string& text, bool out_of_memory) : std::runtime_error(text), out_of_memory_(out_of_memory) {}
  // The device itself is sound: another piece of work may find room.
  bool out_of_memory() const { return out_of_memory_; }

 private:
  bool out_of_memory_;
};

// What a device was asked to do: for tests and benches.
struct DeviceCounters {
  std::atomic<std::int64_t> uploads{0};  // planes
  std::atomic<std::int64_t> upload_bytes{0};
  std::atomic<std::int64_t> downloads{0};
  std::atomic<std::int64_t> launches{0};
  std::atomic<std::int64_t> waits{0};        // of the host for the device
  std::atomic<std::int64_t> allocations{0};  // that reached the device: pools serve the others
  std::atomic<std::int64_t> frames{0};
};

class Device;

// Memory of a device or pinned memory of the host, from the device's pool; it goes back there. Nobody on the device may use it any more
// when it goes.
class DeviceMemory {
 public:
  enum class Kind { kDevice, kPinned };

  DeviceMemory() = default;
  DeviceMemory(Device& device, Kind kind, std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory();

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }
  void* data() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void swap(DeviceMemory& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(kind_, other.kind_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }

  Device* device_ = nullptr;
  Kind kind_ = Kind::kDevice;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// A mark in a stream. Any number of streams may wait for it.
class DeviceEvent {
 public:
  explicit DeviceEvent(Device& device);
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;
  ~DeviceEvent();

  void* handle() const { return event_; }

 private:
  Device& device_;
  void* event_ = nullptr;
};

// Work in order. One thread at a time, but for drain().
class DeviceStream {
 public:
  explicit DeviceStream(Device& device);
  DeviceStream(const DeviceStream&) = delete;
  DeviceStream& operator=(const DeviceStream&) = delete;
  ~DeviceStream();

  void record(const DeviceEvent& event);
  // Later work of this stream waits for the event; the host does not.
  void wait_for(const DeviceEvent& event);
  // Copies rows; the host's memory must stay until the copy is done.
  void upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes, std::size_t rows);
  // As upload, of one table; it does not count as a plane.
  void upload_table(void* to, const void* from, std::size_t bytes);
  void download(void* to, const void* from, std::size_t bytes);
  void clear(void* memory, std::size_t bytes);
  template <class K>
  void launch(const Grid& grid, const K& kernel) {
    launch(K::kName, sizeof(K), K::kWidth, K::kHeight, grid, &kernel);
  }
  // The host waits until all work is done. Never throws: it is for the way out after an error.
  void drain() noexcept;

 private:
  void launch(const char* name, std::size_t size, int width, int height, const Grid& grid, const void* kernel);

  Device& device_;
  void* stream_ = nullptr;
};

// Any thread may call any member; table() belongs to the submitting thread. Outlives everything that it gave out.
class Device {
 public:
  // REQUIRES: `module` stays for the device's life; 0 <= ordinal < the module's device count
  Device(const ModuleTable& module, int ordinal);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  const ModuleTable& module() const { return module_; }
  // "AMD device 0 (AMD Radeon RX 6800, gfx1030)"
  const std::string& text() const { return text_; }
  const DeviceDescription& description() const { return description_; }
  // "NVIDIA H200": what a row of the database says
  std::string name() const { return description_.name; }

  // Bytes of device memory that are given out now.
  std::size_t bytes_in_use() const;

  // A constant table of the device's own; the submitting thread fills it once.
  struct Table {
    DeviceMemory memory;
    std::unique_ptr<DeviceEvent> ready;  // null: not filled
  };
  Table& table(std::string_view key, std::size_t bytes);

  // The host waits for an event.
  void wait(const DeviceEvent& event);

  DeviceCounters& counters() { return counters_; }

  // Throws where a status is not 0: "NVIDIA device 0 (...): allocate of 1024 bytes failed: out of memory".
  void check(int status, std::string_view call, std::size_t bytes = 0) const;
  // The calling thread's calls go to this device.
  void use() const;
  // Bytes from row to row of a plane on the device.
  std::size_t plane_pitch(std::size_t row_bytes, std::size_t host_pitch) const { return module_.plane_pitch(row_bytes, host_pitch); }
  // Nobody may touch these bytes: the HOST build checks it.
  void forbid(void* memory, std::size_t bytes) const {
    if (module_.forbid != nullptr && bytes > 0) module_.forbid(memory, bytes);
  }
  // Called, in any thread, whenever device memory was given back; the callback before is not called any more when this returns. The
  // callback must not give memory back.
  void on_release(std::function<void()> callback) {
    const std::lock_guard lock(released_mutex_);
    released_ = std::move(callback);
  }
  const ModuleKernel& kernel(const char* name, std::size_t size, int width, int height) const;

 private:
  friend class DeviceMemory;
  friend class DeviceEvent;

  struct Pool {
    std::mutex mutex;
    std::map<std::size_t, std::vector<void*>> idle;  // by exact size: pictures of a clip have few sizes, and guards stay at the ends
    std::size_t idle_bytes = 0;
    std::size_t used_bytes = 0;
    std::size_t peak_used_bytes = 0;
  };

  Pool& pool(DeviceMemory::Kind kind) { return pools_[kind == DeviceMemory::Kind::kDevice ? 0 : 1]; }
  void* take(DeviceMemory::Kind kind, std::size_t bytes);
  void give_back(DeviceMemory::Kind kind, void* memory, std::size_t bytes) noexcept;
  // False: there was none.
  bool free_idle(DeviceMemory::Kind kind) noexcept;
  static bool idle_is_too_much(Pool& pool);
  int allocate(DeviceMemory::Kind kind, void** memory, std::size_t bytes);

  const ModuleTable& module_;
  int ordinal_;
  DeviceDescription description_{};
  std::string text_;
  std::unordered_map<std::string_view, const ModuleKernel*> kernels_;
  mutable Pool pools_[2];
  std::mutex events_mutex_;
  std::vector<void*> idle_events_;
  std::map<std::string, Table, std::less<>> tables_;  // the submitting thread's
  std::mutex released_mutex_;
  std::function<void()> released_;
  DeviceCounters counters_;
};

}  // namespace vmafbatch::hip
