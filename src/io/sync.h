// How the pictures of the two sides are paired.
#pragma once

#include <string>

#include "base/result.h"

namespace vmafbatch::io {

enum class Sync {
  kFrame,      // the n-th with the n-th
  kTimestamp,  // each reference picture with the distorted picture that is on the screen at its time
};

// "frame", "timestamp"; the error lists them.
Result<Sync> parse_sync(const std::string& name);

}  // namespace vmafbatch::io
