#include "store/diff.h"

#include <bit>
#include <cmath>
#include <set>
#include <tuple>

#include "store/database.h"
#include "store/diff_side.h"

namespace vmafbatch::store {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// |a - b|, 0 for equal infinities.
double distance(double a, double b) { return a == b ? 0.0 : std::abs(a - b); }

// Walks two databases side by side.
class Comparison {
 public:
  Comparison(DiffSide& old_side, DiffSide& new_side, DiffReport& report) : old_(old_side), new_(new_side), report_(report) {}

  DiffSummary run();

 private:
  void add_one_sided(const DiffScoring& scoring, bool in_old);
  void compare_scorings(const DiffScoring& before, const DiffScoring& after);
  void compare_features(std::int64_t before, std::int64_t after);
  void compare_feature(const NameKey& name, std::int64_t before, std::int64_t after);
  Difference compare_frames(std::int64_t before, std::int64_t after);
  void compare_values(Difference& difference);
  void compare_aggregates(const NameKey& name, std::int64_t before, std::int64_t after);
  void compare_texts(Difference::Kind kind, const DiffSide::Texts& before, const DiffSide::Texts& after);
  void compare_text(Difference::Kind kind, const std::string& name, const std::string& before, const std::string& after);

  DiffSide& old_;
  DiffSide& new_;
  DiffReport& report_;
  DiffSummary summary_;
  ClipDifference found_;  // of the clip that is being compared
};

DiffSummary Comparison::run() {
  auto before = old_.next_scoring();
  auto after = new_.next_scoring();
  while (before || after) {
    const auto key = [](const DiffScoring& scoring) { return std::tie(scoring.clip, scoring.label); };
    if (!after || (before && key(*before) < key(*after))) {
      add_one_sided(*before, true);
      before = old_.next_scoring();
    } else if (!before || key(*after) < key(*before)) {
      add_one_sided(*after, false);
      after = new_.next_scoring();
    } else {
      compare_scorings(*before, *after);
      before = old_.next_scoring();
      after = new_.next_scoring();
    }
  }
  const bool nothing = summary_.clips == 0 || (summary_.values == 0 && summary_.differences == 0);
  summary_.outcome = nothing ? DiffOutcome::kNothingCompared : summary_.differences == 0 ? DiffOutcome::kEqual : DiffOutcome::kDifferent;
  report_.end(summary_);
  return summary_;
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
  compare_text(Difference::Kind::kFrameCount, "", before.frame_counts, after.frame_counts);
  compare_features(before.id, after.id);
  compare_texts(Difference::Kind::kBackend, old_.backends(before.id), new_.backends(after.id));
  compare_texts(Difference::Kind::kFailure, old_.failures(before.id), new_.failures(after.id));
  if (found_.differences.empty()) return;
  for (size_t index = 0; index < before.setup.size(); ++index) {
    if (before.setup[index].second != after.setup[index].second) found_.causes.push_back(before.setup[index].first);
  }
  summary_.differences += static_cast<std::int64_t>(found_.differences.size());
  report_.add(found_);
}

void Comparison::compare_features(std::int64_t before, std::int64_t after) {
  const auto old_columns = old_.columns(before);
  const auto new_columns = new_.columns(after);
  std::set<NameKey> names;
  for (const auto& [name, column] : old_columns) names.insert(name);
  for (const auto& [name, column] : new_columns) names.insert(name);
  for (const NameKey& name : names) {
    const auto in_old = old_columns.find(name);
    const auto in_new = new_columns.find(name);
    if (in_old != old_columns.end() && in_new != new_columns.end()) {
      compare_feature(name, in_old->second, in_new->second);
      continue;
    }
    Difference difference;
    difference.kind = Difference::Kind::kFeature;
    difference.name = name.bytes;
    difference.in_old = in_old != old_columns.end();
    difference.in_new = in_new != new_columns.end();
    found_.differences.push_back(difference);
  }
}

void Comparison::compare_feature(const NameKey& name, std::int64_t before, std::int64_t after) {
  Difference difference = compare_frames(before, after);
  difference.name = name.bytes;
  summary_.values += difference.compared;
  summary_.changed_values += difference.changed;
  if (difference.changed + difference.only_old + difference.only_new > 0) {
    found_.differences.push_back(difference);
  } else if (old_.pooled_bits(before) != new_.pooled_bits(after)) {
    difference.kind = Difference::Kind::kPooled;
    found_.differences.push_back(difference);
  }
  compare_aggregates(name, before, after);
}

Difference Comparison::compare_frames(std::int64_t before, std::int64_t after) {
  Difference difference;
  ValueCursor& left = old_.values();
  ValueCursor& right = new_.values();
  left.start(before);
  right.start(after);
  bool has_left = left.next();
  bool has_right = right.next();
  while (has_left || has_right) {
    if (!has_right || (has_left && left.frame() < right.frame())) {
      if (difference.only_old++ == 0) difference.first_only_old = left.frame();
      has_left = left.next();
    } else if (!has_left || right.frame() < left.frame()) {
      if (difference.only_new++ == 0) difference.first_only_new = right.frame();
      has_right = right.next();
    } else {
      compare_values(difference);
      has_left = left.next();
      has_right = right.next();
    }
  }
  return difference;
}

void Comparison::compare_values(Difference& difference) {
  const double before = old_.values().value();
  const double after = new_.values().value();
  ++difference.compared;
  if (same_bits(before, after)) return;
  if (difference.changed++ > 0 && distance(before, after) <= distance(*difference.old_value, *difference.new_value)) return;
  difference.largest_frame = old_.values().frame();
  difference.old_value = before;
  difference.new_value = after;
}

void Comparison::compare_aggregates(const NameKey& name, std::int64_t before, std::int64_t after) {
  Difference difference;
  difference.kind = Difference::Kind::kAggregate;
  difference.name = name.bytes;
  difference.old_value = old_.aggregate(before);
  difference.new_value = new_.aggregate(after);
  if (difference.old_value && difference.new_value) {
    ++summary_.values;
    if (same_bits(*difference.old_value, *difference.new_value)) return;
    ++summary_.changed_values;
  } else if (!difference.old_value && !difference.new_value) {
    return;
  }
  found_.differences.push_back(difference);
}

void Comparison::compare_texts(Difference::Kind kind, const DiffSide::Texts& before, const DiffSide::Texts& after) {
  std::set<std::string> names;
  for (const auto& [name, text] : before) names.insert(name);
  for (const auto& [name, text] : after) names.insert(name);
  const auto text_of = [](const DiffSide::Texts& texts, const std::string& name) {
    const auto place = texts.find(name);
    return place == texts.end() ? std::string() : place->second;
  };
  for (const std::string& name : names) compare_text(kind, name, text_of(before, name), text_of(after, name));
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

// A side that is open, or the sentence with its file's name.
Result<std::unique_ptr<DiffSide>> open_side(const std::string& path) {
  auto database = open_read_only(path);
  if (!database.ok()) return database.error();
  try {
    return std::make_unique<DiffSide>(std::move(*database));
  } catch (const SQLite::Exception& exception) {
    return database_error(path, exception);
  }
}

}  // namespace

Result<DiffSummary> diff_databases(const std::string& old_path, const std::string& new_path, DiffReport& report) {
  auto old_side = open_side(old_path);
  if (!old_side.ok()) return old_side.error();
  auto new_side = open_side(new_path);
  if (!new_side.ok()) return new_side.error();
  try {
    return Comparison(**old_side, **new_side, report).run();
  } catch (const SQLite::Exception& exception) {
    return database_error(old_path + " or " + new_path, exception);
  }
}

}  // namespace vmafbatch::store
