#include "store/diff_side.h"

#include <fmt/format.h>

#include "store/database.h"
#include "store/options_text.h"
#include "store/records.h"

namespace vmafbatch::store {
namespace {

// Those of store/newest_scoring.h; but where two ended last, which no run writes, both are here, and the clip that stands twice is damage.
constexpr const char* kScoringsSql = R"(
  SELECT s.id, c.name, s.label, s.status, coalesce(s.frames, 0), coalesce(s.identical_frames, 0),
         s.reference_size, s.reference_mtime_ns, s.reference_hash, s.distorted_size, s.distorted_mtime_ns, s.distorted_hash,
         s.options, s.pictures, s.program_version, s.c_library, s.processor, s.decoder
  FROM clip c JOIN scoring s ON s.clip = c.id
  WHERE s.finished = (SELECT max(n.finished) FROM scoring n WHERE n.clip = c.id AND n.label = s.label)
  ORDER BY c.name, s.label)";

constexpr const char* kColumnsSql =
    "SELECT f.name, sf.id, sf.source FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ?";

constexpr const char* kPooledSql =
    "SELECT frames, mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, p99, infinite, finite_mean "
    "FROM pooled_score WHERE scoring_feature = ?";

constexpr const char* kBackendsSql =
    "SELECT e.name, e.options, b.implementation, b.backend, b.device FROM scoring_extractor e "
    "JOIN feature_backend b ON b.scoring = e.scoring AND b.extractor = e.extractor WHERE e.scoring = ? "
    "GROUP BY e.extractor, b.implementation, b.backend, b.device ORDER BY e.extractor, min(b.first_frame)";

constexpr const char* kFailuresSql =
    "SELECT coalesce(e.name, ''), x.frame, x.reason FROM failure x "
    "LEFT JOIN scoring_extractor e ON e.scoring = x.scoring AND e.extractor = x.extractor WHERE x.scoring = ? "
    "ORDER BY 1, 2, 3";

// Columns, backends, failures or models of one scoring: ours has tens. More would only fill the memory.
constexpr int kMostRows = 100'000;

void append(std::string& list, const std::string& item) { list += list.empty() ? item : ", " + item; }

ScoredFile scored_file(const SQLite::Statement& statement, int first) {
  return {column_bytes(statement, first), statement.getColumn(first + 1).getInt64(), column_bytes(statement, first + 2)};
}

NameKey name_key(const SQLite::Statement& statement, int index) {
  const SQLite::Column column = statement.getColumn(index);
  if (!column.isText() && !column.isBlob()) throw_damage("a name in it is no text");
  return NameKey{column.isBlob(), column.getString()};
}

std::optional<double> number(const SQLite::Statement& statement, int index) {
  const SQLite::Column column = statement.getColumn(index);
  if (column.isNull()) return std::nullopt;
  if (!column.isFloat() && !column.isInteger()) throw_damage("a score is no number");
  return column.getDouble();
}

}  // namespace

Result<std::unique_ptr<DiffSide>> DiffSide::open(UntrustedDatabase& source) {
  try {
    return std::make_unique<DiffSide>(source);
  } catch (const SQLite::Exception& exception) {
    return untrusted_error(source.path(), exception);
  }
}

DiffSide::DiffSide(UntrustedDatabase& source)
    : source_(source),
      scorings_(database(), kScoringsSql),
      columns_(database(), kColumnsSql),
      aggregate_(database(), "SELECT value FROM aggregate_score WHERE scoring_feature = ?"),
      pooled_(database(), kPooledSql),
      backends_(database(), kBackendsSql),
      failures_(database(), kFailuresSql),
      models_(database(), "SELECT name, hash FROM scoring_model WHERE scoring = ?"),
      values_(database()) {}

