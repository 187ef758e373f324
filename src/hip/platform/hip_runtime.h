// HIP's names for the build that compiles this: AMD's own headers under hipcc, aliases of the CUDA runtime under nvcc. (Debian's HIP 5.2
// headers do not compile with CUDA 13.)
#pragma once

#if defined(__CUDACC__)
#include "hip/platform/hip_over_cuda.h"
#else
#include <hip/hip_runtime.h>
#endif
