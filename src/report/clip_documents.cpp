#include "report/clip_documents.h"

#include <algorithm>
#include <utility>

#include "report/bitrate.h"
#include "report/warning_kind.h"

namespace vmafbatch::report {
namespace {

Json optional_text(const std::optional<std::string>& text) { return text ? json_text(*text) : Json(); }

// A running clip has no number of frames yet.
std::optional<std::int64_t> frames_so_far(const std::vector<ColumnData>& columns) {
  std::optional<std::int64_t> frames;
  for (const ColumnData& column : columns) {
    if (column.scan) frames = std::max(frames.value_or(0), column.scan->range().last + 1);
  }
  return frames;
}

Json score_json(const ColumnData& column) {
  Json json = {{"mean", json_number(column.score())}};
  const PooledData none;
  const PooledData& pooled = column.pooled ? *column.pooled : none;
  json["harmonic_mean"] = json_number(pooled.harmonic_mean);
  json["p1"] = json_number(pooled.p1);
  json["p5"] = json_number(pooled.p5);
  json["min"] = json_number(pooled.min);
  json["max"] = json_number(pooled.max);
  const bool has_worst = column.scan && !column.scan->worst().frames().empty();
  json["worst_frame"] = has_worst ? Json(column.scan->worst().frames().front().frame) : Json();
  json["spark"] = column.scan ? column.scan->spark() : Json();
  return json;
}

Json pooled_json(const PooledData& pooled) {
  return {{"frames", pooled.frames},
          {"mean", json_number(pooled.mean)},
          {"min", json_number(pooled.min)},
          {"max", json_number(pooled.max)},
          {"harmonic_mean", json_number(pooled.harmonic_mean)},
          {"stddev", json_number(pooled.stddev)},
          {"p1", json_number(pooled.p1)},
          {"p5", json_number(pooled.p5)},
          {"p10", json_number(pooled.p10)},
          {"p50", json_number(pooled.p50)},
          {"p90", json_number(pooled.p90)},
          {"p95", json_number(pooled.p95)},
          {"p99", json_number(pooled.p99)},
          {"infinite", json_integer(pooled.infinite)},
          {"finite_mean", json_number(pooled.finite_mean)}};
}

Json worst_json(const WorstList& worst) {
  Json json = Json::array();
  for (const FrameValue& frame : worst.frames()) json.push_back({{"frame", frame.frame}, {"value", json_number(frame.value)}});
  return json;
}

Json feature_json(const ColumnData& column) {
  const auto& scan = column.scan;
  return {{"feature", column.feature},
          {"name", json_text(column.name)},
          {"source", json_text(column.source)},
          {"scope", column.per_clip ? "clip" : "frame"},
          {"value", column.per_clip ? json_number(column.value) : Json()},
          {"pooled", column.pooled ? pooled_json(*column.pooled) : Json()},
          {"curve", scan && scan->curve() ? scan->curve()->json() : Json()},
          {"histogram", scan && scan->histogram() ? scan->histogram()->json() : Json()},
          {"worst", scan ? worst_json(scan->worst()) : Json()}};
}

Json file_json(const ScoredFileData& file) {
  return {{"path", json_text(file.path)}, {"size", json_integer(file.size)}, {"hash", optional_text(file.hash)}};
}

template <class Items, class Make>
Json list_json(const Items& items, Make make) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(make(item));
  return json;
}

Json model_json(const ModelData& model) {
  return {{"name", json_text(model.name)}, {"path", json_text(model.path)}, {"hash", json_text(model.hash)}};
}

Json backend_json(const BackendData& backend) {
  return {{"extractor", json_text(backend.extractor)}, {"implementation", json_text(backend.implementation)},
          {"backend", json_text(backend.backend)},     {"device", json_text(backend.device)},
          {"reason", json_text(backend.reason)},       {"first_frame", backend.first_frame},
          {"last_frame", backend.last_frame}};
}

Json failure_json(const FailureData& failure) {
  return {{"extractor", optional_text(failure.extractor)}, {"frame", json_integer(failure.frame)}, {"text", json_text(failure.text)}};
}

Json warning_json(const std::string& text) { return {{"kind", warning_kind_name(warning_kind(text))}, {"text", json_text(text)}}; }

// What a row and a clip's own document both say of the scoring.
Json common_json(const ClipData& clip) {
  const ScoringData& scoring = clip.scoring;
  return {{"id", scoring.id},
          {"name", json_text(scoring.name)},
          {"label", json_text(scoring.label)},
          {"status", json_text(scoring.status)},
          {"running", json_integer(scoring.running)},
          {"tags", tags_json(clip.tags)},
          {"frames", json_integer(scoring.frames)},
          {"fps", json_number(scoring.fps)},
          {"duration_s", json_number(scoring.duration_s())},
          {"width", json_integer(scoring.width)},
          {"height", json_integer(scoring.height)},
          {"pixel_format", scoring.pixel_format.empty() ? Json() : json_text(scoring.pixel_format)},
          {"bitrate", json_number(bitrate_of(scoring, clip.tags, clip.warnings).bits_per_second)},
          {"seconds", json_number(scoring.seconds)}};
}

void add_setup(Json& json, const ScoringData& scoring) {
  json["identical_frames"] = json_integer(scoring.identical_frames);
  json["subsample"] = scoring.subsample;
  json["treatment"] = json_text(scoring.treatment);
  json["reference"] = file_json(scoring.reference);
  json["distorted"] = file_json(scoring.distorted);
  json["options"] = json_text(scoring.options);
  json["program_version"] = json_text(scoring.program_version);
  json["c_library"] = json_text(scoring.c_library);
  json["processor"] = json_text(scoring.processor);
  json["decoder"] = json_text(scoring.decoder);
  json["run"] = scoring.run;
  json["started_at"] = json_text(scoring.started_at);
  json["ended_at"] = optional_text(scoring.ended_at);
  json["decode_seconds"] = json_number(scoring.decode_seconds);
  json["decoded_reference"] = json_integer(scoring.decoded_reference);
  json["decoded_distorted"] = json_integer(scoring.decoded_distorted);
}

}  // namespace

