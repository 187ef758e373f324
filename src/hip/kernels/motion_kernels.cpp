#include "hip/kernels/motion_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> motion_kernels() { return kernel_table(MotionKernels{}); }

}  // namespace vmafbatch::hip
