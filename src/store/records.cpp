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

const char* scope_name(ColumnScope scope) {
  switch (scope) {
    case ColumnScope::kFrame: return "frame";
    case ColumnScope::kSeries: return "series";
    case ColumnScope::kAggregate: break;
  }
  return "aggregate";
}

bool BackendRecord::same_place(const BackendRecord& other) const {
  return implementation == other.implementation && backend == other.backend && device == other.device && reason == other.reason;
}

}  // namespace vmafbatch::store
