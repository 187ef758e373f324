#include "store/records.h"

namespace vmafbatch::store {

const char* status_name(ScoringStatus status) {
  switch (status) {
    case ScoringStatus::kRunning: return "running";
    case ScoringStatus::kDone: return "done";
    case ScoringStatus::kPartial: return "partial";
    case ScoringStatus::kFailed: break;
  }
  return "failed";
}

bool is_imported(std::string_view options) { return options.starts_with(std::string(kImported) + " "); }

}  // namespace vmafbatch::store
