#include "report/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/glob.h"
#include "base/utf8.h"
#include "store/database.h"
#include "store/newest_scoring.h"
#include "store/raw_statement.h"
#include "store/text.h"
#include "store/untrusted.h"

namespace vmafbatch::report {
namespace {

using store::line_text;

// A scoring's row, as far as rules ask for it.
struct Scoring {
  std::int64_t id = 0;
  std::string label, status;
  std::map<std::string, std::optional<double>> numbers;  // by the names of clip_quantities(), but for "warnings"
};

// A column that may hold a number.
std::optional<double> number_at(const store::RawStatement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.real(column);
}

// Reads what the rules ask for. Functions throw store::UntrustedError.
class Reader {
 public:
  explicit Reader(store::UntrustedDatabase& database)
      : database_(database),
        clips_(database.database(), "SELECT id, name FROM clip ORDER BY name"),
        newest_(database.database(), newest_sql()),
        tag_(database.database(), "SELECT value FROM tag WHERE clip = ? AND name = ?"),
        column_(database.database(),
                "SELECT sf.id, sf.scope FROM feature f JOIN scoring_feature sf ON sf.feature = f.id AND sf.scoring = ? WHERE f.name = ?"),
        aggregate_(database.database(), "SELECT value FROM aggregate_score WHERE scoring_feature = ?"),
        pooled_(database.database(),
                fmt::format("SELECT {} FROM pooled_score WHERE scoring_feature = ?", fmt::join(pooled_statistics(), ", "))),
        warnings_(database.database(), "SELECT count(*) FROM warning WHERE scoring = ?") {}

  std::vector<std::pair<std::int64_t, std::string>> clips() {
    return database_.guard([&] {
      std::vector<std::pair<std::int64_t, std::string>> clips;
      while (clips_.step()) {
        database_.row_read();
        clips.emplace_back(clips_.integer(0), clips_.bytes(1));
      }
      return clips;
    });
  }

  // The newest scoring of a clip: the one that ended last, or one that began after it and has not ended.
  std::optional<Scoring> newest(std::int64_t clip, const std::optional<std::string>& label) {
    return database_.guard([&]() -> std::optional<Scoring> {
      newest_.reset();
      newest_.bind(1, clip);
      if (label) newest_.bind(2, *label);
      if (!newest_.step()) return std::nullopt;
      return scoring();
    });
  }

  std::optional<std::string> tag(std::int64_t clip, const std::string& name) {
    return database_.guard([&]() -> std::optional<std::string> {
      tag_.reset();
      tag_.bind(1, clip);
      tag_.bind(2, name);
      if (!tag_.step()) return std::nullopt;
      return tag_.bytes(0);
    });
  }

  // A column of the scoring: its id and whether it is an aggregate.
  std::optional<std::pair<std::int64_t, bool>> column(std::int64_t scoring, const std::string& feature) {
    return database_.guard([&]() -> std::optional<std::pair<std::int64_t, bool>> {
      column_.reset();
      column_.bind(1, scoring);
      column_.bind(2, feature);
      if (!column_.step()) return std::nullopt;
      return std::pair(column_.integer(0), column_.bytes(1) == "aggregate");
    });
  }

  std::optional<double> aggregate(std::int64_t column) { return first_number(aggregate_, column, 0); }
  std::optional<double> warnings(std::int64_t scoring) { return first_number(warnings_, scoring, 0); }
  std::optional<double> pooled(std::int64_t column, const std::string& statistic) {
    const auto& names = pooled_statistics();
    return first_number(pooled_, column, static_cast<int>(std::ranges::find(names, statistic) - names.begin()));
  }

 private:
  std::optional<double> first_number(store::RawStatement& statement, std::int64_t key, int column) {
    return database_.guard([&]() -> std::optional<double> {
      statement.reset();
      statement.bind(1, key);
      return statement.step() ? number_at(statement, column) : std::nullopt;
    });
  }

  static std::string newest_sql() {
    const std::string ours = "n.clip = ?1 AND (?2 IS NULL OR n.label = ?2)";
    return fmt::format("SELECT id, label, status, frames, identical_frames, width, height, fps FROM scoring WHERE id = max({}, {})",
                       "coalesce(" + store::newest_ended_sql(ours) + ", 0)", "coalesce(" + store::newest_open_sql(ours) + ", 0)");
  }

  Scoring scoring() const {
    Scoring scoring{newest_.integer(0), newest_.bytes(1), newest_.bytes(2), {}};
    for (const int frames : {3, 4}) {
      if (newest_.is_integer(frames)) store::checked_frames(newest_.integer(frames));
    }
    int column = 3;
    for (const char* name : {"frames", "identical_frames", "width", "height", "fps"}) scoring.numbers[name] = number_at(newest_, column++);
    return scoring;
  }

  store::UntrustedDatabase& database_;
  store::RawStatement clips_, newest_, tag_, column_, aggregate_, pooled_, warnings_;
};

// A number, or the reason why there is none.
struct Found {
  std::optional<double> value;
  std::string reason;
};

std::string feature_name(const Quantity& quantity) { return line_text(quantity.name); }

// Judges the rules for one clip.
class Judge {
 public:
  Judge(Reader& reader, std::int64_t clip, const std::optional<Scoring>& scoring) : reader_(reader), clip_(clip), scoring_(scoring) {}

