#include "store/verify_scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/utf8.h"
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
                      "SELECT extractor, name, options LIKE 'model %' FROM scoring_extractor WHERE scoring = ? ORDER BY extractor"),
      failures_sql_(database,
                    "SELECT coalesce(e.name, ''), coalesce(x.frame, 0) FROM failure x LEFT JOIN scoring_extractor e "
                    "ON e.scoring = x.scoring AND e.extractor = x.extractor WHERE x.scoring = ?"),
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
  for (const Extractor& extractor : extractors_) check_backends(extractor);
}

void ScoringVerifier::read_parts() {
  columns_.clear();
  extractors_.clear();
  failed_from_.clear();
  values_of_.clear();
  for (RawStatement* statement : {&columns_sql_, &extractors_sql_, &failures_sql_}) {
    statement->reset();
    statement->bind(1, scoring_.id);
  }
  while (columns_sql_.step()) {
    columns_.push_back({columns_sql_.integer(0), display_text(columns_sql_.bytes(1)), columns_sql_.bytes(2), columns_sql_.bytes(3)});
  }
  while (extractors_sql_.step()) {
    extractors_.push_back({extractors_sql_.integer(0), extractors_sql_.bytes(1), extractors_sql_.integer(2) != 0});
  }
  while (failures_sql_.step()) {
    const auto [place, added] = failed_from_.emplace(failures_sql_.bytes(0), failures_sql_.integer(1));
    if (!added) place->second = std::min(place->second, failures_sql_.integer(1));
  }
}

void ScoringVerifier::check_status() {
  if (scoring_.status == "running") tell_("its status is running, but it ended");
  if (scoring_.status == "done" && !failed_from_.empty()) tell_("it is done, but has failures");
  if ((scoring_.status == "partial" || scoring_.status == "failed") && failed_from_.empty()) {
    tell_(fmt::format("it is {}, and nothing says why", scoring_.status));
  }
}

std::optional<std::int64_t> ScoringVerifier::explained_from(const Column& column) const {
  const auto failure = failed_from_.find(column.source);
  const auto clip_failure = failed_from_.find("");
  const bool is_model = std::ranges::any_of(extractors_, [&](const Extractor& e) { return e.is_model && e.name == column.source; });
  const bool any = failure != failed_from_.end() || clip_failure != failed_from_.end();
  if (!any) return std::nullopt;
  // What needs later frames, and a model that takes it, ends before the frame that failed.
  if (column.scope != "frame" || is_model) return 0;
  return std::min(failure == failed_from_.end() ? kNever : failure->second,
                  clip_failure == failed_from_.end() ? kNever : clip_failure->second);
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
    if (frame < next || frame >= scoring_.frames || frame % step != 0) {
      ++extra;
      continue;
    }
    pass_to(frame);
    next = frame + 1;
  }
  pass_to(end);
  values_of_[column.source] += static_cast<std::int64_t>(values_.size());
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
    const bool equal = std::isnan(value) ? pooled_sql_.is_null(index)
                                         : pooled_sql_.is_real(index) &&
                                               std::bit_cast<std::uint64_t>(pooled_sql_.real(index)) == std::bit_cast<std::uint64_t>(value);
    same = same && equal;
    ++index;
  }
  if (!same) tell_(fmt::format("the pooled values of {} are not those of its frames", column.name));
}

void ScoringVerifier::check_aggregate(const Column& column) {
  aggregate_sql_.reset();
  aggregate_sql_.bind(1, column.id);
  if (!aggregate_sql_.step()) {
    if (!explained_from(column)) tell_(fmt::format("{} lacks its value of the whole clip", column.name));
  } else if (!aggregate_sql_.is_real(0)) {
    tell_(fmt::format("{} of the whole clip is no double", column.name));
  }
}

// Ranges follow each other from frame 0 to the last frame that the extractor gave.
void ScoringVerifier::check_backends(const Extractor& extractor) {
  const auto given = values_of_.find(extractor.name);
  if (extractor.is_model || given == values_of_.end() || given->second == 0) return;
  backends_sql_.reset();
  backends_sql_.bind(1, scoring_.id);
  backends_sql_.bind(2, extractor.number);
  const auto failure = failed_from_.find(extractor.name);
  const std::int64_t end = std::min(scoring_.frames, failure == failed_from_.end() ? kNever : failure->second);
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
  if (unknown > 0) tell_(fmt::format("nothing says what computed {} at {} frames", display_text(extractor.name), unknown));
}

}  // namespace vmafbatch::store
