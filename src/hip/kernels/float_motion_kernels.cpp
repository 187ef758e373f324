#include "hip/kernels/float_motion_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> float_motion_kernels() { return kernel_table(FloatMotionKernels{}); }

}  // namespace vmafbatch::hip