  RuleResult judge(const Rule& rule) {
    for (const Check& condition : rule.conditions) {
      const auto [applies, reason] = condition.quantity.kind == Quantity::Kind::kTag ? tag_holds(condition) : number_holds(condition);
      if (!reason.empty()) return {Verdict::kFail, std::nullopt, reason};
      if (!applies) return {};
    }
    const Found found = find(rule.check.quantity);
    if (!found.value) return {Verdict::kFail, std::nullopt, found.reason};
    return {holds(rule.check.comparison, *found.value, rule.check.number) ? Verdict::kPass : Verdict::kFail, found.value, ""};
  }

 private:
  struct Applies {
    bool applies;
    std::string reason;  // why the condition cannot be judged
  };

  Applies number_holds(const Check& condition) {
    const Found found = find(condition.quantity);
    if (!found.value) return {false, "the condition cannot be judged: " + found.reason};
    return {holds(condition.comparison, *found.value, condition.number), ""};
  }

  // A clip without the tag is different from every value and has no number.
  Applies tag_holds(const Check& condition) {
    const auto value = reader_.tag(clip_, condition.quantity.name);
    if (condition.comparison == Comparison::kEqual) return {value == condition.text, ""};
    if (condition.comparison == Comparison::kDifferent) return {value != condition.text, ""};
    if (!value) return {false, ""};
    const auto number = rule_number(*value);
    if (!number) {
      return {false, fmt::format("the condition cannot be judged: tag.{} is \"{}\", no number", feature_name(condition.quantity),
                                 line_text(*value))};
    }
    return {holds(condition.comparison, *number, condition.number), ""};
  }

  Found find(const Quantity& quantity) {
    if (!scoring_) return {std::nullopt, "the clip has not been scored"};
    if (scoring_->status == "running") return {std::nullopt, "the clip's newest scoring has not ended"};
    if (scoring_->status != "done")
      return {std::nullopt, fmt::format("the clip is not done: its scoring is {}", line_text(scoring_->status))};
    return quantity.kind == Quantity::Kind::kClip ? find_in_clip(quantity) : find_in_feature(quantity);
  }

  Found find_in_clip(const Quantity& quantity) {
    if (quantity.name == "warnings") return {reader_.warnings(scoring_->id), ""};
    const std::optional<double> value = scoring_->numbers.at(quantity.name);
    return {value, value ? "" : fmt::format("the database does not know the clip's {}", quantity.name)};
  }

  Found find_in_feature(const Quantity& quantity) {
    const auto column = reader_.column(scoring_->id, quantity.name);
    if (!column) return {std::nullopt, fmt::format("the clip has no feature {}", feature_name(quantity))};
    const auto [id, is_aggregate] = *column;
    if (is_aggregate && quantity.kind == Quantity::Kind::kPooled) {
      return {std::nullopt, fmt::format("{0} is one value for the whole clip: write {0}.value", feature_name(quantity))};
    }
    if (!is_aggregate && quantity.kind == Quantity::Kind::kAggregate) {
      return {std::nullopt, fmt::format("{0} has a value for every frame: write {0}.mean or another statistic", feature_name(quantity))};
    }
    const auto value = is_aggregate ? reader_.aggregate(id) : reader_.pooled(id, quantity.statistic);
    if (value) return {value, ""};
    return {std::nullopt,
            fmt::format("{}.{} has no value (not a number, or no frame was scored)", feature_name(quantity), quantity.statistic)};
  }

  Reader& reader_;
  std::int64_t clip_;
  const std::optional<Scoring>& scoring_;
};

Verdict worst(const std::vector<RuleResult>& results) {
  Verdict verdict = Verdict::kNotApplied;
  for (const RuleResult& result : results) {
    if (result.verdict == Verdict::kFail) return Verdict::kFail;
    if (result.verdict == Verdict::kPass) verdict = Verdict::kPass;
  }
  return verdict;
}

void count(Verdict verdict, GateResult& result) {
  switch (verdict) {
    case Verdict::kPass: ++result.passed; break;
    case Verdict::kFail: ++result.failed; break;
    case Verdict::kNotApplied: ++result.not_judged; break;
  }
}

GateResult judge_clips(store::UntrustedDatabase& database, const GateOptions& options) {
  GateResult result;
  Reader reader(database);
  for (auto& [id, name] : reader.clips()) {
    if (!is_chosen(name, options.clips)) continue;
    const auto scoring = reader.newest(id, options.label);
    if (!scoring && options.label) continue;
    ClipResult clip{name, scoring ? scoring->label : "", scoring ? scoring->status : "", Verdict::kNotApplied, {}};
    Judge judge(reader, id, scoring);
    for (const Rule& rule : options.rules) clip.rules.push_back(judge.judge(rule));
    clip.verdict = worst(clip.rules);
    count(clip.verdict, result);
    result.clips.push_back(std::move(clip));
  }
  return result;
}

}  // namespace

Result<GateResult> run_gate(const std::string& database, const GateOptions& options) {
  auto opened = store::UntrustedDatabase::open(database);
  if (!opened.ok()) return opened.error();
  const std::string name = display_text(database);
  try {
    store::UntrustedDatabase& untrusted = **opened;
    // One state of the database, also while a run writes.
    const auto transaction = untrusted.guard([&] { return std::make_unique<SQLite::Transaction>(untrusted.database()); });
    GateResult result = untrusted.guard([&] { return judge_clips(untrusted, options); });
    if (result.clips.empty()) {
      return Error{fmt::format("{}: there is no clip to judge; check --clips and --label, or score some", name)};
    }
    if (result.passed + result.failed == 0) {
      return Error{fmt::format("{}: no rule applies to any clip; check the conditions behind \"if\"", name)};
    }
    return result;
  } catch (const store::UntrustedError& error) {
    return Error{error.what()};
  }
}

}  // namespace vmafbatch::report
