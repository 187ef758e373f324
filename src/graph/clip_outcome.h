// What a run says about one clip, and how its failures are stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/scoring.h"
#include "store/writer.h"

namespace vmafbatch::graph {

// For the summary at the run's end.
struct ClipOutcome {
  std::string name;
  store::ScoringStatus status = store::ScoringStatus::kDone;
  std::int64_t frames = 0;
  std::vector<std::string> failures;  // "adm: cannot score ...", one sentence each
  std::vector<std::string> warnings;
};

struct ClipFailure {
  std::optional<size_t> producer;  // the index of the extractor or model in producer_specs(); nothing: the clip itself
  std::optional<std::int64_t> frame;
  std::string source;  // who failed, for people
  std::string reason;
};

// "adm: REASON (frame 3)"
std::string failure_text(const std::string& source, const std::string& reason, std::optional<std::int64_t> frame);

// Stores it and notes it in the outcome.
Status store_failure(store::Writer& writer, Scoring& scoring, ClipOutcome& outcome, const ClipFailure& failure);

// Calls f while it returns success; keeps the first error.
template <class F>
void chain(Status& status, F&& f) {
  if (status.ok()) status = f();
}

}  // namespace vmafbatch::graph
