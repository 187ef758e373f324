#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "report/clip_data.h"
#include "report/point_budget.h"
#include "report/summary.h"
#include "store/database.h"
#include "store/diff.h"
#include "store/diff_words.h"

namespace vmafbatch::report {
namespace {

using store::ClipDifference;
using store::Difference;

constexpr std::size_t kMostChanges = 5000;

bool is_of_values(const Difference& difference) {
  return difference.kind == Difference::Kind::kFrames || difference.kind == Difference::Kind::kAggregate;
}

// new - old; 0 for equal infinities.
std::optional<double> change_of(const std::optional<double>& before, const std::optional<double>& after) {
  if (!before || !after) return std::nullopt;
  return *before == *after ? 0.0 : *after - *before;
}

double size_of(const Difference& difference) { return std::abs(change_of(difference.old_value, difference.new_value).value_or(0)); }

// What is missing or failed stands before values that differ, the largest difference first.
struct Rank {
  int kind = 2;  // 0: only on one side, 1: status, failures, features, 2: values and the rest
  double largest = 0;

  explicit Rank(const ClipDifference& clip) {
    if (!clip.in_old || !clip.in_new) kind = 0;
    for (const Difference& difference : clip.differences) {
      const bool grave = difference.kind == Difference::Kind::kStatus || difference.kind == Difference::Kind::kFailure ||
                         difference.kind == Difference::Kind::kFeature;
      if (grave) kind = std::min(kind, 1);
      if (is_of_values(difference)) largest = std::max(largest, size_of(difference));
    }
  }
  bool comes_before(const Rank& other) const { return kind != other.kind ? kind < other.kind : largest > other.largest; }
};

// Keeps the first kMostChanges in order of rank.
class Changes : public store::DiffReport {
 public:
  void add(const ClipDifference& difference) override {
    ++found_;
    kept_.push_back(difference);
    if (kept_.size() == 2 * kMostChanges) shorten();
  }
  void end(const store::DiffSummary& summary) override {
    summary_ = summary;
    shorten();
  }

  std::vector<ClipDifference>& kept() { return kept_; }
  std::int64_t left_out() const { return found_ - static_cast<std::int64_t>(kept_.size()); }
  const store::DiffSummary& summary() const { return summary_; }

 private:
  void shorten() {
    std::ranges::stable_sort(kept_, [](const auto& a, const auto& b) { return Rank(a).comes_before(Rank(b)); });
    if (kept_.size() > kMostChanges) kept_.resize(kMostChanges);
  }

  std::vector<ClipDifference> kept_;
  std::int64_t found_ = 0;
  store::DiffSummary summary_;
};

// One side of the comparison while its documents are made.
class Side {
 public:
  explicit Side(ReportDatabase& database)
      : database_(database),
        reader_(database),
        find_(database.database(),
              "SELECT s.id FROM clip c JOIN scoring s ON s.clip = c.id WHERE c.name = ? AND s.label = ? AND s.finished IS NOT NULL "
              "ORDER BY s.finished DESC LIMIT 1") {}

  struct Clip {
    ScoringData scoring;
    std::map<std::string, ColumnData> columns;  // by name
  };
  // The scoring that was compared; nothing where there is none.
  std::optional<Clip> clip(const std::string& name, const std::string& label) {
    find_.reset();
    store::bind_bytes(find_, 1, name);
    store::bind_bytes(find_, 2, label);
    if (!find_.executeStep()) return std::nullopt;
    Clip clip{reader_.scoring({find_.getColumn(0).getInt64(), std::nullopt}), {}};
    for (ColumnData& column : reader_.columns(clip.scoring, std::nullopt)) {
      std::string key = column.name;
      clip.columns.emplace(std::move(key), std::move(column));
    }
    return clip;
  }

  void add_features(std::map<std::string, FeatureUse>& features) {
    SQLite::Statement statement(database_.database(),
                                "SELECT f.name, min(sf.source), min(sf.scope = 'aggregate') FROM feature f "
                                "JOIN scoring_feature sf ON sf.feature = f.id GROUP BY f.id");
    std::map<std::string, std::pair<std::string, bool>> known;
    while (statement.executeStep()) {
      database_.row_read();
      known[store::column_bytes(statement, 0)] = {store::column_bytes(statement, 1), statement.getColumn(2).getInt() != 0};
    }
    for (const auto& feature : database_.features()) {
      const auto& [source, per_clip] = known[feature.name];
      features.try_emplace(feature.name, FeatureUse{feature.name, source, per_clip, 0});
    }
  }

  Json description(const std::string& title) {
    Json programs = Json::array();
    SQLite::Statement statement(database_.database(), "SELECT DISTINCT program_version FROM scoring ORDER BY 1 LIMIT 20");
    while (statement.executeStep()) programs.push_back(json_text(store::column_bytes(statement, 0)));
    return {{"title", json_text(title)}, {"program", std::move(programs)}};
  }

