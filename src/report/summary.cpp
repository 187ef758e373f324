#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/version.h"
#include "report/clip_data.h"
#include "report/feature_facts.h"
#include "report/tally.h"
#include "report/warning_kind.h"
#include "store/clock.h"
#include "store/database.h"

namespace vmafbatch::report {
namespace {

constexpr std::size_t kMostTexts = 50;
constexpr std::size_t kMostTagValues = 100;
constexpr std::size_t kMostTags = 1000;
constexpr std::size_t kMostBackends = 1000;

constexpr const char* kRunsSql = R"(
  SELECT r.id, r.started_at, r.ended_at, r.command_line, r.program_version, r.host, r.processor,
         (SELECT count(*) FROM scoring s WHERE s.run = r.id), (SELECT total(s.frames) FROM scoring s
            WHERE s.run = r.id AND typeof(s.frames) = 'integer' AND s.frames >= 0 AND s.frames < 1 << 53),
         (julianday(r.ended_at) - julianday(r.started_at)) * 86400
  FROM run r ORDER BY r.id DESC LIMIT 20)";

const char* direction_name(Direction direction) {
  switch (direction) {
    case Direction::kHigherIsBetter: return "higher";
    case Direction::kLowerIsBetter: return "lower";
    case Direction::kNeither: break;
  }
  return "none";
}

Json runs_json(ReportDatabase& database) {
  Json json = Json::array();
  SQLite::Statement statement(database.database(), kRunsSql);
  const auto text = [&](int index) { return statement.isColumnNull(index) ? Json() : json_text(store::column_bytes(statement, index)); };
  while (statement.executeStep()) {
    database.row_read();
    const double sum = statement.getColumn(8).getDouble();  // exact as long as a page can hold it
    const auto frames = static_cast<std::int64_t>(std::min(sum, static_cast<double>(kLastFrame)));
    const double wall_s = statement.getColumn(9).getDouble();
    const bool has_ended = !statement.isColumnNull(9);
    json.push_back({{"id", statement.getColumn(0).getInt64()},
                    {"started_at", text(1)},
                    {"ended_at", text(2)},
                    {"command_line", text(3)},
                    {"program_version", text(4)},
                    {"host", text(5)},
                    {"processor", text(6)},
                    {"scorings", statement.getColumn(7).getInt64()},
                    {"frames", frames},
                    {"wall_s", has_ended ? json_number(std::round(wall_s)) : Json()},
                    {"frames_per_second",
                     has_ended && std::round(wall_s) > 0 ? json_number(static_cast<double>(frames) / std::round(wall_s)) : Json()}});
  }
  return json;
}

// Of counts that a page can hold; a made database may have sums beyond that.
std::int64_t sum_of(std::int64_t a, std::int64_t b) { return std::clamp(a + b, -kLastFrame, kLastFrame); }

// Collects over the rows of the catalogue.
class Summary {
 public:
  Summary(ReportDatabase& database, ClipReader& reader) : reader_(reader) {
    for (const auto& feature : database.features()) features_.push_back({feature.name, "", false, 0, false});
  }

  void add(const RowKey& row) {
    const ScoringData scoring = reader_.scoring(row);
    count(scoring);
    for (const std::string& text : reader_.warnings(scoring.id)) {
      warnings_.at(static_cast<std::size_t>(warning_kind(text))).add(text, scoring.id);
    }
    for (const FailureData& failure : reader_.failures(scoring.id)) {
      failures_.add(
          failure.extractor && !failure.text.starts_with(*failure.extractor) ? *failure.extractor + ": " + failure.text : failure.text,
          scoring.id);
    }
    for (const auto& [name, value] : reader_.tags(scoring)) add_tag(name, value);
    const std::vector<ModelData> models = reader_.models(scoring.id);
    for (const ColumnData& column : reader_.list_columns(scoring.id)) {
      FeatureUse& use = features_[column.feature];
      if (use.clips++ == 0) use.source = column.source;
      use.per_clip = column.per_clip;
      use.of_model = use.of_model || std::ranges::find(models, column.name, &ModelData::name) != models.end();
    }
    add_backends(scoring.id);
    for (const ModelData& model : models) {
      if (models_.size() < kMostTags) ++models_[{model.name, model.path, model.hash}];
    }
  }

