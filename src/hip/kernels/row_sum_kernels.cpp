#include "hip/kernels/row_sum_kernels.h"

#include "hip/kernels/all_kernels.h"
#include "hip/platform/launcher.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> row_sum_kernels() { return kernel_table(RowSumKernels{}); }

}  // namespace vmafbatch::hip
