#include "graph/score_sink.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/log.h"
#include "graph/clip_finish.h"
#include "graph/clip_record.h"
#include "io/presentation_time.h"

namespace vmafbatch::graph {
namespace {

using store::ScoringStatus;

size_t refusal_index(const ScoringPlan& plan, size_t refusal) { return plan.jobs.size() + refusal; }

}  // namespace

void ScoreSink::take(WriterMessage message) noexcept {
  if (error_) return;
  const auto start = std::chrono::steady_clock::now();
  try {
    const Status status = std::visit([this](auto& m) { return handle(m); }, message);
    if (!status.ok()) fail(status.error());
    checkpoint_if_due();
  } catch (const std::exception& e) {
    fail(Error{std::string("the writer stopped: ") + e.what()});
  } catch (...) {
    fail(Error{"the writer stopped for an unknown reason"});
  }
  seconds_in_store_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void ScoreSink::fail(const Error& error) {
  error_ = error;
  failed_.store(true);
  // Frames that wait for earlier ones keep their steps open; nobody will take them.
  for (auto& [key, running] : running_) running.scoring->stored.frames.clear();
}

void ScoreSink::checkpoint_if_due() {
  if (error_ || std::chrono::steady_clock::now() - last_commit_ < checkpoint_) return;
  if (Status committed = writer_.commit(); !committed.ok()) fail(committed.error());
  last_commit_ = std::chrono::steady_clock::now();
}

ClipOutcome& ScoreSink::outcome_of(Scoring& scoring) {
  Running& running = running_[&scoring];
  running.scoring = &scoring;
  running.outcome.name = scoring.name;
  return running.outcome;
}

void ScoreSink::end_clip(ClipOutcome outcome) {
  for (const std::string& warning : outcome.warnings) log_warning(outcome.name + ": " + warning);
  for (const std::string& failure : outcome.failures) log_error(outcome.name + ": " + failure);
  log_info(outcome.name + ": " + store::status_name(outcome.status) + ", " + std::to_string(outcome.frames) + " frames");
  progress_.clips_ended.fetch_add(1);
  if (outcome.status != ScoringStatus::kDone) progress_.clips_failed.fetch_add(1);
  outcomes_.push_back(std::move(outcome));
}

Status ScoreSink::handle(ClipBegin& begin) {
  Scoring& scoring = *begin.scoring;
  scoring.stored.failed_at.resize(scoring.plan.jobs.size());
  scoring.stored.ranges.resize(scoring.plan.jobs.size());
  ClipOutcome& outcome = outcome_of(scoring);
  Status status = scoring.prefix.frames > 0 ? resume(scoring) : begin_new(scoring);
  for (const std::string& warning : scoring.warnings) {
    outcome.warnings.push_back(warning);
    chain(status, [&] { return writer_.add_warning(*scoring.stored.id, warning); });
  }
  for (size_t i = 0; i < scoring.plan.refusals.size(); ++i) {
    const Refusal& refusal = scoring.plan.refusals[i];
    const size_t producer = refusal_index(scoring.plan, i);
    chain(status, [&] { return store_failure(scoring, producer, std::nullopt, refusal.extractor, refusal.reason); });
  }
  return status;
}

Status ScoreSink::begin_new(Scoring& scoring) {
  // Whether an ended scoring is to be kept was decided before the clip was opened.
  const Result<store::BeginOutcome> begun =
      writer_.begin_scoring(scoring.record, column_specs(scoring.plan), producer_specs(scoring.plan), {.again = true});
  if (!begun.ok()) return begun.error();
  scoring.stored.id = begun->id;
  return {};
}

// Brings back what the writer node knew of the scoring when the earlier run was interrupted.
Status ScoreSink::resume(Scoring& scoring) {
  const store::StoredPrefix& prefix = scoring.prefix;
  Result<store::ResumedScoring> resumed =
      writer_.resume_scoring(prefix, scoring.record, column_specs(scoring.plan), producer_specs(scoring.plan));
  if (!resumed.ok()) return resumed.error();
  Scoring::Stored& stored = scoring.stored;
  stored.id = prefix.id;
  stored.frames.start_at(prefix.frames);
  stored.values = resumed->has_values ? 1 : 0;
  const Result<std::vector<std::vector<std::uint64_t>>> pairs = writer_.pairs(prefix.id);
  if (!pairs.ok()) return pairs.error();
  for (const std::vector<std::uint64_t>& words : *pairs) {
    const std::optional<PairFacts> facts = pair_facts(words);
    if (!facts) return Error{scoring.name + ": what an interrupted run stored of its pictures is damaged; score it with --fresh"};
    count_pair(scoring, *facts);
  }
  for (size_t job = 0; job < scoring.plan.jobs.size(); ++job) stored.ranges[job] = std::move(resumed->backends[job]);
  for (const auto& failure : resumed->failures) {
    const auto job = static_cast<size_t>(failure.extractor);
    if (job >= scoring.plan.jobs.size()) continue;
    stored.any_failure = true;
    stored.failed_at[job] = failure.frame;
    scoring.plan.jobs[job]->failed_at.store(failure.frame);
    outcome_of(scoring).failures.push_back(failure_text(scoring.plan.jobs[job]->name(), failure.reason, failure.frame));
  }
  log_info(scoring.name + ": resumed at frame " + std::to_string(prefix.frames) + " (" + std::to_string(prefix.frames) +
           " frames are stored already and are not measured again)");
  frames_resumed_ += prefix.frames;
  return {};
}

void ScoreSink::count_pair(Scoring& scoring, const PairFacts& facts) {
  ++scoring.stored.frames_counted;
  scoring.stored.alignment.add(facts.reference, facts.distorted);
  if (!facts.reported) return;
  ++scoring.stored.reported_frames;
  if (facts.identical) ++scoring.stored.identical_frames;
}

// A frame that --subsample left out belongs to the range around it. A range is stored when it begins: how far it reaches is known from
// the next one, or from the frames that are stored.
Status ScoreSink::note_place(Scoring& scoring, size_t index, const FrameScores& frame) {
  if (frame.places[index] == FrameScores::Place::kNowhere) return {};
  const Job& job = *scoring.plan.jobs[index];
  const bool on_device = frame.places[index] == FrameScores::Place::kDevice;
  auto& ranges = scoring.stored.ranges[index];
  store::BackendRecord record;
  record.implementation = on_device ? job.implementation : job.name();
  record.backend = on_device ? scoring.device_backend : "cpu";
  if (on_device) record.device = scoring.device_name;
  if (!on_device) record.reason = job.cpu_reason();
  record.first_frame = record.last_frame = ranges.empty() ? 0 : frame.index;
  if (!ranges.empty() && ranges.back().same_place(record)) return {};
  ranges.push_back(record);
  return writer_.add_backend(*scoring.stored.id, static_cast<int>(index), record);
}

Status ScoreSink::handle(FrameScores& frame) {
  Scoring& scoring = *frame.scoring;
  if (!scoring.stored.id) return {};
  Status status;
  const std::int64_t index = frame.index;
  scoring.stored.frames.push(index, std::move(frame),
                             [&](FrameScores&& next) { chain(status, [&] { return store_frame(std::move(next)); }); });
  if (!status.ok()) return status;
  const auto end = ending_.find(&scoring);
  if (end == ending_.end() || scoring.stored.frames.next() < end->second.frames) return {};
  const ClipEnd last = std::move(end->second);
  ending_.erase(end);
  return finish(last);
}

Status ScoreSink::store_frame(FrameScores frame) {
  Scoring& scoring = *frame.scoring;
  const store::ScoringId id = *scoring.stored.id;
  const auto& failed = scoring.stored.failed_at;
  if (std::ranges::all_of(failed, [](const auto& at) { return at.has_value(); })) return {};  // how far decoding got does not count
  const PairFacts facts{frame.reported, frame.identical, frame.reference_luma, frame.distorted_luma};
  count_pair(scoring, facts);
  Status status;
  for (const FrameScores::Failure& failure : frame.failures) {
    if (scoring.stored.failed_at[failure.job]) continue;
    scoring.stored.failed_at[failure.job] = frame.index;  // its values from here on are missing (decision 18)
    chain(status, [&] { return store_failure(scoring, failure.job, frame.index, scoring.plan.jobs[failure.job]->name(), failure.reason); });
  }
  for (size_t job = 0; job < frame.values.size(); ++job) {
    if (scoring.stored.failed_at[job]) continue;
    chain(status, [&] { return note_place(scoring, job, frame); });
    for (const FrameScores::Value& value : frame.values[job]) {
      chain(status, [&] { return writer_.add_value(id, static_cast<int>(value.column), frame.index, value.value); });
      ++scoring.stored.values;
    }
    if (frame.series[job].size() != 0) {
      chain(status, [&] { return writer_.add_measurement(id, static_cast<int>(job), frame.index, frame.series[job].words()); });
    }
  }
  chain(status, [&] {
    return writer_.add_pair(id, frame.index,
                            {io::nanoseconds(frame.reference_time_s), io::nanoseconds(frame.distorted_time_s), pair_words(facts)});
  });
  if (frame.reported) progress_.frames_scored.fetch_add(1);
  return status;
}

Status ScoreSink::store_failure(Scoring& scoring, std::optional<size_t> producer, std::optional<std::int64_t> frame,
                                const std::string& source, const std::string& reason) {
  return graph::store_failure(writer_, scoring, outcome_of(scoring), {producer, frame, source, reason});
}

Status ScoreSink::handle(ClipEnd& end) {
  Scoring& scoring = *end.scoring;
  if (!scoring.stored.id) return {};
  if (scoring.stored.frames.next() < end.frames) {
    ending_.emplace(&scoring, std::move(end));
    return {};
  }
  return finish(end);
}

Status ScoreSink::handle(ClipFailed& failed) {
  ClipOutcome outcome;
  outcome.name = failed.name;
  outcome.status = ScoringStatus::kFailed;
  outcome.failures.push_back(failed.reason);
  const Result<store::ScoringId> stored = writer_.add_failed_clip(failed.record, failed.reason);
  if (!stored.ok()) return stored.error();
  end_clip(std::move(outcome));
  return {};
}

Status ScoreSink::finish(const ClipEnd& end) {
  Scoring& scoring = *end.scoring;
  if (end.kind == ClipEnd::Kind::kInterrupted) {  // stays `running`: the next run takes it up
    running_.erase(&scoring);
    return writer_.commit();
  }
  ClipOutcome outcome = std::move(outcome_of(scoring));
  if (Status finished = finish_clip(end, writer_, outcome); !finished.ok()) return finished;
  running_.erase(&scoring);
  end_clip(std::move(outcome));
  return {};
}

}  // namespace vmafbatch::graph
