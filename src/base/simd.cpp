#include "base/simd.h"

#include <atomic>

namespace vmafbatch {
namespace {
std::atomic<SimdMode> g_mode{SimdMode::kBest};
}

SimdMode simd_mode() { return g_mode.load(std::memory_order_relaxed); }
void set_simd_mode(SimdMode mode) { g_mode.store(mode, std::memory_order_relaxed); }

}  // namespace vmafbatch
