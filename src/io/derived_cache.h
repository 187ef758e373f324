// Work that several extractors need (float planes, pyramids, wavelet bands) belongs to the frame it derives from. It is
// computed once, by whoever asks first, and freed with its frame.
#pragma once

#include <oneapi/tbb/collaborative_call_once.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>

namespace vmafbatch::io {

// Any thread may call get(). A value lives as long as the cache; references stay valid until then.
class DerivedCache {
 public:
  DerivedCache() = default;
  DerivedCache(const DerivedCache&) = delete;
  DerivedCache& operator=(const DerivedCache&) = delete;

  // The value of type T under `key` (the parameters it depends on besides the frame; "" where there are none). The first caller
  // runs make(), which returns a T; callers that come meanwhile help with its inner parallel work or wait. If make() throws, the
  // exception reaches that caller and the next one tries again.
  template <class T, class Make>
  const T& get(std::string_view key, Make&& make) const {
    Slot& slot = find_or_add(std::type_index(typeid(T)), key);
    oneapi::tbb::collaborative_call_once(slot.once, [&] { slot.value = std::make_shared<const T>(make()); });
    return *static_cast<const T*>(slot.value.get());
  }

 private:
  struct Slot {
    oneapi::tbb::collaborative_once_flag once;
    std::shared_ptr<const void> value;
  };

  Slot& find_or_add(std::type_index type, std::string_view key) const {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Slot>& slot = slots_[{type, std::string(key)}];
    if (!slot) slot = std::make_unique<Slot>();
    return *slot;
  }

  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::type_index, std::string>, std::unique_ptr<Slot>> slots_;
};

}  // namespace vmafbatch::io