  Json json(ReportDatabase& database, const SummaryNotes& notes) const;

 private:
  void count(const ScoringData& scoring) {
    ++clips_;
    ++statuses_[scoring.status];
    frames_ = sum_of(frames_, scoring.frames.value_or(0));
    duration_s_ += scoring.duration_s().value_or(0);
    seconds_ += scoring.seconds.value_or(0);
    decode_seconds_ += scoring.decode_seconds.value_or(0);
    options_.add(scoring.options, scoring.id);
    labels_.add(scoring.label, scoring.id);
    made_with_[0].add(scoring.program_version, scoring.id);
    made_with_[1].add(scoring.c_library, scoring.id);
    made_with_[2].add(scoring.processor, scoring.id);
    made_with_[3].add(scoring.decoder, scoring.id);
  }
  void add_tag(const std::string& name, const std::string& value) {
    if (tags_.size() == kMostTags && !tags_.contains(name)) return;
    std::set<std::string>& values = tags_[name];
    if (values.size() < Tally::kMostTexts) values.insert(value);
  }
  void add_backends(std::int64_t scoring) {
    std::set<BackendKey> seen;
    for (const BackendData& backend : reader_.backends(scoring)) {
      const BackendKey key{backend.extractor, backend.implementation, backend.backend, backend.device, backend.reason};
      if (backends_.size() == kMostBackends && !backends_.contains(key)) continue;
      auto& [clips, frames] = backends_[key];
      if (seen.insert(key).second) ++clips;
      frames = sum_of(frames, backend.last_frame - backend.first_frame + 1);
    }
  }
  Json warnings_json() const;
  Json backends_json() const;
  Json models_json() const;
  Json tags_json() const;
  std::int64_t status_count(const std::string& status) const {
    const auto place = statuses_.find(status);
    return place == statuses_.end() ? 0 : place->second;
  }

  using BackendKey = std::tuple<std::string, std::string, std::string, std::string, std::string>;

