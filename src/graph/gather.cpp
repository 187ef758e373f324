#include "graph/gather.h"

#include <cmath>
#include <exception>
#include <utility>

#include "graph/scoring.h"

namespace vmafbatch::graph {
namespace {

// The features of one job of a complete frame; a NaN or an exception becomes its failure (decision 17).
void conclude_job(const FrameRecord& record, size_t index, FrameScores& scores) {
  Job& job = *record.scoring->plan.jobs[index];
  const JobOutcome& outcome = record.outcomes[index];
  scores.places[index] = outcome.on_device ? FrameScores::Place::kDevice : FrameScores::Place::kCpu;
  if (outcome.failure) {
    scores.failures.push_back({index, *outcome.failure});
    return;
  }
  if (record.reported) {
    extractors::FrameFeatures features;
    job.instance->conclude(outcome.measurements, features);
    for (const auto& [feature, value] : features.values()) {
      if (!job.column_of[feature]) continue;
      const size_t column = *job.column_of[feature];
      if (std::isnan(value)) {
        scores.values[index].clear();
        scores.failures.push_back({index, record.scoring->plan.columns[column].key + " is not a number (NaN)"});
        return;
      }
      scores.values[index].push_back({column, value});
    }
  }
  if (job.needs.series) scores.series[index] = outcome.measurements;
}

}  // namespace

std::optional<FrameScores> gather_report(const JobMessage& message) noexcept {
  FrameRecord& record = *message.record;
  if (!record.countdown.report()) return std::nullopt;
  FrameScores scores = std::move(record.scores);
  scores.scoring = record.scoring;
  record.window.reset();
  for (const size_t job : record.jobs) {
    try {
      conclude_job(record, job, scores);
    } catch (const std::exception& e) {
      scores.failures.push_back({job, e.what()});
    } catch (...) {
      scores.failures.push_back({job, "stopped for an unknown reason"});
    }
  }
  return scores;
}

}  // namespace vmafbatch::graph
