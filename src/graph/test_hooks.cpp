#include "graph/test_hooks.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/number_text.h"

namespace vmafbatch::graph::test_hooks {

void delay_measurement() {
  static const std::int64_t milliseconds = [] {
    const char* text = std::getenv("VMAFBATCH_TEST_MEASURE_DELAY_MS");
    return text == nullptr ? 0 : parse_integer(text).value_or(0);
  }();
  if (milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace vmafbatch::graph::test_hooks