  ClipReader& reader_;
  std::int64_t clips_ = 0;
  std::map<std::string, std::int64_t> statuses_;
  std::int64_t frames_ = 0;
  double duration_s_ = 0;
  double seconds_ = 0;
  double decode_seconds_ = 0;
  std::array<Tally, 4> warnings_;  // by WarningKind
  Tally failures_, options_, labels_;
  std::array<Tally, 4> made_with_;  // program, C library, processor, decoder
  std::map<std::string, std::set<std::string>> tags_;
  std::map<BackendKey, std::pair<std::int64_t, std::int64_t>> backends_;  // clips, frames
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> models_;
  std::vector<FeatureUse> features_;
};

Json Summary::warnings_json() const {
  Json json = Json::array();
  for (std::size_t kind = 0; kind < warnings_.size(); ++kind) {
    if (warnings_[kind].total() == 0) continue;
    json.push_back({{"kind", warning_kind_name(static_cast<WarningKind>(kind))},
                    {"count", warnings_[kind].total()},
                    {"texts", warnings_[kind].with_clips(kMostTexts)}});
  }
  return json;
}

Json Summary::backends_json() const {
  Json json = Json::array();
  for (const auto& [key, counts] : backends_) {
    const auto& [extractor, implementation, backend, device, reason] = key;
    json.push_back({{"extractor", json_text(extractor)},
                    {"implementation", json_text(implementation)},
                    {"backend", json_text(backend)},
                    {"device", json_text(device)},
                    {"reason", json_text(reason)},
                    {"clips", counts.first},
                    {"frames", counts.second}});
  }
  return json;
}

Json Summary::models_json() const {
  Json json = Json::array();
  for (const auto& [model, clips] : models_) {
    const auto& [name, path, hash] = model;
    json.push_back({{"name", json_text(name)}, {"path", json_text(path)}, {"hash", json_text(hash)}, {"clips", clips}});
  }
  return json;
}

Json Summary::tags_json() const {
  Json json = Json::array();
  for (const auto& [name, values] : tags_) {
    Json shown = Json::array();
    for (const std::string& value : values) {
      if (shown.size() == kMostTagValues) break;
      shown.push_back(json_text(value));
    }
    const std::size_t more = values.size() - shown.size();
    json.push_back({{"name", json_text(name)}, {"values", std::move(shown)}, {"more", more}});
  }
  return json;
}

Json Summary::json(ReportDatabase& database, const SummaryNotes& notes) const {
  const auto& label = database.shown().label;
  return {{"title", json_text(database.title())},
          {"state", notes.state},
          {"compared_with", notes.compared_with ? json_text(*notes.compared_with) : Json()},
          {"live", notes.live},
          {"made_at", store::utc_now()},
          {"program", "vmafbatch " + std::string(kVersion)},
          {"label", label ? json_text(*label) : Json()},
          {"counts",
           {{"clips", clips_},
            {"done", status_count("done")},
            {"partial", status_count("partial")},
            {"failed", status_count("failed")},
            {"running", status_count("running")}}},
          {"frames", frames_},
          {"duration_s", json_number(duration_s_)},
          {"seconds", json_number(seconds_)},
          {"decode_seconds", json_number(decode_seconds_)},
          {"warnings", warnings_json()},
          {"failures", failures_.with_clips(kMostTexts)},
          {"backends", backends_json()},
          {"models", models_json()},
          {"options", options_.counts(kMostTexts)},
          {"made_with",
           {{"program", made_with_[0].counts(kMostTexts)},
            {"c_library", made_with_[1].counts(kMostTexts)},
            {"processor", made_with_[2].counts(kMostTexts)},
            {"decoder", made_with_[3].counts(kMostTexts)}}},
          {"labels", labels_.counts(kMostTexts)},
          {"tags", tags_json()},
          {"runs", runs_json(database)},
          {"features", features_json(features_)},
          {"primary", primary_feature(features_)}};
}

}  // namespace

Json features_json(const std::vector<FeatureUse>& features) {
  Json json = Json::array();
  for (const FeatureUse& use : features) {
    const FeatureFacts facts = feature_facts(use.name, use.source);
    const std::string direction = direction_text(facts.direction);
    const bool both = !facts.range.empty() && !direction.empty();
    json.push_back({{"name", json_text(use.name)},
                    {"source", json_text(use.source)},
                    {"scope", use.per_clip ? "clip" : "frame"},
                    {"direction", direction_name(facts.direction)},
                    {"unit", facts.unit},
                    {"range", std::string(facts.range) + (both ? ", " : "") + direction},
                    {"low", json_number(facts.low)},
                    {"high", json_number(facts.high)},
                    {"help", facts.help},
                    {"clips", use.clips}});
  }
  return json;
}

// A model's score says most; else the first feature that tells quality.
Json primary_feature(const std::vector<FeatureUse>& features) {
  Json best;
  for (std::size_t number = 0; number < features.size(); ++number) {
    const FeatureUse& use = features[number];
    if (use.clips == 0 || use.per_clip) continue;
    if (use.of_model || feature_facts(use.name, use.source).of_model) return number;
    if (best.is_null() && feature_direction(use.name) != Direction::kNeither) best = number;
  }
  return best;
}

Json summary_json(ReportDatabase& database, const SummaryNotes& notes) {
  ClipReader reader(database);
  Summary summary(database, reader);
  for (const RowKey& row : database.rows()) summary.add(row);
  return summary.json(database, notes);
}

}  // namespace vmafbatch::report
