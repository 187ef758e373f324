// VB_HOST_DEVICE marks the small inline functions that a CPU loop and a device kernel share (<extractor>_math.h).
#pragma once

#if defined(__HIPCC__) || defined(__CUDACC__)
#define VB_HOST_DEVICE __host__ __device__
#else
#define VB_HOST_DEVICE
#endif

// Stands before a loop of few, fixed turns whose arrays should live in registers on a device; the C++ compiler decides for itself.
#if defined(__HIPCC__) || defined(__CUDACC__)
#define VB_UNROLL _Pragma("unroll")
#else
#define VB_UNROLL
#endif
