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

bool is_same_producer(const ExtractorSpec& a, const ExtractorSpec& b) {
  constexpr std::string_view kModel = "model ";
  return a.name == b.name && (a.options == b.options || (a.options.starts_with(kModel) && b.options.starts_with(kModel)));
}

bool may_be_moved(const std::string& scored_path, const FileIdentity& now) {
  if (scored_path == now.path) return true;
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  const auto own_name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  return own_name(scored_path) == own_name(now.path) && now.mtime_ns % kNanosecondsPerSecond != 0;
}

const char* scope_name(ColumnScope scope) {
  switch (scope) {
    case ColumnScope::kFrame: return "frame";
    case ColumnScope::kSeries: return "series";
    case ColumnScope::kAggregate: break;
  }
  return "aggregate";
}

std::string_view source_name(std::string_view source) { return source.substr(0, source.find('=')); }

bool BackendRecord::same_place(const BackendRecord& other) const {
  return implementation == other.implementation && backend == other.backend && device == other.device && reason == other.reason;
}

}  // namespace vmafbatch::store
