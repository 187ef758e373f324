#include "graph/clip_finish.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <utility>

#include "graph/alignment_warnings.h"

namespace vmafbatch::graph {
namespace {

using store::ScoringStatus;

size_t model_index(const ScoringPlan& plan, size_t model) { return plan.jobs.size() + plan.refusals.size() + model; }

std::string not_a_number(const std::string& key) { return key + " is not a number (NaN)"; }

class ClipFinish {
 public:
  ClipFinish(const ClipEnd& end, store::Writer& writer, ClipOutcome& outcome)
      : end_(end), scoring_(*end.scoring), id_(*scoring_.stored.id), writer_(writer), outcome_(outcome) {}

  Status run();

 private:
  Status tell_end();
  Status finish_jobs();
  Status finish_job(size_t index);
  Status finish_models();
  Status finish_model(size_t index);
  Status record_backends();
  Status set_status();
  Status fail(const ClipFailure& failure) { return store_failure(writer_, scoring_, outcome_, failure); }

  const ClipEnd& end_;
  Scoring& scoring_;
  store::ScoringId id_;
  store::Writer& writer_;
  ClipOutcome& outcome_;
};

Status ClipFinish::run() {
  Status status = tell_end();
  chain(status, [&] { return finish_jobs(); });
  chain(status, [&] { return finish_models(); });
  chain(status, [&] { return record_backends(); });
  chain(status, [&] { return set_status(); });
  return status;
}

// How the pictures ended.
Status ClipFinish::tell_end() {
  Status status;
  // What decoding met behind the last extractor's failure does not count: how far it got by then is chance.
  const bool counts = !std::ranges::all_of(scoring_.stored.failed_at, [](const auto& at) { return at.has_value(); });
  if (counts && end_.kind == ClipEnd::Kind::kDamaged) status = fail({std::nullopt, end_.frames, "decode", end_.reason});
  std::vector<std::string> warnings = counts ? end_.warnings : std::vector<std::string>();
  std::ranges::move(alignment_warnings(scoring_.stored.alignment.finish(), scoring_.skips), std::back_inserter(warnings));
  for (const std::string& warning : warnings) {
    outcome_.warnings.push_back(warning);
    chain(status, [&] { return writer_.add_warning(id_, warning); });
  }
  return status;
}

Status ClipFinish::finish_jobs() {
  Status status;
  for (size_t job = 0; job < scoring_.plan.jobs.size(); ++job) {
    if (scoring_.plan.jobs[job]->needs.series) chain(status, [&] { return finish_job(job); });
  }
  return status;
}

Status ClipFinish::finish_job(size_t index) {
  const Job& job = *scoring_.plan.jobs[index];
  Result<std::vector<std::vector<std::uint64_t>>> words = writer_.measurements(id_, static_cast<int>(index));
  if (!words.ok()) return words.error();
  std::vector<extractors::Measurements> measured;
  measured.reserve(words->size());
  for (std::vector<std::uint64_t>& frame : *words) measured.emplace_back(std::move(frame));
  const bool complete = end_.kind == ClipEnd::Kind::kComplete && static_cast<std::int64_t>(measured.size()) == end_.frames;
  extractors::ClipSeries series(std::move(measured), complete);
  try {
    job.instance->finish(series);
  } catch (const std::exception& e) {
    return fail({index, std::nullopt, job.name(), e.what()});
  }
  Status status;
  for (const auto& value : series.values()) {
    if (value.frame % scoring_.subsample != 0 || !job.column_of[value.feature]) continue;
    const size_t column = *job.column_of[value.feature];
    if (std::isnan(value.value)) {
      chain(status, [&] { return fail({index, value.frame, job.name(), not_a_number(scoring_.plan.columns[column].key)}); });
      return status;
    }
    chain(status, [&] { return writer_.add_value(id_, static_cast<int>(column), value.frame, value.value); });
    ++scoring_.stored.values;
  }
  for (const auto& aggregate : series.aggregates()) {
    if (!job.column_of[aggregate.first]) continue;
    const size_t column = *job.column_of[aggregate.first];
    const double value = aggregate.second;
    chain(status, [&] {
      return std::isnan(value) ? fail({index, std::nullopt, job.name(), not_a_number(scoring_.plan.columns[column].key)})
                               : writer_.add_aggregate(id_, static_cast<int>(column), value);
    });
  }
  return status;
}

Status ClipFinish::finish_models() {
  Status status;
  for (size_t model = 0; model < scoring_.plan.models.size(); ++model) chain(status, [&] { return finish_model(model); });
  return status;
}

Status ClipFinish::finish_model(size_t index) {
  const ModelJob& job = scoring_.plan.models[index];
  const auto failed = [&](std::optional<std::int64_t> frame, const std::string& reason) {
    return fail({model_index(scoring_.plan, index), frame, job.model->name(), reason});
  };
  std::vector<std::vector<std::pair<std::int64_t, double>>> inputs;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    if (!job.inputs[i]) return failed(std::nullopt, "feature " + job.model->features()[i].feature + " was not computed");
    auto values = writer_.column_values(id_, static_cast<int>(*job.inputs[i]));
    if (!values.ok()) return values.error();
    inputs.push_back(std::move(*values));
  }
  std::vector<double> features(inputs.size());
  std::vector<double> scores(job.outputs.size());
  Status status;
  // The inputs are prefixes of one list of frames: a model ends where its shortest input ends.
  for (std::int64_t row = 0; row < scoring_.stored.reported_frames && status.ok(); ++row) {
    const auto at = static_cast<size_t>(row);
    const std::int64_t frame = row * scoring_.subsample;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (at >= inputs[i].size()) {
        if (end_.kind != ClipEnd::Kind::kComplete) return {};  // the clip's own failure says why
        return failed(frame, scoring_.plan.columns[*job.inputs[i]].key + " has no value, so there is no score from here on");
      }
      features[i] = inputs[i][at].second;
    }
    if (Status predicted = job.model->predict(features, scores); !predicted.ok()) return failed(frame, predicted.error().message);
    for (size_t k = 0; k < scores.size(); ++k) {
      chain(status, [&] { return writer_.add_value(id_, static_cast<int>(job.outputs[k]), frame, scores[k]); });
    }
  }
  return status;
}

