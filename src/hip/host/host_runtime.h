// The HOST runtime: streams are threads, events are flags, device memory is heap memory with guarded ends.
#pragma once

#include "hip/platform/module_table.h"

namespace vmafbatch::hip {

const ModuleTable& host_module();

}  // namespace vmafbatch::hip
