// Which arithmetic path the hot loops take. Both paths give the same bits; the scalar one is the plain twin.
#pragma once

namespace vmafbatch {

enum class SimdMode { kBest, kScalar };

// The mode of this process. Set once at program start (--simd), before any extractor is created; read from any thread.
SimdMode simd_mode();
void set_simd_mode(SimdMode mode);

}  // namespace vmafbatch
