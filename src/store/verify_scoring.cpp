#include "store/verify_scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "store/diff_equality.h"
#include "store/pooling.h"

namespace vmafbatch::store {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Multiples of `step` in first .. end - 1.
std::int64_t multiples(std::int64_t first, std::int64_t end, std::int64_t step) {
  if (end <= first) return 0;
  return (end - 1) / step - (first == 0 ? -1 : (first - 1) / step);
}

std::string values_text(std::int64_t count) { return count == 1 ? "1 value" : fmt::format("{} values", count); }

}  // namespace

ScoringVerifier::ScoringVerifier(SQLite::Database& database, std::function<void(const std::string&)> tell)
    : tell_(std::move(tell)),
      columns_sql_(
          database,
          "SELECT sf.id, coalesce(f.name, ''), sf.scope, sf.source FROM scoring_feature sf LEFT JOIN feature f ON f.id = sf.feature "
          "WHERE sf.scoring = ? ORDER BY sf.position, sf.id"),
      extractors_sql_(database,
                      "SELECT e.extractor, e.name, e.options, e.options LIKE 'model %', EXISTS (SELECT 1 FROM feature_backend b "
                      "WHERE b.scoring = e.scoring AND b.extractor = e.extractor), EXISTS (SELECT 1 FROM scoring_feature f "
                      "WHERE f.scoring = e.scoring AND f.source = e.name || '=' || e.options) FROM scoring_extractor e "
                      "WHERE e.scoring = ? ORDER BY e.extractor"),
      failures_sql_(database, "SELECT extractor, frame FROM failure WHERE scoring = ?"),
      values_sql_(database, "SELECT frame, value FROM frame_score WHERE scoring_feature = ? ORDER BY frame"),
      pooled_sql_(database,
                  "SELECT frames, infinite, mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, p99, finite_mean "
                  "FROM pooled_score WHERE scoring_feature = ?"),
      aggregate_sql_(database, "SELECT value FROM aggregate_score WHERE scoring_feature = ?"),
      backends_sql_(database,
                    "SELECT first_frame, last_frame FROM feature_backend WHERE scoring = ? AND extractor = ? ORDER BY first_frame") {}

void ScoringVerifier::verify(const VerifiedScoring& scoring) {
  scoring_ = scoring;
  scoring_.frames = std::max<std::int64_t>(0, scoring.frames);
  scoring_.subsample = std::max<std::int64_t>(1, scoring.subsample);
  if (!scoring.has_ended) {
    tell_("it did not end; score again, and it goes on or starts anew");
    return;
  }
  read_parts();
  check_status();
  for (const Column& column : columns_) {
    if (column.scope == "aggregate") {
      check_aggregate(column);
    } else {
      check_frames(column);
      check_pooled(column);
    }
  }
  check_emptiness();
  for (const Extractor& extractor : extractors_) check_backends(extractor);
}

void ScoringVerifier::read_parts() {
  columns_.clear();
  extractors_.clear();
  for (RawStatement* statement : {&columns_sql_, &extractors_sql_, &failures_sql_}) {
    statement->reset();
    statement->bind(1, scoring_.id);
  }
  while (extractors_sql_.step()) {
    Extractor& extractor = extractors_.emplace_back();
    extractor.number = extractors_sql_.integer(0);
    extractor.name = extractors_sql_.bytes(1);
    extractor.options = extractors_sql_.bytes(2);
    extractor.is_model = extractors_sql_.integer(3) != 0;
    extractor.has_backend = extractors_sql_.integer(4) != 0;
    extractor.has_own_columns = extractors_sql_.integer(5) != 0;
  }
  while (columns_sql_.step()) {
    columns_.push_back(
        {columns_sql_.integer(0), display_text(columns_sql_.bytes(1)), columns_sql_.bytes(2), producers_of(columns_sql_.bytes(3))});
  }
  read_failures();
}

