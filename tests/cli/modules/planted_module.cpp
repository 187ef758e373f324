// A device module that is what VMAFBATCH_TEST_MODULE says: of another "version" or "abi", with a "rude" version, without its "driver", or
// with a "device" that lists itself and can do nothing.
#include <cstdlib>
#include <cstring>

#include "base/version.h"
#include "hip/platform/module_table.h"

namespace vmafbatch::hip {
namespace {

bool is(const char* what) {
  const char* const asked = std::getenv("VMAFBATCH_TEST_MODULE");
  return asked != nullptr && std::strcmp(asked, what) == 0;
}

const char* status_text(int status) { return status == kOutOfMemory ? "out of memory" : "the driver is not there"; }
int device_count(int* count) {
  *count = 1;
  return is("driver") ? 35 : 0;
}
int describe_device(int, DeviceDescription* out) {
  *out = {"A\xFF planted device", "sm_00", "0000:03:00.0", std::uint64_t{8} << 30};
  return 0;
}
int use_device(int) { return 0; }
int allocate(void**, std::size_t) { return kOutOfMemory; }
int release(void*) { return 0; }

const ModuleTable& module_table() {
  static const ModuleTable table = [] {
    ModuleTable made{};
    made.abi = is("abi") ? kModuleAbi + 1 : kModuleAbi;
    made.version = is("version") ? "0.0.1" : is("rude") ? "\x1B[2J\n\xFF" : kVersion.data();
    made.platform = "NVIDIA";
    made.status_text = status_text;
    made.device_count = device_count;
    made.describe_device = describe_device;
    made.use_device = use_device;
    made.allocate = made.allocate_pinned = allocate;
    made.release = made.release_pinned = release;
    return made;
  }();
  return table;
}

}  // namespace
}  // namespace vmafbatch::hip

extern "C" __attribute__((visibility("default"))) const vmafbatch::hip::ModuleTable* vmafbatch_hip_module() {
  return &vmafbatch::hip::module_table();
}
