#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "report/clip_data.h"
#include "report/summary.h"
#include "store/database.h"
#include "store/diff.h"
#include "store/diff_words.h"
#include "store/newest_scoring.h"

namespace vmafbatch::report {
namespace {

using store::ClipDifference;
using store::Difference;

constexpr std::size_t kMostChanges = 5000;
constexpr std::size_t kMostBytes = 64'000'000;  // of the changes in memory

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

std::size_t bytes_of(const ClipDifference& clip) {
  std::size_t bytes = sizeof(clip) + clip.clip.size() + clip.label.size();
  for (const std::string& feature : clip.features) bytes += sizeof(std::string) + feature.size();
  for (const Difference& one : clip.differences) bytes += sizeof(one) + one.name.size() + one.old_text.size() + one.new_text.size();
  for (const store::Cause& one : clip.causes) bytes += sizeof(one) + one.name.size() + one.old_text.size() + one.new_text.size();
  return bytes;
}

// Keeps the first kMostChanges in order of rank, and of these what has room.
class Changes : public store::DiffReport {
 public:
  void add(const ClipDifference& difference) override {
    ++found_;
    kept_.push_back(difference);
    bytes_ += bytes_of(difference);
    if (kept_.size() == 2 * kMostChanges || bytes_ > 2 * kMostBytes) shorten();
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
    bytes_ = 0;
    std::size_t count = 0;
    for (; count < std::min(kept_.size(), kMostChanges); ++count) {
      const std::size_t bytes = bytes_of(kept_[count]);
      if (bytes_ + bytes > kMostBytes) break;
      bytes_ += bytes;
    }
    kept_.resize(count);
  }

  std::vector<ClipDifference> kept_;
  std::size_t bytes_ = 0;
  std::int64_t found_ = 0;
  store::DiffSummary summary_;
};

// `make` sees one state of each database.
template <class Make>
auto read_both(ReportDatabase& old_database, ReportDatabase& new_database, const Make& make) -> decltype(make()) {
  auto made = old_database.read([&] { return new_database.read(make); });
  if (!made.ok()) return made.error();
  if (!made->ok()) return made->error();
  return std::move(**made);
}

// One side of the comparison while its documents are made. Failures are UntrustedErrors: they name this side's file, whoever catches them.
class Side {
 public:
  static Side of(ReportDatabase& database) {
    return database.source().guard([&] { return Side(database); });
  }

  struct Clip {
    ScoringData scoring;
    std::map<std::string, ColumnData> columns;  // by name
  };
  // The scoring that was compared; nothing where there is none.
  std::optional<Clip> clip(const std::string& name, const std::string& label) {
    return database_.source().guard([&]() -> std::optional<Clip> {
      const auto scoring = store::newest_ended(database_.database(), name, label);
      if (!scoring.ok()) return std::nullopt;
      return clip(*scoring);
    });
  }
  Clip clip(std::int64_t scoring) {
    return database_.source().guard([&] {
      Clip clip{reader_.scoring({scoring, std::nullopt}), {}};
      for (ColumnData& column : reader_.columns(clip.scoring, std::nullopt)) {
        std::string key = column.name;
        clip.columns.emplace(std::move(key), std::move(column));
      }
      return clip;
    });
  }

  void add_features(std::map<std::string, FeatureUse>& features) {
    database_.source().guard([&] { read_features(features); });
  }

  Json description() {
    return database_.source().guard([&]() -> Json { return read_description(); });
  }

  ClipReader& reader() { return reader_; }
  void row_read() { database_.row_read(); }

 private:
  explicit Side(ReportDatabase& database) : database_(database), reader_(database) {}

  void read_features(std::map<std::string, FeatureUse>& features) {
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
      features.try_emplace(feature.name, FeatureUse{feature.name, source, per_clip, 0, false});
    }
  }

  Json read_description() {
    Json programs = Json::array();
    SQLite::Statement statement(database_.database(), "SELECT DISTINCT program_version FROM scoring ORDER BY 1 LIMIT 20");
    while (statement.executeStep()) programs.push_back(json_text(store::column_bytes(statement, 0)));
    return {{"title", json_text(database_.title())}, {"program", std::move(programs)}};
  }

