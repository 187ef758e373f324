#include "store/diff.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/glob.h"
#include "store/diff_causes.h"
#include "store/diff_equality.h"
#include "store/diff_side.h"
#include "store/diff_top.h"
#include "store/records.h"
#include "store/untrusted.h"

namespace vmafbatch::store {
namespace {

// The keys of two maps, each once, in order.
template <class Map>
std::set<typename Map::key_type> keys_of(const Map& before, const Map& after) {
  std::set<typename Map::key_type> keys;
  for (const auto& [key, entry] : before) keys.insert(key);
  for (const auto& [key, entry] : after) keys.insert(key);
  return keys;
}

// An empty entry where the map has none.
template <class Map>
typename Map::mapped_type entry_of(const Map& map, const std::string& key) {
  const auto place = map.find(key);
  return place == map.end() ? typename Map::mapped_type() : place->second;
}

// Walks two databases side by side.
class Comparison {
 public:
  Comparison(DiffSide& old_side, DiffSide& new_side, const DiffOptions& options, DiffReport& report)
      : old_(old_side), new_(new_side), options_(options), report_(report) {}

  DiffSummary run();

 private:
  using Columns = std::map<NameKey, DiffColumn>;
  using Backends = std::map<std::string, DiffBackend>;
  using Extractors = std::optional<std::set<std::string>>;  // whose backends and failures count; nothing: all

  std::optional<DiffScoring> next_chosen(DiffSide& side) const;
  Columns chosen_columns(DiffSide& side, std::int64_t scoring) const;
  void add_one_sided(const DiffScoring& scoring, bool in_old);
  void compare_scorings(const DiffScoring& before, const DiffScoring& after);
  void report_scoring(const DiffScoring& before, const DiffScoring& after);
  void compare_features(const Columns& before, const Columns& after);
  void compare_feature(const NameKey& name, std::int64_t before, std::int64_t after);
  Difference compare_frames(const Equality& equality, std::int64_t before, std::int64_t after);
  void compare_values(const Equality& equality, Difference& difference);
  bool same_pooled(const Equality& equality, std::int64_t before, std::int64_t after);
  void compare_aggregates(const NameKey& name, const Equality& equality, std::int64_t before, std::int64_t after);
  Extractors chosen_extractors(std::initializer_list<const Columns*> columns, std::initializer_list<const Backends*> backends) const;
  void compare_backends(const Extractors& chosen, const Backends& before, const Backends& after);
  void compare_failures(const Extractors& chosen, const DiffSide::Texts& before, const DiffSide::Texts& after);
  void compare_text(Difference::Kind kind, const std::string& name, const std::string& before, const std::string& after);

