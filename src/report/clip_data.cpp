#include "report/clip_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "store/database.h"
#include "store/options_text.h"

namespace vmafbatch::report {
namespace {

using store::column_bytes;

constexpr const char* kScoringSql = R"(
  SELECT c.name, s.label, s.status, s.reference_path, s.reference_size, s.reference_hash, s.distorted_path, s.distorted_size,
         s.distorted_hash, s.options, s.width, s.height, s.pixel_format, s.fps, s.pictures, s.program_version, s.c_library, s.processor,
         s.decoder, s.run, s.subsample, s.frames, s.identical_frames, s.decoded_reference, s.decoded_distorted, s.seconds,
         s.decode_seconds, s.started_at, s.ended_at
  FROM scoring s JOIN clip c ON c.id = s.clip WHERE s.id = ?)";

constexpr const char* kColumnsSql =
    "SELECT sf.id, sf.feature, f.name, sf.source, sf.scope FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = "
    "?";

constexpr const char* kPooledSql =
    "SELECT frames, mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, p99, infinite, finite_mean "
    "FROM pooled_score WHERE scoring_feature = ?";

constexpr const char* kFailuresSql =
    "SELECT e.name, x.frame, x.reason FROM failure x "
    "LEFT JOIN scoring_extractor e ON e.scoring = x.scoring AND e.extractor = x.extractor WHERE x.scoring = ? ORDER BY x.id LIMIT ";

constexpr const char* kBackendsSql =
    "SELECT e.name, b.implementation, b.backend, b.device, b.reason, b.first_frame, b.last_frame FROM feature_backend b "
    "JOIN scoring_extractor e ON e.scoring = b.scoring AND e.extractor = b.extractor WHERE b.scoring = ? "
    "ORDER BY b.extractor, b.first_frame";

// Columns, backends, models and tags of one scoring: ours has tens. More would only fill the memory.
constexpr int kMostRows = 10'000;

// Reads the columns of a row one after the other.
class Fields {
 public:
  explicit Fields(const SQLite::Statement& statement) : statement_(statement) {}

  std::string text() { return column_bytes(statement_, at_++); }
  std::optional<std::string> optional_text() {
    if (statement_.isColumnNull(at_)) return ++at_, std::nullopt;
    return text();
  }
  // Counts and sizes, which are never negative, that a page can hold.
  std::optional<std::int64_t> count() {
    const SQLite::Column column = statement_.getColumn(at_++);
    if (!column.isInteger() || column.getInt64() < 0 || column.getInt64() > kLastFrame) return std::nullopt;
    return column.getInt64();
  }
  std::optional<double> number() {
    const SQLite::Column column = statement_.getColumn(at_++);
    if (!column.isFloat() && !column.isInteger()) return std::nullopt;
    return column.getDouble();
  }

 private:
  const SQLite::Statement& statement_;
  int at_ = 0;
};

std::optional<double> positive(std::optional<double> number) {
  return number && std::isfinite(*number) && *number > 0 ? number : std::nullopt;
}

std::optional<double> finite(std::optional<double> number) { return number && std::isfinite(*number) ? number : std::nullopt; }

ScoredFileData scored_file(Fields& fields) {
  ScoredFileData file;
  file.path = fields.text();
  file.size = fields.count();
  if (file.size == 0) file.size.reset();  // as for a clip that could not be opened, or an imported log
  file.hash = fields.optional_text();
  return file;
}

PooledData pooled_so_far(const RunningPool& pool) {
  PooledData pooled;
  pooled.frames = pool.frames;
  pooled.mean = pool.mean();
  pooled.min = pool.min;
  pooled.max = pool.max;
  pooled.harmonic_mean = pool.harmonic_mean();
  return pooled;
}

}  // namespace

std::optional<double> ScoringData::duration_s() const {
  if (!frames || !fps) return std::nullopt;
  return static_cast<double>(*frames) / *fps;
}