  ReportDatabase& database_;
  ClipReader reader_;
};

// Makes the document `comparison`.
class Comparer {
 public:
  Comparer(Side& before, Side& after, Changes& changes) : old_(before), new_(after), changes_(changes) {
    std::map<std::string, FeatureUse> features;
    new_.add_features(features);
    old_.add_features(features);
    for (const ClipDifference& clip : changes_.kept()) {
      for (const Difference& difference : clip.differences) {
        const auto use = is_of_values(difference) ? features.find(difference.name) : features.end();
        if (use != features.end()) ++use->second.clips;
      }
    }
    for (auto& [name, use] : features) {
      numbers_.emplace(name, features_.size());
      features_.push_back(std::move(use));
    }
  }

  DatabaseComparison make();

 private:
  using MaybeClip = std::optional<Side::Clip>;
  Json change_json(std::size_t number, const ClipDifference& clip, const MaybeClip& before, const MaybeClip& after);
  Json feature_json(const Difference& difference, const MaybeClip& before, const MaybeClip& after);
  ChangedClip changed_clip(std::size_t number, const ClipDifference& clip, const Side::Clip& before, const Side::Clip& after) const;
  Json json(Json changes);

  Side& old_;
  Side& new_;
  Changes& changes_;
  std::vector<FeatureUse> features_;
  std::map<std::string, std::size_t> numbers_;
};

const ColumnData* column_of(const Side::Clip& clip, const std::string& name) {
  const auto column = clip.columns.find(name);
  return column == clip.columns.end() ? nullptr : &column->second;
}

Json Comparer::feature_json(const Difference& difference, const MaybeClip& before, const MaybeClip& after) {
  const bool per_clip = difference.kind == Difference::Kind::kAggregate;
  const auto mean = [&](const MaybeClip& clip) {
    const ColumnData* column = clip ? column_of(*clip, difference.name) : nullptr;
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

Json Comparer::change_json(std::size_t number, const ClipDifference& clip, const MaybeClip& before, const MaybeClip& after) {
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

// Nothing where a side has no such column any more, or neither has values.
std::optional<Json> curves_json(Side& old_side, Side& new_side, const ColumnData* old_column, const ColumnData* new_column,
                                std::size_t points) {
  if (old_column == nullptr || new_column == nullptr) return std::nullopt;
  const FrameRange range = joined(old_side.reader().value_range(old_column->id), new_side.reader().value_range(new_column->id));
  if (range.last < range.first) return std::nullopt;
  Curve old_curve(range, points);
  Curve new_curve(range, points);
  Curve difference(range, points);
  store::ValueCursor& a = old_side.reader().start(old_column->id, range);
  store::ValueCursor& b = new_side.reader().start(new_column->id, range);
  bool more_a = a.next();
  bool more_b = b.next();
  while (more_a || more_b) {
    old_side.row_read();
    new_side.row_read();
    const bool take_a = more_a && (!more_b || a.frame() <= b.frame());
    const bool take_b = more_b && (!more_a || b.frame() <= a.frame());
    if (take_a) old_curve.add(a.frame(), a.value());
    if (take_b) new_curve.add(b.frame(), b.value());
    if (take_a && take_b) difference.add(a.frame(), change_of(a.value(), b.value()).value_or(0));
    if (take_a) more_a = a.next();
    if (take_b) more_b = b.next();
  }
  const std::vector<const Curve*> curves = {&old_curve, &new_curve, &difference};
  std::vector<Json> json = Curve::on_one_grid(curves);
  return Json{{"old", std::move(json[0])}, {"new", std::move(json[1])}, {"difference", std::move(json[2])}};
}

Json changed_clip_json(Side& old_side, Side& new_side, const DatabaseComparison& comparison, const ChangedClip& clip, std::size_t points) {
  const Side::Clip before = old_side.clip(clip.old_id);
  const Side::Clip after = new_side.clip(clip.new_id);
  Json features = Json::array();
  for (const std::size_t number : clip.features) {
    const std::string& name = comparison.features[number];
    auto curves = curves_json(old_side, new_side, column_of(before, name), column_of(after, name), points);
    if (!curves) continue;
    (*curves)["feature"] = number;
    (*curves)["name"] = json_text(name);
    features.push_back(std::move(*curves));
  }
  return {{"number", clip.number},
          {"old_id", clip.old_id},
          {"new_id", clip.new_id},
          {"fps", json_number(after.scoring.fps ? after.scoring.fps : before.scoring.fps)},
          {"features", std::move(features)}};
}

ChangedClip Comparer::changed_clip(std::size_t number, const ClipDifference& clip, const Side::Clip& before,
                                   const Side::Clip& after) const {
  ChangedClip changed{number, before.scoring.id, after.scoring.id, {}};
  for (const Difference& difference : clip.differences) {
    const auto feature = numbers_.find(difference.name);
    if (difference.kind == Difference::Kind::kFrames && feature != numbers_.end()) changed.features.push_back(feature->second);
  }
  return changed;
}

DatabaseComparison Comparer::make() {
  DatabaseComparison comparison;
  Json changes = Json::array();
  const std::vector<ClipDifference>& kept = changes_.kept();
  for (std::size_t number = 0; number < kept.size(); ++number) {
    const ClipDifference& clip = kept[number];
    const MaybeClip before = clip.in_old ? old_.clip(clip.clip, clip.label) : std::nullopt;
    const MaybeClip after = clip.in_new ? new_.clip(clip.clip, clip.label) : std::nullopt;
    changes.push_back(change_json(number, clip, before, after));
    if (!before || !after) continue;
    comparison.clips.push_back(changed_clip(number, clip, *before, *after));
  }
  for (const FeatureUse& feature : features_) comparison.features.push_back(feature.name);
  comparison.document = json_document(json(std::move(changes)));
  return comparison;
}

const char* outcome_name(store::DiffOutcome outcome) {
  switch (outcome) {
    case store::DiffOutcome::kEqual: return "equal";
    case store::DiffOutcome::kDifferent: return "different";
    case store::DiffOutcome::kNothingCompared: break;
  }
  return "nothing_compared";
}

Json Comparer::json(Json changes) {
  const store::DiffSummary& summary = changes_.summary();
  return {{"old", old_.description()},
          {"new", new_.description()},
          {"outcome", outcome_name(summary.outcome)},
          {"clips", summary.clips},
          {"values", summary.values},
          {"differences", summary.differences},
          {"changed_values", summary.changed_values},
          {"features", features_json(features_)},
          {"changes", std::move(changes)},
          {"more_changes", changes_.left_out()}};
}

}  // namespace

std::size_t DatabaseComparison::curves() const {
  std::size_t curves = 0;
  for (const ChangedClip& clip : clips) curves += 3 * clip.features.size();
  return curves;
}

Result<DatabaseComparison> compare(ReportDatabase& old_database, ReportDatabase& new_database) {
  const ShownPart& shown = new_database.shown();
  store::DiffOptions options;
  options.clips = shown.clips;
  options.features = shown.features;
  options.label = shown.label;
  return read_both(old_database, new_database, [&]() -> Result<DatabaseComparison> {
    Changes changes;
    const auto summary = store::diff_databases(old_database.source(), new_database.source(), options, changes);
    if (!summary.ok()) return summary.error();
    Side before = Side::of(old_database);
    Side after = Side::of(new_database);
    return Comparer(before, after, changes).make();
  });
}

Status each_changed_clip(ReportDatabase& old_database, ReportDatabase& new_database, const DatabaseComparison& comparison,
                         std::span<const ChangedClip> clips, std::size_t points, const TakeChangedClip& take) {
  const auto made = read_both(old_database, new_database, [&]() -> Result<bool> {
    Side before = Side::of(old_database);
    Side after = Side::of(new_database);
    for (const ChangedClip& clip : clips) {
      if (Status status = take(clip, json_document(changed_clip_json(before, after, comparison, clip, points))); !status.ok()) {
        return status.error();
      }
    }
    return true;
  });
  return made.ok() ? Status() : Status(made.error());
}

}  // namespace vmafbatch::report
