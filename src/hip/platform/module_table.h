// The boundary between the program and what drives a device. A module is a shared library (vmafbatch_hip_amd.so,
// vmafbatch_hip_nvidia.so) that exports one function, which returns this table; the HOST runtime gives the same table from inside the
// program. Plain C types only: both sides may be built by different compilers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip/platform/kernel.h"

namespace vmafbatch::hip {

// Grows with every change of this header or of how it is used.
inline constexpr int kModuleAbi = 2;
inline constexpr const char* kModuleEntry = "vmafbatch_hip_module";

struct DeviceDescription {
  char name[256];         // "AMD Radeon RX 6800"
  char architecture[64];  // "gfx1030", "sm_90"
  char bus[32];           // PCI address, "0000:03:00.0"
  std::uint64_t memory_bytes;
};

// One kernel as a module has it. `size` and the block are compared with the program's own, which finds a module of other sources where the
// kernel's inputs or its block changed; that its body is the program's is for the version to say.
struct ModuleKernel {
  const char* name;
  std::size_t size;
  int width;
  int height;
  // `kernel` points to the kernel struct; it is copied before the call returns. Returns a status.
  int (*launch)(const Grid& grid, void* stream, const void* kernel);
};

// Status values: 0 is success, kOutOfMemory is memory that may be there later; all others are the device's own numbers.
inline constexpr int kOutOfMemory = 2;

struct ModuleTable {
  int abi;
  const char* version;   // of the program it was built with
  const char* platform;  // "AMD", "NVIDIA", "host"
  const ModuleKernel* kernels;
  std::size_t kernel_count;

  const char* (*status_text)(int status);
  int (*device_count)(int* count);
  int (*describe_device)(int device, DeviceDescription* description);

  // `device` becomes the calling thread's; all calls below are made with their device current.
  int (*use_device)(int device);
  int (*allocate)(void** memory, std::size_t bytes);
  int (*release)(void* memory);
  int (*allocate_pinned)(void** memory, std::size_t bytes);
  int (*release_pinned)(void* memory);

  int (*create_stream)(void** stream);
  int (*destroy_stream)(void* stream);
  int (*wait_stream)(void* stream);  // the host waits
  int (*create_event)(void** event);
  int (*destroy_event)(void* event);
  int (*record_event)(void* event, void* stream);
  int (*stream_wait_event)(void* stream, void* event);  // later work of the stream waits, the host does not
  int (*wait_event)(void* event);                       // the host waits

  // Rows of `row_bytes` bytes, pitches in bytes; equal pitches may copy the gaps too.
  int (*upload)(void* device, std::size_t device_pitch, const void* host, std::size_t host_pitch, std::size_t row_bytes, std::size_t rows,
                void* stream);
  int (*download)(void* host, const void* device, std::size_t bytes, void* stream);
  int (*clear)(void* device, std::size_t bytes, void* stream);

  // The pitch of a device plane whose rows are `row_bytes` long and `host_pitch` apart in host memory.
  std::size_t (*plane_pitch)(std::size_t row_bytes, std::size_t host_pitch);
  // Tells that nobody may read or write these bytes until their memory is released: gaps between rows. Null where nothing checks it.
  void (*forbid)(void* memory, std::size_t bytes);
};

using ModuleEntry = const ModuleTable* (*)();

}  // namespace vmafbatch::hip