Json tags_json(const std::map<std::string, std::string>& tags) {
  Json json = Json::object();
  for (const auto& [name, value] : tags) json[json_text(name).get<std::string>()] = json_text(value);
  return json;
}

ClipData read_clip(ClipReader& reader, const RowKey& row, std::size_t curve_points) {
  ClipData clip = read_clip_facts(reader, row);
  read_clip_values(reader, clip, curve_points);
  return clip;
}

void read_clip_values(ClipReader& reader, ClipData& clip, std::size_t curve_points) {
  const ScanWish wish{.curve_points = curve_points, .worst = curve_points > 0 ? kWorstFrames : 1};
  clip.columns = reader.columns(clip.scoring, wish);
  if (clip.scoring.is_running()) clip.scoring.frames = frames_so_far(clip.columns);
}

ClipData read_clip_facts(ClipReader& reader, const RowKey& row) {
  ClipData clip;
  clip.scoring = reader.scoring(row);
  clip.tags = reader.tags(clip.scoring);
  clip.warning_count = reader.warning_count(clip.scoring.id);
  clip.failure_count = reader.failure_count(clip.scoring.id);
  if (clip.warning_count > 0) clip.warnings = reader.warnings(clip.scoring.id);
  if (clip.failure_count > 0) clip.failures = reader.failures(clip.scoring.id);
  return clip;
}

std::string scores_list(const ClipData& clip, std::size_t features) {
  Json scores = Json::array();
  for (std::size_t number = 0; number < features; ++number) scores.push_back(nullptr);
  for (const ColumnData& column : clip.columns) scores[column.feature] = score_json(column);
  return json_document(scores);
}

std::string clip_row(const ClipData& clip, const std::string& scores) {
  Json json = common_json(clip);
  json["warnings"] = clip.warning_count;
  json["failures"] = clip.failure_count;
  json["first_failure"] = clip.failures.empty() ? Json() : json_text(clip.failures.front().text);
  json["reference"] = json_text(clip.scoring.reference.path);
  json["distorted"] = json_text(clip.scoring.distorted.path);
  json["distorted_size"] = json_integer(clip.scoring.distorted.size);
  std::string row = json_document(json);
  row.pop_back();  // the brace
  return row + ",\"scores\":" + scores + "}";
}

Json clip_document(ClipReader& reader, const ClipData& clip) {
  Json json = common_json(clip);
  add_setup(json, clip.scoring);
  json["models"] = list_json(reader.models(clip.scoring.id), model_json);
  json["backends"] = list_json(reader.backends(clip.scoring.id), backend_json);
  json["failures"] = list_json(clip.failures, failure_json);
  json["warnings"] = list_json(clip.warnings, warning_json);
  json["features"] = list_json(clip.columns, feature_json);
  return json;
}

}  // namespace vmafbatch::report
