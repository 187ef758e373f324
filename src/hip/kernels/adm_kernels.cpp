#include "hip/kernels/adm_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> adm_kernels() { return kernel_table(AdmKernels{}); }

}  // namespace vmafbatch::hip
