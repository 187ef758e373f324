#include "graph/score_sink.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "base/log.h"
#include "graph/clip_record.h"
#include "io/presentation_time.h"

namespace vmafbatch::graph {
namespace {

using store::ScoringStatus;

size_t refusal_index(const ScoringPlan& plan, size_t refusal) { return plan.jobs.size() + refusal; }
size_t model_index(const ScoringPlan& plan, size_t model) { return plan.jobs.size() + plan.refusals.size() + model; }

std::string not_a_number(const std::string& key) { return key + " is not a number (NaN)"; }

std::string failure_text(const std::string& source, const std::string& reason, std::optional<std::int64_t> frame) {
  std::string text = reason.starts_with(source) ? reason : source + ": " + reason;
  if (frame) text += " (frame " + std::to_string(*frame) + ")";
  return text;
}

// Calls f while it returns success; keeps the first error.
template <class F>
void chain(Status& status, F&& f) {
  if (status.ok()) status = f();
}

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
  scoring.stored.any_failure = true;
  outcome_of(scoring).failures.push_back(failure_text(source, reason, producer ? frame : std::nullopt));
  const std::optional<int> index = producer ? std::optional(static_cast<int>(*producer)) : std::nullopt;
  return writer_.add_failure(*scoring.stored.id, index, frame, reason);
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
  const store::ScoringId id = *scoring.stored.id;
  if (end.kind == ClipEnd::Kind::kInterrupted) {  // stays `running`: the next run takes it up
    running_.erase(&scoring);
    return writer_.commit();
  }
  Status status;
  // What decoding met behind the last extractor's failure does not count: how far it got by then is chance.
  const bool counts = !std::ranges::all_of(scoring.stored.failed_at, [](const auto& at) { return at.has_value(); });
  if (counts && end.kind == ClipEnd::Kind::kDamaged) {
    chain(status, [&] { return store_failure(scoring, std::nullopt, end.frames, "decode", end.reason); });
  }
  std::vector<std::string> warnings = counts ? end.warnings : std::vector<std::string>();
  std::ranges::move(alignment_warnings(scoring.stored.alignment.finish(), scoring.skips), std::back_inserter(warnings));
  for (const std::string& warning : warnings) {
    outcome_of(scoring).warnings.push_back(warning);
    chain(status, [&] { return writer_.add_warning(id, warning); });
  }
  chain(status, [&] { return finish_jobs(end); });
  chain(status, [&] { return finish_models(end); });
  chain(status, [&] { return record_backends(scoring); });

  store::ScoringEnd last;
  last.status = scoring.stored.values == 0   ? ScoringStatus::kFailed
                : scoring.stored.any_failure ? ScoringStatus::kPartial
                                             : ScoringStatus::kDone;
  last.frames = scoring.stored.frames_counted;
  last.identical_frames = scoring.stored.identical_frames;
  last.decoded_reference = end.decoded_reference;
  last.decoded_distorted = end.decoded_distorted;
  last.subsample = scoring.subsample;
  last.seconds = end.seconds;
  last.decode_seconds = end.decode_seconds;
  last.reference_hash = end.reference_hash;
  last.distorted_hash = end.distorted_hash;
  chain(status, [&] { return writer_.finish_scoring(id, last); });
  if (!status.ok()) return status;