  ClipReader& reader() { return reader_; }
  void row_read() { database_.row_read(); }

 private:
  ReportDatabase& database_;
  ClipReader reader_;
  SQLite::Statement find_;
};

class Comparison {
 public:
  Comparison(Side& before, Side& after, Changes& changes) : old_(before), new_(after), changes_(changes) {
    std::map<std::string, FeatureUse> features;
    new_.add_features(features);
    old_.add_features(features);
    std::size_t curves = 0;
    for (const ClipDifference& clip : changes_.kept()) {
      for (const Difference& difference : clip.differences) {
        if (!is_of_values(difference)) continue;
        const auto use = features.find(difference.name);
        if (use != features.end()) ++use->second.clips;
        curves += 3;
      }
    }
    points_ = points_per_curve(curves);
    for (auto& [name, use] : features) {
      numbers_.emplace(name, features_.size());
      features_.push_back(std::move(use));
    }
  }

  Status make_changes(const TakeComparisonClip& take);
  Json json(const ComparisonSides& sides);

 private:
  using MaybeClip = std::optional<Side::Clip>;
  Json change_json(std::size_t number, const ClipDifference& clip, const MaybeClip& before, const MaybeClip& after);
  Json feature_json(const Difference& difference, const MaybeClip& before, const MaybeClip& after);
  Json clip_json(std::size_t number, const ClipDifference& clip, const Side::Clip& before, const Side::Clip& after);
  std::optional<Json> curves_json(const std::string& feature, const Side::Clip& before, const Side::Clip& after);

