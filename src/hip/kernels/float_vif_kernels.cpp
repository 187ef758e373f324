#include "hip/kernels/float_vif_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> float_vif_kernels() { return kernel_table(FloatVifKernels{}); }

}  // namespace vmafbatch::hip