  ClipOutcome outcome = std::move(outcome_of(scoring));
  outcome.status = last.status;
  outcome.frames = last.frames;
  running_.erase(&scoring);
  end_clip(std::move(outcome));
  return {};
}

Status ScoreSink::finish_jobs(const ClipEnd& end) {
  Status status;
  for (size_t job = 0; job < end.scoring->plan.jobs.size(); ++job) {
    if (end.scoring->plan.jobs[job]->needs.series) chain(status, [&] { return finish_job(end, job); });
  }
  return status;
}

Status ScoreSink::finish_job(const ClipEnd& end, size_t index) {
  Scoring& scoring = *end.scoring;
  const Job& job = *scoring.plan.jobs[index];
  const store::ScoringId id = *scoring.stored.id;
  Result<std::vector<std::vector<std::uint64_t>>> words = writer_.measurements(id, static_cast<int>(index));
  if (!words.ok()) return words.error();
  std::vector<extractors::Measurements> measured;
  measured.reserve(words->size());
  for (std::vector<std::uint64_t>& frame : *words) measured.emplace_back(std::move(frame));
  const bool complete = end.kind == ClipEnd::Kind::kComplete && static_cast<std::int64_t>(measured.size()) == end.frames;
  extractors::ClipSeries series(std::move(measured), complete);
  try {
    job.instance->finish(series);
  } catch (const std::exception& e) {
    return store_failure(scoring, index, std::nullopt, job.name(), e.what());
  }
  Status status;
  for (const auto& value : series.values()) {
    if (value.frame % scoring.subsample != 0 || !job.column_of[value.feature]) continue;
    const size_t column = *job.column_of[value.feature];
    if (std::isnan(value.value)) {
      chain(status, [&] { return store_failure(scoring, index, value.frame, job.name(), not_a_number(scoring.plan.columns[column].key)); });
      return status;
    }
    chain(status, [&] { return writer_.add_value(id, static_cast<int>(column), value.frame, value.value); });
    ++scoring.stored.values;
  }
  for (const auto& aggregate : series.aggregates()) {
    if (!job.column_of[aggregate.first]) continue;
    const size_t column = *job.column_of[aggregate.first];
    const double value = aggregate.second;
    chain(status, [&] {
      return std::isnan(value) ? store_failure(scoring, index, std::nullopt, job.name(), not_a_number(scoring.plan.columns[column].key))
                               : writer_.add_aggregate(id, static_cast<int>(column), value);
    });
  }
  return status;
}

Status ScoreSink::finish_models(const ClipEnd& end) {
  Status status;
  for (size_t model = 0; model < end.scoring->plan.models.size(); ++model) chain(status, [&] { return finish_model(end, model); });
  return status;
}

Status ScoreSink::finish_model(const ClipEnd& end, size_t index) {
  Scoring& scoring = *end.scoring;
  const ModelJob& job = scoring.plan.models[index];
  const store::ScoringId id = *scoring.stored.id;
  const auto failed = [&](std::optional<std::int64_t> frame, const std::string& reason) {
    return store_failure(scoring, model_index(scoring.plan, index), frame, job.model->name(), reason);
  };
  std::vector<std::vector<std::pair<std::int64_t, double>>> inputs;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    if (!job.inputs[i]) return failed(std::nullopt, "feature " + job.model->features()[i].feature + " was not computed");
    auto values = writer_.column_values(id, static_cast<int>(*job.inputs[i]));
    if (!values.ok()) return values.error();
    inputs.push_back(std::move(*values));
  }
  std::vector<double> features(inputs.size());
  std::vector<double> scores(job.outputs.size());
  Status status;
  // The inputs are prefixes of one list of frames: a model ends where its shortest input ends.
  for (std::int64_t row = 0; row < scoring.stored.reported_frames && status.ok(); ++row) {
    const auto at = static_cast<size_t>(row);
    const std::int64_t frame = row * scoring.subsample;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (at >= inputs[i].size()) {
        if (end.kind != ClipEnd::Kind::kComplete) return {};  // the clip's own failure says why
        return failed(frame, scoring.plan.columns[*job.inputs[i]].key + " has no value, so there is no score from here on");
      }
      features[i] = inputs[i][at].second;
    }
    if (Status predicted = job.model->predict(features, scores); !predicted.ok()) return failed(frame, predicted.error().message);
    for (size_t k = 0; k < scores.size(); ++k) {
      chain(status, [&] { return writer_.add_value(id, static_cast<int>(job.outputs[k]), frame, scores[k]); });
    }
  }
  return status;
}

Status ScoreSink::record_backends(Scoring& scoring) {
  Status status;
  for (size_t job = 0; job < scoring.plan.jobs.size(); ++job) {
    const std::int64_t frames = scoring.stored.failed_at[job].value_or(scoring.stored.frames_counted);
    const std::vector<store::BackendRecord>& ranges = scoring.stored.ranges[job];
    for (size_t i = 0; i < ranges.size(); ++i) {
      store::BackendRecord backend = ranges[i];
      backend.last_frame = i + 1 < ranges.size() ? ranges[i + 1].first_frame - 1 : frames - 1;
      chain(status, [&] { return writer_.add_backend(*scoring.stored.id, static_cast<int>(job), backend); });
    }
  }
  return status;
}

}  // namespace vmafbatch::graph