void ScoringVerifier::read_failures() {
  clip_failed_at_.reset();
  has_failure_ = false;
  const auto keep_first = [](std::optional<std::int64_t>& place, std::int64_t frame) { place = std::min(place.value_or(kNever), frame); };
  while (failures_sql_.step()) {
    has_failure_ = true;
    const std::int64_t frame = failures_sql_.integer(1);  // 0 for NULL
    if (failures_sql_.is_null(0)) {
      keep_first(clip_failed_at_, frame);
      continue;
    }
    const auto extractor = std::ranges::find(extractors_, failures_sql_.integer(0), &Extractor::number);
    if (extractor == extractors_.end()) continue;  // a rule tells it (verify_rules.cpp)
    if (failures_sql_.is_null(1)) {
      extractor->failed_at_end = true;
    } else {
      keep_first(extractor->failed_at, frame);
    }
  }
}

// By "name=options"; by the name alone where a column does not say more. An instance that refused the clip has no column, and no backend.
std::vector<size_t> ScoringVerifier::producers_of(const std::string& source) const {
  std::vector<size_t> by_name;
  std::vector<size_t> ran;
  for (size_t index = 0; index < extractors_.size(); ++index) {
    const Extractor& extractor = extractors_[index];
    if (extractor.has_own_columns && extractor.name + "=" + extractor.options == source) return {index};
    if (extractor.has_own_columns || extractor.name != source) continue;
    by_name.push_back(index);
    if (extractor.has_backend) ran.push_back(index);
  }
  return ran.empty() ? by_name : ran;
}

void ScoringVerifier::check_status() {
  if (scoring_.status == "done" && has_failure_) tell_("it is done, but has failures");
  if ((scoring_.status == "partial" || scoring_.status == "failed") && !has_failure_) {
    tell_(fmt::format("it is {}, and nothing says why", scoring_.status));
  }
}

// REQUIRES: check_frames() of every column. Failed means: no extractor gave a value of a frame.
void ScoringVerifier::check_emptiness() {
  const bool has_values = std::ranges::any_of(extractors_, [](const Extractor& e) { return !e.is_model && e.values > 0; });
  if (scoring_.status == "failed" && has_values) tell_("it is failed, but has values");
  if ((scoring_.status == "done" || scoring_.status == "partial") && !has_values && !scoring_.imported) {
    tell_(fmt::format("it is {}, but has no values", scoring_.status));
  }
}

std::optional<std::int64_t> ScoringVerifier::explained_from(const Column& column) const {
  std::optional<std::int64_t> first;
  for (const size_t producer : column.producers) {
    const std::optional<std::int64_t> from = explained_from(extractors_[producer], column.scope);
    if (from) first = std::min(first.value_or(kNever), *from);
  }
  return first;
}

std::optional<std::int64_t> ScoringVerifier::explained_from(const Extractor& extractor, const std::string& scope) const {
  // What needs later frames, and a model that takes it, ends before the frame at which decoding failed.
  if (scope != "frame") {
    if (clip_failed_at_ || extractor.failed_at_end) return 0;
    if (!extractor.failed_at) return std::nullopt;
    return extractor.is_model ? *extractor.failed_at : 0;
  }
  // Values of frames are stored as they come: a failure at the clip's end does not take them back.
  if (extractor.failed_at_end && !extractor.has_backend) return 0;
  if (!extractor.failed_at && !clip_failed_at_) return std::nullopt;
  return std::min(extractor.failed_at.value_or(kNever), clip_failed_at_.value_or(kNever));
}

