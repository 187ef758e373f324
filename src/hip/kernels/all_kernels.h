// Every kernel of the program, for the table of the build that compiles this room.
#pragma once

#include <vector>

#include "hip/platform/module_table.h"

namespace vmafbatch::hip {

// The families, each in its own <family>_kernels.cpp.
std::vector<ModuleKernel> adm_kernels();
std::vector<ModuleKernel> error_kernels();
std::vector<ModuleKernel> float_adm_kernels();
std::vector<ModuleKernel> float_motion_kernels();
std::vector<ModuleKernel> float_vif_kernels();
std::vector<ModuleKernel> moment_kernels();
std::vector<ModuleKernel> motion_kernels();
std::vector<ModuleKernel> probe_kernels();
std::vector<ModuleKernel> resize_kernels();
std::vector<ModuleKernel> row_sum_kernels();
std::vector<ModuleKernel> vif_kernels();

std::vector<ModuleKernel> all_kernels();

}  // namespace vmafbatch::hip
