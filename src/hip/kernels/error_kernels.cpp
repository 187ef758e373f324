#include "hip/kernels/error_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> error_kernels() { return kernel_table(ErrorKernels{}); }

}  // namespace vmafbatch::hip