ClipReader::ClipReader(ReportDatabase& database)
    : database_(database),
      scoring_(database.database(), kScoringSql),
      tags_(database.database(), "SELECT t.name, t.value FROM tag t JOIN scoring s ON s.clip = t.clip WHERE s.id = ? ORDER BY t.name"),
      columns_(database.database(), kColumnsSql),
      aggregate_(database.database(), "SELECT value FROM aggregate_score WHERE scoring_feature = ?"),
      pooled_(database.database(), kPooledSql),
      failures_(database.database(), kFailuresSql + std::to_string(kMostSentences)),
      warnings_(database.database(), "SELECT text FROM warning WHERE scoring = ? ORDER BY id LIMIT " + std::to_string(kMostSentences)),
      failure_count_(database.database(), "SELECT count(*) FROM failure WHERE scoring = ?"),
      warning_count_(database.database(), "SELECT count(*) FROM warning WHERE scoring = ?"),
      backends_(database.database(), kBackendsSql),
      models_(database.database(), "SELECT name, path, hash FROM scoring_model WHERE scoring = ? ORDER BY name"),
      first_frame_(database.database(), "SELECT min(frame) FROM frame_score WHERE scoring_feature = ? AND frame BETWEEN ? AND ?"),
      last_frame_(database.database(), "SELECT max(frame) FROM frame_score WHERE scoring_feature = ? AND frame BETWEEN ? AND ?"),
      finite_range_(database.database(),
                    "SELECT min(value), max(value) FROM frame_score WHERE scoring_feature = ? AND value > -9e999 AND value < 9e999"),
      values_(database.database()) {
  const std::vector<ReportDatabase::Feature> features = database.features();
  for (std::size_t number = 0; number < features.size(); ++number) numbers_.emplace(features[number].id, number);
}

template <class Take>
void ClipReader::for_each_row(SQLite::Statement& statement, std::int64_t id, int most, Take take) {
  statement.reset();
  statement.bind(1, id);
  for (int rows = 0; statement.executeStep(); ++rows) {
    if (rows == most) store::throw_damage("a scoring has more rows than one can have");
    database_.row_read();
    take(Fields(statement));
  }
}

std::int64_t ClipReader::count(SQLite::Statement& statement, std::int64_t id) {
  std::int64_t rows = 0;
  for_each_row(statement, id, 1, [&](Fields fields) { rows = fields.count().value_or(0); });
  return rows;
}

ScoringData ClipReader::scoring(const RowKey& row) {
  ScoringData data;
  data.id = row.scoring;
  data.running = row.running;
  bool found = false;
  for_each_row(scoring_, row.scoring, 1, [&](Fields fields) {
    found = true;
    data.name = fields.text();
    data.label = fields.text();
    data.status = fields.text();
    data.reference = scored_file(fields);
    data.distorted = scored_file(fields);
    data.options = store::canonical_options(fields.text());
    data.width = fields.count();
    data.height = fields.count();
    data.pixel_format = fields.text();
    data.fps = positive(fields.number());
    data.treatment = fields.text();
    data.program_version = fields.text();
    data.c_library = fields.text();
    data.processor = fields.text();
    data.decoder = fields.text();
    data.run = fields.count().value_or(0);
    data.subsample = fields.count().value_or(1);
    data.frames = fields.count();
    data.identical_frames = fields.count();
    data.decoded_reference = fields.count();
    data.decoded_distorted = fields.count();
    data.seconds = finite(fields.number());
    data.decode_seconds = finite(fields.number());
    data.started_at = fields.text();
    data.ended_at = fields.optional_text();
  });
  if (!found) throw Refused(Refused::Why::kNotThere, fmt::format("there is no scoring {} in the database", row.scoring));
  if (data.width == 0) data.width.reset();
  if (data.height == 0) data.height.reset();
  return data;
}

std::map<std::string, std::string> ClipReader::tags(const ScoringData& scoring) {
  std::map<std::string, std::string> tags;
  for_each_row(tags_, scoring.id, kMostRows, [&](Fields fields) {
    const std::string name = fields.text();
    tags[name] = fields.text();
  });
  return tags;
}

std::vector<ColumnData> ClipReader::list_columns(std::int64_t scoring) {
  std::vector<ColumnData> columns;
  for_each_row(columns_, scoring, kMostRows, [&](const Fields&) {
    ColumnData column;
    column.id = columns_.getColumn(0).getInt64();
    const auto number = numbers_.find(columns_.getColumn(1).getInt64());
    if (number == numbers_.end()) return;
    column.feature = number->second;
    column.name = column_bytes(columns_, 2);
    column.source = column_bytes(columns_, 3);
    column.per_clip = column_bytes(columns_, 4) == "aggregate";
    column.direction = feature_direction(column.name);
    columns.push_back(std::move(column));
  });
  std::ranges::sort(columns, {}, &ColumnData::feature);
  return columns;
}

std::vector<ColumnData> ClipReader::columns(const ScoringData& scoring, const std::optional<ScanWish>& scan) {
  std::vector<ColumnData> columns = list_columns(scoring.id);
  for (ColumnData& column : columns) read_column(column, scoring.is_running(), scan);
  return columns;
}