Status ClipFinish::record_backends() {
  Status status;
  for (size_t job = 0; job < scoring_.plan.jobs.size(); ++job) {
    const std::int64_t frames = scoring_.stored.failed_at[job].value_or(scoring_.stored.frames_counted);
    const std::vector<store::BackendRecord>& ranges = scoring_.stored.ranges[job];
    for (size_t i = 0; i < ranges.size(); ++i) {
      store::BackendRecord backend = ranges[i];
      backend.last_frame = i + 1 < ranges.size() ? ranges[i + 1].first_frame - 1 : frames - 1;
      chain(status, [&] { return writer_.add_backend(id_, static_cast<int>(job), backend); });
    }
  }
  return status;
}

Status ClipFinish::set_status() {
  const Scoring::Stored& stored = scoring_.stored;
  store::ScoringEnd last;
  last.status = stored.values == 0 ? ScoringStatus::kFailed : stored.any_failure ? ScoringStatus::kPartial : ScoringStatus::kDone;
  last.frames = stored.frames_counted;
  last.identical_frames = stored.identical_frames;
  last.decoded_reference = end_.decoded_reference;
  last.decoded_distorted = end_.decoded_distorted;
  last.subsample = scoring_.subsample;
  last.seconds = end_.seconds;
  last.decode_seconds = end_.decode_seconds;
  last.reference_hash = end_.reference_hash;
  last.distorted_hash = end_.distorted_hash;
  outcome_.status = last.status;
  outcome_.frames = last.frames;
  return writer_.finish_scoring(id_, last);
}

}  // namespace

Status finish_clip(const ClipEnd& end, store::Writer& writer, ClipOutcome& outcome) { return ClipFinish(end, writer, outcome).run(); }

}  // namespace vmafbatch::graph
