#include "graph/device_set.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

#include "base/machine.h"
#include "graph/run.h"

namespace vmafbatch::graph {
namespace {

// Frames that a device works on at once: small kernels of one frame leave room for the next, and copies run beside them.
constexpr int kStreams = 4;

// Pictures in memory that devices read directly; on the heap where there is none left.
class PinnedPictures final : public io::PictureMemory {
 public:
  explicit PinnedPictures(hip::Device& device) : device_(device) {}

  std::shared_ptr<std::byte> allocate(size_t bytes) override {
    try {
      const auto memory = std::make_shared<hip::DeviceMemory>(device_, hip::DeviceMemory::Kind::kPinned, bytes);
      return {memory, memory->as<std::byte>()};
    } catch (const hip::DeviceError&) {
      auto* const heap = static_cast<std::byte*>(std::aligned_alloc(io::FrameBuffer::kAlignment, bytes));
      if (heap == nullptr) throw std::bad_alloc();
      return {heap, [](std::byte* p) { std::free(p); }};
    }
  }

 private:
  hip::Device& device_;
};

size_t memory_limit(const hip::Device& device, const RunOptions& options) {
  if (options.device_memory_bytes != 0) return options.device_memory_bytes;
  const std::uint64_t memory = device.description().memory_bytes;
  return memory == 0 ? physical_memory_bytes() / 4 : memory / 5 * 4;  // HOST devices take the machine's own memory
}

}  // namespace

Result<std::unique_ptr<DeviceSet>> DeviceSet::open(const RunOptions& options) {
  std::unique_ptr<DeviceSet> set(new DeviceSet);  // NOLINT(cppcoreguidelines-owning-memory): the constructor is private
  try {
    for (hip::Device* const device : options.devices) {
      const int streams = device->description().memory_bytes == 0 ? std::clamp(options.threads, 1, kStreams) : kStreams;
      set->entries_.push_back(std::make_unique<Entry>(*device, memory_limit(*device, options), streams));
    }
  } catch (const std::exception& e) {
    return Error{e.what()};
  }
  if (!options.devices.empty()) set->pictures_ = std::make_shared<PinnedPictures>(*options.devices.front());
  return set;
}

DeviceSet::~DeviceSet() = default;

DeviceSet::Use DeviceSet::take() {
  if (entries_.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto least = std::ranges::min_element(
      entries_, {}, [](const auto& entry) { return std::tuple(entry->queue.retired().has_value(), entry->ladders, entry->taken); });
  ++(*least)->ladders;
  ++(*least)->taken;
  return {*this, static_cast<size_t>(least - entries_.begin())};
}

DeviceSet::Use::~Use() {
  if (set_ == nullptr) return;
  const std::lock_guard lock(set_->mutex_);
  --set_->entries_[index_]->ladders;
}

}  // namespace vmafbatch::graph
