#include "hip/kernels/float_adm_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> float_adm_kernels() { return kernel_table(FloatAdmKernels{}); }

}  // namespace vmafbatch::hip
