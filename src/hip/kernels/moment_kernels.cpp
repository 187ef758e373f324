#include "hip/kernels/moment_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> moment_kernels() { return kernel_table(MomentKernels{}); }

}  // namespace vmafbatch::hip