void ScoringVerifier::check_frames(const Column& column) {
  const std::int64_t step = scoring_.subsample;
  const std::int64_t end = std::min(scoring_.frames, explained_from(column).value_or(kNever));
  values_.clear();
  std::int64_t next = 0;  // the first frame that is not passed yet
  std::int64_t missing = 0;
  std::int64_t extra = 0;
  std::int64_t wrong = 0;
  std::optional<std::int64_t> first_missing;
  const auto pass_to = [&](std::int64_t frame) {
    const std::int64_t count = multiples(next, std::min(frame, end), step);
    if (count > 0 && !first_missing) first_missing = (next + step - 1) / step * step;
    missing += count;
  };
  values_sql_.reset();
  values_sql_.bind(1, column.id);
  while (values_sql_.step()) {
    const std::int64_t frame = values_sql_.integer(0);
    ++all_values_;
    if (!values_sql_.is_real(1)) {
      ++wrong;
      continue;
    }
    values_.push_back(values_sql_.real(1));
    if (!values_sql_.is_integer(0) || frame < next || frame >= scoring_.frames || frame % step != 0) {
      ++extra;
      continue;
    }
    pass_to(frame);
    next = frame + 1;
  }
  pass_to(end);
  for (const size_t producer : column.producers) extractors_[producer].values += static_cast<std::int64_t>(values_.size());
  if (missing > 0 && !scoring_.imported)
    tell_(fmt::format("{} lacks {}, the first at frame {}", column.name, values_text(missing), *first_missing));
  if (extra > 0) tell_(fmt::format("{} has {} at frames that were not to be reported", column.name, values_text(extra)));
  if (wrong > 0) tell_(fmt::format("{} has {} that are no doubles", column.name, values_text(wrong)));
}

void ScoringVerifier::check_pooled(const Column& column) {
  pooled_sql_.reset();
  pooled_sql_.bind(1, column.id);
  const bool has_pooled = pooled_sql_.step();
  if (has_pooled == values_.empty()) {
    tell_(fmt::format("{} has {}", column.name, has_pooled ? "pooled values, but none of frames" : "no pooled values"));
  }
  if (!has_pooled || values_.empty()) return;
  const PooledValues pooled = pool(values_);
  bool same = pooled_sql_.integer(0) == pooled.frames && pooled_sql_.integer(1) == pooled.infinite;
  int index = 2;
  for (const double value : {pooled.mean, pooled.min, pooled.max, pooled.harmonic_mean, pooled.stddev, pooled.p1, pooled.p5, pooled.p10,
                             pooled.p50, pooled.p90, pooled.p95, pooled.p99, pooled.finite_mean}) {
    const bool equal =
        std::isnan(value) ? pooled_sql_.is_null(index) : pooled_sql_.is_real(index) && same_bits(pooled_sql_.real(index), value);
    same = same && equal;
    ++index;
  }
  if (!same) tell_(fmt::format("the pooled values of {} are not those of its frames", column.name));
}

void ScoringVerifier::check_aggregate(const Column& column) {
  aggregate_sql_.reset();
  aggregate_sql_.bind(1, column.id);
  if (!aggregate_sql_.step()) {
    if (!explained_from(column) && !scoring_.imported) tell_(fmt::format("{} lacks its value of the whole clip", column.name));
  } else if (!aggregate_sql_.is_real(0)) {
    tell_(fmt::format("{} of the whole clip is no double", column.name));
  }
}

// Ranges follow each other from frame 0 to the last frame that the extractor gave.
void ScoringVerifier::check_backends(const Extractor& extractor) {
  if (extractor.is_model) return;
  backends_sql_.reset();
  backends_sql_.bind(1, scoring_.id);
  backends_sql_.bind(2, extractor.number);
  const std::int64_t end = std::min(scoring_.frames, extractor.failed_at.value_or(kNever));
  std::int64_t next = 0;
  std::int64_t unknown = 0;
  while (backends_sql_.step()) {
    const std::int64_t first = backends_sql_.integer(0);
    const std::int64_t last = backends_sql_.integer(1);
    if (first < next || last < first || last >= scoring_.frames) {
      tell_(fmt::format("the backends of {} have a range from frame {} to {} that cannot be", display_text(extractor.name), first, last));
      return;
    }
    unknown += multiples(next, std::min(first, end), scoring_.subsample);
    next = last + 1;
  }
  unknown += multiples(next, end, scoring_.subsample);
  if (extractor.values > 0 && unknown > 0)
    tell_(fmt::format("nothing says what computed {} at {} frames", display_text(extractor.name), unknown));
}

}  // namespace vmafbatch::store
