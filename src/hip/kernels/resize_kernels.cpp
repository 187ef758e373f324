#include "hip/kernels/resize_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> resize_kernels() { return kernel_table(ResizeKernels{}); }

}  // namespace vmafbatch::hip
