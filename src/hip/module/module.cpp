// A device module: the table of platform/module_table.h over HIP's runtime. Compiled by hipcc into vmafbatch_hip_amd.so and by nvcc into
// vmafbatch_hip_nvidia.so.
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/version.h"
#include "hip/kernels/all_kernels.h"
#include "hip/platform/hip_runtime.h"
#include "hip/platform/module_table.h"

namespace vmafbatch::hip {
namespace {

// The program knows one status by its meaning.
int status(hipError_t error) {
  if (error == hipSuccess) return 0;
  (void)hipGetLastError();  // it has been told; the next call must not find it again
  return error == hipErrorOutOfMemory ? kOutOfMemory : static_cast<int>(error);
}
static_assert(static_cast<int>(hipErrorOutOfMemory) == kOutOfMemory, "status numbers are the runtime's own");

const char* status_text(int value) { return hipGetErrorString(static_cast<hipError_t>(value)); }
int device_count(int* count) { return status(hipGetDeviceCount(count)); }

int describe_device(int device, DeviceDescription* out) {
  hipDeviceProp_t properties;
  const int failed = status(hipGetDeviceProperties(&properties, device));
  if (failed != 0) return failed;
  std::memset(out, 0, sizeof *out);
  std::snprintf(out->name, sizeof out->name, "%s", properties.name);
#if defined(__CUDACC__)
  std::snprintf(out->architecture, sizeof out->architecture, "sm_%d%d", properties.major, properties.minor);
#else
  std::snprintf(out->architecture, sizeof out->architecture, "%s", properties.gcnArchName);
#endif
  out->memory_bytes = properties.totalGlobalMem;
  return status(hipDeviceGetPCIBusId(out->bus, static_cast<int>(sizeof out->bus), device));
}

int use_device(int device) { return status(hipSetDevice(device)); }
int allocate(void** memory, size_t bytes) { return status(hipMalloc(memory, bytes)); }
int release(void* memory) { return status(hipFree(memory)); }
int allocate_pinned(void** memory, size_t bytes) { return status(hipHostMalloc(memory, bytes, hipHostMallocPortable)); }
int release_pinned(void* memory) { return status(hipHostFree(memory)); }

hipStream_t stream_of(void* stream) { return static_cast<hipStream_t>(stream); }
hipEvent_t event_of(void* event) { return static_cast<hipEvent_t>(event); }

int create_stream(void** stream) { return status(hipStreamCreateWithFlags(reinterpret_cast<hipStream_t*>(stream), hipStreamNonBlocking)); }
int destroy_stream(void* stream) { return status(hipStreamDestroy(stream_of(stream))); }
int wait_stream(void* stream) { return status(hipStreamSynchronize(stream_of(stream))); }
// Blocking: the thread that collects sleeps instead of spinning, its core belongs to the extractors.
int create_event(void** event) {
  return status(hipEventCreateWithFlags(reinterpret_cast<hipEvent_t*>(event), hipEventDisableTiming | hipEventBlockingSync));
}
int destroy_event(void* event) { return status(hipEventDestroy(event_of(event))); }
int record_event(void* event, void* stream) { return status(hipEventRecord(event_of(event), stream_of(stream))); }
int stream_wait_event(void* stream, void* event) { return status(hipStreamWaitEvent(stream_of(stream), event_of(event), 0)); }
int wait_event(void* event) { return status(hipEventSynchronize(event_of(event))); }

int upload(void* device, size_t device_pitch, const void* host, size_t host_pitch, size_t row_bytes, size_t rows, void* stream) {
  if (device_pitch == host_pitch) {
    const size_t bytes = (rows - 1) * host_pitch + row_bytes;
    return status(hipMemcpyAsync(device, host, bytes, hipMemcpyHostToDevice, stream_of(stream)));
  }
  return status(hipMemcpy2DAsync(device, device_pitch, host, host_pitch, row_bytes, rows, hipMemcpyHostToDevice, stream_of(stream)));
}
int download(void* host, const void* device, size_t bytes, void* stream) {
  return status(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, stream_of(stream)));
}
int clear(void* device, size_t bytes, void* stream) { return status(hipMemsetAsync(device, 0, bytes, stream_of(stream))); }

// The host's own pitch: one copy moves the whole plane.
size_t plane_pitch(size_t, size_t host_pitch) { return host_pitch; }

#if defined(__CUDACC__)
constexpr const char* kPlatform = "NVIDIA";
#else
constexpr const char* kPlatform = "AMD";
#endif

const ModuleTable& module_table() {
  static const std::vector<ModuleKernel> kernels = all_kernels();
  static const ModuleTable table = {
      .abi = kModuleAbi,
      .version = kVersion.data(),
      .platform = kPlatform,
      .kernels = kernels.data(),
      .kernel_count = kernels.size(),
      .status_text = status_text,
      .device_count = device_count,
      .describe_device = describe_device,
      .use_device = use_device,
      .allocate = allocate,
      .release = release,
      .allocate_pinned = allocate_pinned,
      .release_pinned = release_pinned,
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
      .forbid = nullptr,
  };
  return table;
}

}  // namespace
}  // namespace vmafbatch::hip

extern "C" __attribute__((visibility("default"))) const vmafbatch::hip::ModuleTable* vmafbatch_hip_module() {
  return &vmafbatch::hip::module_table();
}