std::optional<DiffScoring> DiffSide::next_scoring() {
  return source_.guard([this]() -> std::optional<DiffScoring> {
    if (scorings_.isDone() || !scorings_.executeStep()) return std::nullopt;
    const auto text = [this](int index) { return column_bytes(scorings_, index); };
    DiffScoring scoring;
    scoring.id = scorings_.getColumn(0).getInt64();
    scoring.clip = name_key(scorings_, 1);
    scoring.label = name_key(scorings_, 2);
    auto key = std::pair(scoring.clip, scoring.label);
    if (last_ && key <= *last_) throw_damage("its clips are out of order");
    last_ = std::move(key);
    scoring.status = text(3);
    scoring.frame_counts =
        fmt::format("{} frames, {} identical", column_frames(scorings_, 4).value_or(0), column_frames(scorings_, 5).value_or(0));
    scoring.imported = is_imported(text(12));
    scoring.reference = scored_file(scorings_, 6);
    scoring.distorted = scored_file(scorings_, 9);
    scoring.setup = {{"options", canonical_options(text(12))},
                     {"treatment of the pictures", text(13)},
                     {"program version", text(14)},
                     {"C library", text(15)},
                     {"processor", text(16)},
                     {"decoder", text(17)}};
    return scoring;
  });
}

template <class Take>
void DiffSide::for_each_row(SQLite::Statement& statement, std::int64_t id, Take take) {
  source_.guard([&] {
    statement.reset();
    statement.bind(1, id);
    for (int rows = 0; statement.executeStep(); ++rows) {
      if (rows == kMostRows) throw_damage("a scoring has more rows than one can have");
      source_.row_read();
      take();
    }
  });
}

std::map<NameKey, DiffColumn> DiffSide::columns(std::int64_t scoring) {
  std::map<NameKey, DiffColumn> columns;
  for_each_row(columns_, scoring, [&] {
    const DiffColumn column{columns_.getColumn(1).getInt64(), column_bytes(columns_, 2)};
    if (!columns.emplace(name_key(columns_, 0), column).second) throw_damage("a scoring has a feature twice");
  });
  return columns;
}

std::optional<double> DiffSide::aggregate(std::int64_t column) {
  std::optional<double> value;
  for_each_row(aggregate_, column, [&] {
    value = number(aggregate_, 0);
    if (!value) throw_damage("a clip's value is no number");
  });
  return value;
}

DiffSide::Pooled DiffSide::pooled(std::int64_t column) {
  Pooled values;
  for_each_row(pooled_, column, [&] {
    for (int index = 0; index < pooled_.getColumnCount(); ++index) values.push_back(number(pooled_, index));
  });
  return values;
}

std::map<std::string, DiffBackend> DiffSide::backends(std::int64_t scoring) {
  std::map<std::string, DiffBackend> backends;
  for_each_row(backends_, scoring, [&] {
    const std::string name = column_bytes(backends_, 0);
    const std::string options = column_bytes(backends_, 1);
    const std::string device = column_bytes(backends_, 4);
    const std::string ran = column_bytes(backends_, 2) + " on " + column_bytes(backends_, 3);
    DiffBackend& backend = backends[name + (options.empty() ? "" : "=" + options)];
    backend.extractor = name;
    append(backend.ran, ran);
    append(backend.shown, ran + (device.empty() ? "" : " (" + device + ")"));
  });
  return backends;
}

DiffSide::Texts DiffSide::failures(std::int64_t scoring) {
  Texts texts;
  for_each_row(failures_, scoring, [&] {
    const SQLite::Column frame = failures_.getColumn(1);
    append(texts[column_bytes(failures_, 0)],
           (frame.isNull() ? std::string() : "frame " + frame.getString() + ": ") + column_bytes(failures_, 2));
  });
  return texts;
}

DiffSide::Texts DiffSide::models(std::int64_t scoring) {
  Texts texts;
  for_each_row(models_, scoring, [&] { texts[column_bytes(models_, 0)] = column_bytes(models_, 1); });
  return texts;
}

void DiffSide::start_values(std::int64_t column) {
  source_.guard([&] { values_.start(column); });
}

bool DiffSide::next_value() {
  return source_.guard([this] { return values_.next(); });
}

}  // namespace vmafbatch::store
