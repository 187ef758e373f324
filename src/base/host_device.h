// VB_HOST_DEVICE marks the small inline functions that a CPU loop and a device kernel share (<extractor>_math.h).
#pragma once

#if defined(__HIPCC__) || defined(__CUDACC__)
#define VB_HOST_DEVICE __host__ __device__
#else
#define VB_HOST_DEVICE
#endif
