// The logarithms of vif.
#pragma once

#include <array>
#include <cstdint>

#include "extractors/vif_math.h"

namespace vmafbatch::extractors {

// Entry i - 32768: 2048 * log2(i), the logarithm rounded to single precision before the product is rounded to a whole number.
// Built on first use; any thread.
const std::array<std::uint16_t, kVifLogEntries>& vif_log_table();

}  // namespace vmafbatch::extractors
