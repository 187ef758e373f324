#include "io/sync.h"

namespace vmafbatch::io {

Result<Sync> parse_sync(const std::string& name) {
  if (name == "frame") return Sync::kFrame;
  if (name == "timestamp") return Sync::kTimestamp;
  return Error{"sync \"" + name + "\" is unknown; use frame or timestamp"};
}

}  // namespace vmafbatch::io
