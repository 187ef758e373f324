// "Device" memory of the HOST runtime: every buffer is an allocation of its own, exactly as long as asked for, so that
// AddressSanitizer finds an access outside; fresh memory holds a pattern (host_fill_byte), so that a value which nothing wrote shows.
#pragma once

#include <cstddef>

namespace vmafbatch::hip {

// Null where there is no memory. Aligned as device memory is (CUDA C++ Programming Guide: at least 256 bytes).
inline constexpr std::size_t kHostAlignment = 256;
void* allocate_host_memory(std::size_t bytes);
void release_host_memory(void* memory);

// No access to these bytes, until the memory is released.
void forbid_host_memory(void* memory, std::size_t bytes);

// Lifts it.
void allow_host_memory(void* memory, std::size_t bytes);

// Bytes of guard behind each row of a plane.
inline constexpr std::size_t kHostRowGuard = 64;

}  // namespace vmafbatch::hip
