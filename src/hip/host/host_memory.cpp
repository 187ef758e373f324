#include "hip/host/host_memory.h"

#include <cstdlib>
#include <cstring>

#include "hip/host/host_schedule.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace vmafbatch::hip {

void* allocate_host_memory(std::size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kHostAlignment, bytes) != 0) return nullptr;
  std::memset(memory, host_fill_byte(), bytes);
  return memory;
}

void release_host_memory(void* memory) { std::free(memory); }

void forbid_host_memory([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(memory, bytes);  // free() lifts it
#endif
}

void allow_host_memory([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace vmafbatch::hip
