#include "hip/kernels/probe_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> probe_kernels() { return kernel_table(ProbeKernels{}); }

}  // namespace vmafbatch::hip
