#include "store/clock.h"

#include <fmt/chrono.h>

#include <chrono>

namespace vmafbatch::store {

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

}  // namespace vmafbatch::store