  DiffSide& old_;
  DiffSide& new_;
  const DiffOptions& options_;
  DiffReport& report_;
  DiffSummary summary_;
  ClipDifference found_;  // of the clip that is being compared
};

DiffSummary Comparison::run() {
  auto before = next_chosen(old_);
  auto after = next_chosen(new_);
  while (before || after) {
    const auto key = [](const DiffScoring& scoring) { return std::tie(scoring.clip, scoring.label); };
    if (!after || (before && key(*before) < key(*after))) {
      add_one_sided(*before, true);
      before = next_chosen(old_);
    } else if (!before || key(*after) < key(*before)) {
      add_one_sided(*after, false);
      after = next_chosen(new_);
    } else {
      compare_scorings(*before, *after);
      before = next_chosen(old_);
      after = next_chosen(new_);
    }
  }
  const bool nothing = summary_.clips == 0 || (summary_.values == 0 && summary_.differences == 0);
  summary_.outcome = nothing ? DiffOutcome::kNothingCompared : summary_.differences == 0 ? DiffOutcome::kEqual : DiffOutcome::kDifferent;
  summary_.shown = summary_.differences;
  report_.end(summary_);
  return summary_;
}

std::optional<DiffScoring> Comparison::next_chosen(DiffSide& side) const {
  while (auto scoring = side.next_scoring()) {
    if (options_.label && scoring->label.bytes != *options_.label) continue;
    if (is_chosen(scoring->clip.bytes, options_.clips)) return scoring;
  }
  return std::nullopt;
}

Comparison::Columns Comparison::chosen_columns(DiffSide& side, std::int64_t scoring) const {
  Columns columns = side.columns(scoring);
  std::erase_if(columns, [this](const auto& column) { return !is_chosen(column.first.bytes, options_.features); });
  return columns;
}

void Comparison::add_one_sided(const DiffScoring& scoring, bool in_old) {
  ++summary_.differences;
  ClipDifference difference;
  difference.clip = scoring.clip.bytes;
  difference.label = scoring.label.bytes;
  difference.in_old = in_old;
  difference.in_new = !in_old;
  report_.add(difference);
}

void Comparison::compare_scorings(const DiffScoring& before, const DiffScoring& after) {
  ++summary_.clips;
  found_ = {};
  found_.clip = before.clip.bytes;
  found_.label = before.label.bytes;
  compare_text(Difference::Kind::kStatus, "", before.status, after.status);
  const bool imported = before.imported || after.imported;  // a log says what came out, not of what
  if (!imported) compare_text(Difference::Kind::kFrameCount, "", before.frame_counts, after.frame_counts);
  const Columns old_columns = chosen_columns(old_, before.id);
  const Columns new_columns = chosen_columns(new_, after.id);
  compare_features(old_columns, new_columns);
  const Backends old_backends = old_.backends(before.id);
  const Backends new_backends = new_.backends(after.id);
  const Extractors chosen = chosen_extractors({&old_columns, &new_columns}, {&old_backends, &new_backends});
  if (!options_.ignore_backend && !imported) compare_backends(chosen, old_backends, new_backends);
  compare_failures(chosen, old_.failures(before.id), new_.failures(after.id));
  report_scoring(before, after);
}

void Comparison::report_scoring(const DiffScoring& before, const DiffScoring& after) {
  if (found_.differences.empty()) {
    report_.equal(found_);
    return;
  }
  found_.causes = find_causes(before, old_, after, new_);
  summary_.differences += static_cast<std::int64_t>(found_.differences.size());
  report_.add(found_);
}

// Nothing, where a chosen feature comes from a model: the database does not name the extractors below it.
Comparison::Extractors Comparison::chosen_extractors(std::initializer_list<const Columns*> columns,
                                                     std::initializer_list<const Backends*> backends) const {
  if (options_.features.empty()) return std::nullopt;
  std::set<std::string> extractors;
  for (const Backends* side : backends) {
    for (const auto& [name, backend] : *side) extractors.insert(backend.extractor);
  }
  std::set<std::string> chosen;
  for (const Columns* side : columns) {
    for (const auto& [name, column] : *side) {
      const std::string extractor(source_name(column.source));
      if (!extractors.contains(extractor)) return std::nullopt;
      chosen.insert(extractor);
    }
  }
  return chosen;
}

void Comparison::compare_features(const Columns& before, const Columns& after) {
  for (const NameKey& name : keys_of(before, after)) {
    const auto in_old = before.find(name);
    const auto in_new = after.find(name);
    if (in_old != before.end() && in_new != after.end()) {
      compare_feature(name, in_old->second.id, in_new->second.id);
      continue;
    }
    Difference difference;
    difference.kind = Difference::Kind::kFeature;
    difference.name = name.bytes;
    difference.in_old = in_old != before.end();
    difference.in_new = in_new != after.end();
    found_.differences.push_back(difference);
  }
}

void Comparison::compare_feature(const NameKey& name, std::int64_t before, std::int64_t after) {
  const Equality equality(options_, name.bytes);
  Difference difference = compare_frames(equality, before, after);
  difference.name = name.bytes;
  found_.features.push_back(name.bytes);
  summary_.values += difference.compared;
  summary_.changed_values += difference.changed;
  summary_.tolerated_values += difference.tolerated;
  if (difference.changed + difference.only_old + difference.only_new > 0) {
    found_.differences.push_back(difference);
  } else if (difference.tolerated == 0 && !same_pooled(equality, before, after)) {
    difference.kind = Difference::Kind::kPooled;
    found_.differences.push_back(difference);
  }
  compare_aggregates(name, equality, before, after);
}

Difference Comparison::compare_frames(const Equality& equality, std::int64_t before, std::int64_t after) {
  Difference difference;
  old_.start_values(before);
  new_.start_values(after);
  bool has_old = old_.next_value();
  bool has_new = new_.next_value();
  while (has_old || has_new) {
    if (!has_new || (has_old && old_.frame() < new_.frame())) {
      if (difference.only_old++ == 0) difference.first_only_old = old_.frame();
      has_old = old_.next_value();
    } else if (!has_old || new_.frame() < old_.frame()) {
      if (difference.only_new++ == 0) difference.first_only_new = new_.frame();
      has_new = new_.next_value();
    } else {
      compare_values(equality, difference);
      has_old = old_.next_value();
      has_new = new_.next_value();
    }
  }
  return difference;
}

void Comparison::compare_values(const Equality& equality, Difference& difference) {
  const double before = old_.value();
  const double after = new_.value();
  ++difference.compared;
  if (same_bits(before, after)) return;
  if (equality.tolerates(before, after)) {
    ++difference.tolerated;
    return;
  }
  if (difference.changed++ > 0 && distance(before, after) <= distance(*difference.old_value, *difference.new_value)) return;
  difference.largest_frame = old_.frame();
  difference.old_value = before;
  difference.new_value = after;
}

// REQUIRES: all frames have the same bits. Frames that are only near enough have other pooled values, which say nothing more.
bool Comparison::same_pooled(const Equality& equality, std::int64_t before, std::int64_t after) {
  const auto same = [&](const std::optional<double>& a, const std::optional<double>& b) {
    return a && b ? same_bits(*a, *b) || equality.tolerates(*a, *b) : a.has_value() == b.has_value();
  };
  const DiffSide::Pooled left = old_.pooled(before);
  const DiffSide::Pooled right = new_.pooled(after);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

void Comparison::compare_aggregates(const NameKey& name, const Equality& equality, std::int64_t before, std::int64_t after) {
  Difference difference;
  difference.kind = Difference::Kind::kAggregate;
  difference.name = name.bytes;
  difference.old_value = old_.aggregate(before);
  difference.new_value = new_.aggregate(after);
  if (!difference.old_value && !difference.new_value) return;
  if (difference.old_value && difference.new_value) {
    ++summary_.values;
    if (same_bits(*difference.old_value, *difference.new_value)) return;
    const bool tolerated = equality.tolerates(*difference.old_value, *difference.new_value);
    ++(tolerated ? summary_.tolerated_values : summary_.changed_values);
    if (tolerated) return;
  }
  found_.differences.push_back(difference);
}

void Comparison::compare_backends(const Extractors& chosen, const Backends& before, const Backends& after) {
  for (const std::string& name : keys_of(before, after)) {
    const DiffBackend old_backend = entry_of(before, name);
    const DiffBackend new_backend = entry_of(after, name);
    if (chosen && !chosen->contains(old_backend.extractor) && !chosen->contains(new_backend.extractor)) continue;
    compare_text(Difference::Kind::kBackend, name, old_backend.shown, new_backend.shown);
  }
}

// The clip's own failures, under "", always count.
void Comparison::compare_failures(const Extractors& chosen, const DiffSide::Texts& before, const DiffSide::Texts& after) {
  for (const std::string& name : keys_of(before, after)) {
    if (chosen && !name.empty() && !chosen->contains(name)) continue;
    compare_text(Difference::Kind::kFailure, name, entry_of(before, name), entry_of(after, name));
  }
}

void Comparison::compare_text(Difference::Kind kind, const std::string& name, const std::string& before, const std::string& after) {
  if (before == after) return;
  Difference difference;
  difference.kind = kind;
  difference.name = name;
  difference.old_text = before;
  difference.new_text = after;
  found_.differences.push_back(difference);
}

}  // namespace

Result<DiffSummary> diff_databases(const std::string& old_path, const std::string& new_path, const DiffOptions& options,
                                   DiffReport& report) {
  auto old_database = UntrustedDatabase::open(old_path);
  if (!old_database.ok()) return old_database.error();
  auto new_database = UntrustedDatabase::open(new_path);
  if (!new_database.ok()) return new_database.error();
  return diff_databases(**old_database, **new_database, options, report);
}

Result<DiffSummary> diff_databases(UntrustedDatabase& old_database, UntrustedDatabase& new_database, const DiffOptions& options,
                                   DiffReport& report) {
  auto old_side = DiffSide::open(old_database);
  if (!old_side.ok()) return old_side.error();
  auto new_side = DiffSide::open(new_database);
  if (!new_side.ok()) return new_side.error();
  try {
    if (options.top == 0) return Comparison(**old_side, **new_side, options, report).run();
    TopReport largest(report, options.top);
    return Comparison(**old_side, **new_side, options, largest).run();
  } catch (const UntrustedError& error) {
    return Error{error.what()};
  }
}

}  // namespace vmafbatch::store
