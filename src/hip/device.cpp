#include "hip/device.h"

#include <algorithm>

namespace vmafbatch::hip {
namespace {

// Idle memory that is always kept.
constexpr std::size_t kIdleLimit = std::size_t{256} << 20;

}  // namespace

Device::Device(const ModuleTable& module, int ordinal) : module_(module), ordinal_(ordinal) {
  text_ = std::string(module.platform) + " device " + std::to_string(ordinal);
  check(module.describe_device(ordinal, &description_), "describe_device");
  text_ += std::string(" (") + description_.name + ", " + description_.architecture + ")";
  for (std::size_t i = 0; i < module.kernel_count; ++i) kernels_.emplace(module.kernels[i].name, &module.kernels[i]);
}

Device::~Device() {
  (void)module_.use_device(ordinal_);
  tables_.clear();
  for (void* const event : idle_events_) (void)module_.destroy_event(event);
  free_idle(DeviceMemory::Kind::kDevice);
  free_idle(DeviceMemory::Kind::kPinned);
}

void Device::check(int status, std::string_view call, std::size_t bytes) const {
  if (status == 0) return;
  std::string text = text_ + ": " + std::string(call);
  if (bytes > 0) text += " of " + std::to_string(bytes) + " bytes";
  text += std::string(" failed: ") + module_.status_text(status);
  throw DeviceError(text, status == kOutOfMemory);
}

void Device::use() const { check(module_.use_device(ordinal_), "use_device"); }

const ModuleKernel& Device::kernel(const char* name, std::size_t size, int width, int height) const {
  const auto found = kernels_.find(name);
  if (found == kernels_.end() || found->second->size != size || found->second->width != width || found->second->height != height) {
    throw DeviceError(text_ + ": its module has no kernel \"" + name + "\" of this program; it was built from other sources", false);
  }
  return *found->second;
}

void Device::wait(const DeviceEvent& event) {
  use();
  counters_.waits.fetch_add(1);
  check(module_.wait_event(event.handle()), "wait_event");
}

std::size_t Device::bytes_in_use() const {
  const std::lock_guard lock(pools_[0].mutex);
  return pools_[0].used_bytes;
}

Device::Table& Device::table(std::string_view key, std::size_t bytes) {
  const auto found = tables_.find(key);
  if (found != tables_.end()) return found->second;
  return tables_.emplace(key, Table{DeviceMemory(*this, DeviceMemory::Kind::kDevice, bytes), nullptr}).first->second;
}

int Device::allocate(DeviceMemory::Kind kind, void** memory, std::size_t bytes) {
  counters_.allocations.fetch_add(1);
  return kind == DeviceMemory::Kind::kDevice ? module_.allocate(memory, bytes) : module_.allocate_pinned(memory, bytes);
}

void* Device::take(DeviceMemory::Kind kind, std::size_t bytes) {
  Pool& from = pool(kind);
  {
    const std::lock_guard lock(from.mutex);
    const auto shelf = from.idle.find(bytes);
    if (shelf != from.idle.end()) {
      void* const memory = shelf->second.back();
      shelf->second.pop_back();
      if (shelf->second.empty()) from.idle.erase(shelf);
      from.idle_bytes -= bytes;
      from.used_bytes += bytes;
      return memory;
    }
  }
  use();
  // Memory of other sizes, a clip's that has ended, must not pile up. Freeing it here keeps it out of the threads that drop frames.
  if (idle_is_too_much(from)) free_idle(kind);
  void* memory = nullptr;
  int status = allocate(kind, &memory, bytes);
  if (status == kOutOfMemory && free_idle(kind)) status = allocate(kind, &memory, bytes);
  check(status, kind == DeviceMemory::Kind::kDevice ? "allocate" : "allocate_pinned", bytes);
  const std::lock_guard lock(from.mutex);
  from.used_bytes += bytes;
  from.peak_used_bytes = std::max(from.peak_used_bytes, from.used_bytes);
  return memory;
}

bool Device::idle_is_too_much(Pool& pool) {
  const std::lock_guard lock(pool.mutex);
  return pool.idle_bytes > kIdleLimit && pool.idle_bytes + pool.used_bytes > pool.peak_used_bytes;
}

void Device::give_back(DeviceMemory::Kind kind, void* memory, std::size_t bytes) noexcept {
  Pool& to = pool(kind);
  {
    const std::lock_guard lock(to.mutex);
    to.used_bytes -= bytes;
    to.idle_bytes += bytes;
    to.idle[bytes].push_back(memory);
  }
  if (module_.forbid != nullptr) free_idle(kind);  // the HOST build checks every access and wants each allocation fresh
  if (kind != DeviceMemory::Kind::kDevice) return;
  const std::lock_guard lock(released_mutex_);
  if (released_) released_();
}

bool Device::free_idle(DeviceMemory::Kind kind) noexcept {
  Pool& from = pool(kind);
  std::map<std::size_t, std::vector<void*>> idle;
  {
    const std::lock_guard lock(from.mutex);
    idle.swap(from.idle);
    from.idle_bytes = 0;
  }
  (void)module_.use_device(ordinal_);
  for (const auto& [bytes, shelf] : idle) {
    for (void* const memory : shelf) {
      (void)(kind == DeviceMemory::Kind::kDevice ? module_.release(memory) : module_.release_pinned(memory));
    }
  }
  return !idle.empty();
}

DeviceMemory::DeviceMemory(Device& device, Kind kind, std::size_t bytes)
    : device_(&device), kind_(kind), memory_(device.take(kind, bytes)), bytes_(bytes) {}

DeviceMemory::~DeviceMemory() {
  if (memory_ != nullptr) device_->give_back(kind_, memory_, bytes_);
}

DeviceEvent::DeviceEvent(Device& device) : device_(device) {
  {
    const std::lock_guard lock(device.events_mutex_);
    if (!device.idle_events_.empty()) {
      event_ = device.idle_events_.back();
      device.idle_events_.pop_back();
      return;
    }
  }
  device.use();
  device.check(device.module().create_event(&event_), "create_event");
}

DeviceEvent::~DeviceEvent() {
  const std::lock_guard lock(device_.events_mutex_);
  device_.idle_events_.push_back(event_);
}

DeviceStream::DeviceStream(Device& device) : device_(device) {
  device.use();
  device.check(device.module().create_stream(&stream_), "create_stream");
}

DeviceStream::~DeviceStream() {
  drain();
  (void)device_.module().destroy_stream(stream_);
}

void DeviceStream::record(const DeviceEvent& event) {
  device_.use();
  device_.check(device_.module().record_event(event.handle(), stream_), "record_event");
}

void DeviceStream::wait_for(const DeviceEvent& event) {
  device_.use();
  device_.check(device_.module().stream_wait_event(stream_, event.handle()), "stream_wait_event");
}

void DeviceStream::upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t row_bytes,
                          std::size_t rows) {
  device_.use();
  device_.check(device_.module().upload(to, to_pitch, from, from_pitch, row_bytes, rows, stream_), "upload", row_bytes * rows);
  device_.counters().uploads.fetch_add(1);
  device_.counters().upload_bytes.fetch_add(static_cast<std::int64_t>(row_bytes * rows));
}

void DeviceStream::upload_table(void* to, const void* from, std::size_t bytes) {
  device_.use();
  device_.check(device_.module().upload(to, bytes, from, bytes, bytes, 1, stream_), "upload of a table", bytes);
}

void DeviceStream::download(void* to, const void* from, std::size_t bytes) {
  device_.use();
  device_.check(device_.module().download(to, from, bytes, stream_), "download", bytes);
  device_.counters().downloads.fetch_add(1);
}

void DeviceStream::clear(void* memory, std::size_t bytes) {
  device_.use();
  device_.check(device_.module().clear(memory, bytes, stream_), "clear", bytes);
}

void DeviceStream::launch(const char* name, std::size_t size, int width, int height, const Grid& grid, const void* kernel) {
  device_.use();
  const int status = device_.kernel(name, size, width, height).launch(grid, stream_, kernel);
  if (status != 0) device_.check(status, std::string("launch of ") + name);
  device_.counters().launches.fetch_add(1);
}

void DeviceStream::drain() noexcept { (void)device_.module().wait_stream(stream_); }

}  // namespace vmafbatch::hip
