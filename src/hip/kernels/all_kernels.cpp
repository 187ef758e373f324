#include "hip/kernels/all_kernels.h"

namespace vmafbatch::hip {

std::vector<ModuleKernel> all_kernels() {
  std::vector<ModuleKernel> all;
  for (const auto& family : {
           adm_kernels(),
           error_kernels(),
           float_adm_kernels(),
           float_motion_kernels(),
           float_vif_kernels(),
           moment_kernels(),
           motion_kernels(),
           probe_kernels(),
           resize_kernels(),
           row_sum_kernels(),
           vif_kernels(),
       }) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

}  // namespace vmafbatch::hip