  Side& old_;
  Side& new_;
  Changes& changes_;
  std::vector<FeatureUse> features_;
  std::map<std::string, std::size_t> numbers_;
  std::size_t points_ = 0;
  Json changes_json_ = Json::array();
};

const ColumnData* column_of(const std::optional<Side::Clip>& clip, const std::string& name) {
  if (!clip) return nullptr;
  const auto column = clip->columns.find(name);
  return column == clip->columns.end() ? nullptr : &column->second;
}

Json Comparison::feature_json(const Difference& difference, const MaybeClip& before, const MaybeClip& after) {
  const bool per_clip = difference.kind == Difference::Kind::kAggregate;
  const auto mean = [&](const MaybeClip& clip) {
    const ColumnData* column = column_of(clip, difference.name);
    return column == nullptr ? std::nullopt : column->score();
  };
  const auto old_mean = mean(before);
  const auto new_mean = mean(after);
  Json largest;
  if (per_clip || difference.largest_frame) {
    largest = {{"frame", json_integer(difference.largest_frame)},
               {"old", json_number(difference.old_value)},
               {"new", json_number(difference.new_value)},
               {"change", json_number(change_of(difference.old_value, difference.new_value))}};
  }
  return {{"feature", numbers_.at(difference.name)},
          {"name", json_text(difference.name)},
          {"compared", per_clip ? (difference.old_value && difference.new_value ? 1 : 0) : difference.compared},
          {"changed", per_clip ? (difference.old_value && difference.new_value ? 1 : 0) : difference.changed},
          {"only_old", difference.only_old},
          {"only_new", difference.only_new},
          {"largest", std::move(largest)},
          {"old_mean", json_number(old_mean)},
          {"new_mean", json_number(new_mean)},
          {"mean_change", json_number(change_of(old_mean, new_mean))}};
}

Json Comparison::change_json(std::size_t number, const ClipDifference& clip, const MaybeClip& before, const MaybeClip& after) {
  Json causes = Json::array();
  for (const store::Cause& cause : clip.causes) {
    causes.push_back({{"name", json_text(cause.name)}, {"old", json_text(cause.old_text)}, {"new", json_text(cause.new_text)}});
  }
  Json texts = Json::array();
  std::vector<const Difference*> of_values;
  for (const Difference& difference : clip.differences) {
    if (is_of_values(difference) && numbers_.contains(difference.name)) {
      of_values.push_back(&difference);
    } else {
      texts.push_back(json_text(store::difference_text(difference)));
    }
  }
  std::ranges::stable_sort(of_values, std::ranges::greater(), [](const Difference* difference) { return size_of(*difference); });
  Json features = Json::array();
  for (const Difference* difference : of_values) features.push_back(feature_json(*difference, before, after));
  return {{"number", number},
          {"name", json_text(clip.clip)},
          {"label", json_text(clip.label)},
          {"only_in", clip.in_old && clip.in_new ? Json() : Json(clip.in_old ? "old" : "new")},
          {"old_id", before ? Json(before->scoring.id) : Json()},
          {"new_id", after ? Json(after->scoring.id) : Json()},
          {"causes", std::move(causes)},
          {"texts", std::move(texts)},
          {"features", std::move(features)}};
}

FrameRange joined(FrameRange a, FrameRange b) {
  if (a.last < a.first) return b;
  if (b.last < b.first) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

// Nothing where a side has no such column, or neither has values.
std::optional<Json> Comparison::curves_json(const std::string& feature, const Side::Clip& before, const Side::Clip& after) {
  const auto old_column = before.columns.find(feature);
  const auto new_column = after.columns.find(feature);
  if (old_column == before.columns.end() || new_column == after.columns.end()) return std::nullopt;
  const std::int64_t old_id = old_column->second.id;
  const std::int64_t new_id = new_column->second.id;
  const FrameRange range = joined(old_.reader().value_range(old_id), new_.reader().value_range(new_id));
  if (range.last < range.first) return std::nullopt;
  Curve old_curve(range, points_);
  Curve new_curve(range, points_);
  Curve difference(range, points_);
  FrameCursor& a = old_.reader().start(old_id, range);
  FrameCursor& b = new_.reader().start(new_id, range);
  bool more_a = a.next();
  bool more_b = b.next();
  while (more_a || more_b) {
    old_.row_read();
    new_.row_read();
    const bool take_a = more_a && (!more_b || a.value().frame <= b.value().frame);
    const bool take_b = more_b && (!more_a || b.value().frame <= a.value().frame);
    if (take_a) old_curve.add(a.value().frame, a.value().value);
    if (take_b) new_curve.add(b.value().frame, b.value().value);
    if (take_a && take_b) difference.add(a.value().frame, change_of(a.value().value, b.value().value).value_or(0));
    if (take_a) more_a = a.next();
    if (take_b) more_b = b.next();
  }
  const std::vector<const Curve*> curves = {&old_curve, &new_curve, &difference};
  std::vector<Json> json = Curve::on_one_grid(curves);
  return Json{{"feature", numbers_.at(feature)},
              {"name", json_text(feature)},
              {"old", std::move(json[0])},
              {"new", std::move(json[1])},
              {"difference", std::move(json[2])}};
}

Json Comparison::clip_json(std::size_t number, const ClipDifference& clip, const Side::Clip& before, const Side::Clip& after) {
  Json features = Json::array();
  for (const Difference& difference : clip.differences) {
    if (difference.kind != Difference::Kind::kFrames || !numbers_.contains(difference.name)) continue;
    if (auto curves = curves_json(difference.name, before, after)) features.push_back(std::move(*curves));
  }
  return {{"number", number},
          {"old_id", before.scoring.id},
          {"new_id", after.scoring.id},
          {"fps", json_number(after.scoring.fps ? after.scoring.fps : before.scoring.fps)},
          {"features", std::move(features)}};
}

Status Comparison::make_changes(const TakeComparisonClip& take) {
  const std::vector<ClipDifference>& kept = changes_.kept();
  for (std::size_t number = 0; number < kept.size(); ++number) {
    const ClipDifference& clip = kept[number];
    const MaybeClip before = clip.in_old ? old_.clip(clip.clip, clip.label) : std::nullopt;
    const MaybeClip after = clip.in_new ? new_.clip(clip.clip, clip.label) : std::nullopt;
    changes_json_.push_back(change_json(number, clip, before, after));
    if (!before || !after) continue;
    if (Status status = take(number, json_document(clip_json(number, clip, *before, *after))); !status.ok()) return status;
  }
  return {};
}

const char* outcome_name(store::DiffOutcome outcome) {
  switch (outcome) {
    case store::DiffOutcome::kEqual: return "equal";
    case store::DiffOutcome::kDifferent: return "different";
    case store::DiffOutcome::kNothingCompared: break;
  }
  return "nothing_compared";
}

Json Comparison::json(const ComparisonSides& sides) {
  const store::DiffSummary& summary = changes_.summary();
  return {{"old", old_.description(sides.old_title)},
          {"new", new_.description(sides.new_title)},
          {"outcome", outcome_name(summary.outcome)},
          {"clips", summary.clips},
          {"values", summary.values},
          {"differences", summary.differences},
          {"changed_values", summary.changed_values},
          {"features", features_json(features_)},
          {"changes", std::move(changes_json_)},
          {"more_changes", changes_.left_out()}};
}

}  // namespace

Result<std::string> comparison_document(ReportDatabase& old_database, ReportDatabase& new_database, const ComparisonSides& sides,
                                        const TakeComparisonClip& take) {
  const ShownPart& shown = new_database.shown();
  store::DiffOptions options;
  options.clips = shown.clips;
  options.features = shown.features;
  options.label = shown.label;
  Changes changes;
  const auto summary = store::diff_databases(old_database.path(), new_database.path(), options, changes);
  if (!summary.ok()) return summary.error();
  const auto made = old_database.read([&] {
    return new_database.read([&]() -> Result<std::string> {
      Side before(old_database);
      Side after(new_database);
      Comparison comparison(before, after, changes);
      if (Status status = comparison.make_changes(take); !status.ok()) return status.error();
      return json_document(comparison.json(sides));
    });
  });
  if (!made.ok()) return made.error();
  if (!made->ok()) return made->error();
  return **made;
}

}  // namespace vmafbatch::report
