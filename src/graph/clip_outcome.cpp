#include "graph/clip_outcome.h"

namespace vmafbatch::graph {

std::string failure_text(const std::string& source, const std::string& reason, std::optional<std::int64_t> frame) {
  std::string text = reason.starts_with(source) ? reason : source + ": " + reason;
  if (frame) text += " (frame " + std::to_string(*frame) + ")";
  return text;
}

Status store_failure(store::Writer& writer, Scoring& scoring, ClipOutcome& outcome, const ClipFailure& failure) {
  scoring.stored.any_failure = true;
  outcome.failures.push_back(failure_text(failure.source, failure.reason, failure.producer ? failure.frame : std::nullopt));
  const std::optional<int> index = failure.producer ? std::optional(static_cast<int>(*failure.producer)) : std::nullopt;
  return writer.add_failure(*scoring.stored.id, index, failure.frame, failure.reason);
}

}  // namespace vmafbatch::graph
