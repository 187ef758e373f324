// The transfer function of ssimulacra2 as a table: what a device uploads once.
#pragma once

#include <array>
#include <cstdint>

#include "extractors/ssimulacra2_math.h"

namespace vmafbatch::extractors::ssimulacra2 {

// Entry i is linear light at the sRGB value i / 1023, g(x) = x / 12.92 up to 0.04045 and ((x + 0.055) / 1.055)^2.4 above
// (IEC 61966-2-1), as a float.
// Constant-initialised: other tables may be made from it before main.
extern const std::array<float, kTransferEntries> kTransfer;

}  // namespace vmafbatch::extractors::ssimulacra2
