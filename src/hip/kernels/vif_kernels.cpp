#include "hip/kernels/vif_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> vif_kernels() { return kernel_table(VifKernels{}); }

}  // namespace vmafbatch::hip