void ClipReader::read_column(ColumnData& column, bool running, const std::optional<ScanWish>& wish) {
  if (column.per_clip) {
    for_each_row(aggregate_, column.id, 1, [&](Fields fields) { column.value = fields.number(); });
    return;
  }
  if (!running) column.pooled = pooled(column.id);
  if (!wish && !running) return;
  const FrameRange range = value_range(column.id);
  if (range.last < range.first) return;
  column.scan = scan(column, range, wish.value_or(ScanWish{.curve_points = 0, .worst = 0}));
  if (running) column.pooled = pooled_so_far(column.scan->pool());
}

std::optional<PooledData> ClipReader::pooled(std::int64_t column) {
  std::optional<PooledData> pooled;
  for_each_row(pooled_, column, 1, [&](Fields fields) {
    PooledData data;
    data.frames = fields.count().value_or(0);
    for (std::optional<double>* value : {&data.mean, &data.min, &data.max, &data.harmonic_mean, &data.stddev, &data.p1, &data.p5, &data.p10,
                                         &data.p50, &data.p90, &data.p95, &data.p99}) {
      *value = fields.number();
    }
    data.infinite = fields.count();
    data.finite_mean = fields.number();
    pooled = data;
  });
  return pooled;
}

// The pooled values know it where all values are finite.
std::optional<std::pair<double, double>> ClipReader::finite_range(const ColumnData& column) {
  if (column.pooled && column.pooled->infinite == 0 && finite(column.pooled->min) && finite(column.pooled->max) &&
      *column.pooled->min <= *column.pooled->max) {
    return std::pair(*column.pooled->min, *column.pooled->max);
  }
  std::optional<std::pair<double, double>> range;
  for_each_row(finite_range_, column.id, 1, [&](Fields fields) {
    const auto low = finite(fields.number());
    const auto high = finite(fields.number());
    if (low && high) range = std::pair(*low, *high);
  });
  return range;
}

ColumnScan ClipReader::scan(const ColumnData& column, FrameRange range, const ScanWish& wish) {
  ColumnScan scan(range, column.direction, wish, wish.curve_points > 0 ? finite_range(column) : std::nullopt);
  values(column.id, range, [&](const FrameValue& value) { scan.add(value); });
  return scan;
}

FrameRange ClipReader::value_range(std::int64_t column, std::int64_t first, std::int64_t last) {
  const auto bound = [&](SQLite::Statement& statement) {
    statement.reset();
    statement.bind(2, first);
    statement.bind(3, last);
    std::optional<std::int64_t> frame;
    for_each_row(statement, column, 1, [&](Fields fields) { frame = fields.count(); });
    return frame;
  };
  const auto least = bound(first_frame_);
  const auto greatest = bound(last_frame_);
  if (!least || !greatest) return {};
  return {*least, *greatest};
}

store::ValueCursor& ClipReader::start(std::int64_t column, FrameRange range) {
  values_.start(column, range.first, range.last);
  return values_;
}

std::vector<FailureData> ClipReader::failures(std::int64_t scoring) {
  std::vector<FailureData> failures;
  for_each_row(failures_, scoring, kMostSentences, [&](Fields fields) {
    FailureData failure;
    failure.extractor = fields.optional_text();
    failure.frame = fields.count();
    failure.text = fields.text();
    failures.push_back(std::move(failure));
  });
  return failures;
}

std::vector<std::string> ClipReader::warnings(std::int64_t scoring) {
  std::vector<std::string> warnings;
  for_each_row(warnings_, scoring, kMostSentences, [&](Fields fields) { warnings.push_back(fields.text()); });
  return warnings;
}

std::int64_t ClipReader::failure_count(std::int64_t scoring) { return count(failure_count_, scoring); }

std::int64_t ClipReader::warning_count(std::int64_t scoring) { return count(warning_count_, scoring); }

std::vector<BackendData> ClipReader::backends(std::int64_t scoring) {
  std::vector<BackendData> backends;
  for_each_row(backends_, scoring, kMostRows, [&](Fields fields) {
    BackendData backend;
    for (std::string* text : {&backend.extractor, &backend.implementation, &backend.backend, &backend.device, &backend.reason}) {
      *text = fields.text();
    }
    backend.first_frame = fields.count().value_or(0);
    backend.last_frame = fields.count().value_or(0);
    backends.push_back(std::move(backend));
  });
  return backends;
}

std::vector<ModelData> ClipReader::models(std::int64_t scoring) {
  std::vector<ModelData> models;
  for_each_row(models_, scoring, kMostRows, [&](Fields fields) {
    ModelData model;
    for (std::string* text : {&model.name, &model.path, &model.hash}) *text = fields.text();
    models.push_back(std::move(model));
  });
  return models;
}

}  // namespace vmafbatch::report
