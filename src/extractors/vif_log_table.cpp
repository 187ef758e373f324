#include "extractors/vif_log_table.h"

#include <cmath>

namespace vmafbatch::extractors {
namespace {

// Through the double logarithm, which gives the same float with every reasonable C library: no log2 of 32768 .. 65535 comes closer
// than 1.7e-5 float steps to a rounding boundary.
std::array<std::uint16_t, kVifLogEntries> make_table() {
  std::array<std::uint16_t, kVifLogEntries> table{};
  for (int i = 0; i < kVifLogEntries; ++i) {
    const auto logarithm = static_cast<float>(std::log2(static_cast<double>(kVifLogEntries + i)));
    table[static_cast<size_t>(i)] = static_cast<std::uint16_t>(std::round(static_cast<double>(logarithm * 2048.0f)));
  }
  return table;
}

}  // namespace

const std::array<std::uint16_t, kVifLogEntries>& vif_log_table() {
  static const std::array<std::uint16_t, kVifLogEntries> table = make_table();
  return table;
}

}  // namespace vmafbatch::extractors
