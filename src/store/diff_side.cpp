#include "store/diff_side.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>

#include "store/database.h"

namespace vmafbatch::store {
namespace {

constexpr const char* kScoringsSql = R"(
  SELECT s.id, c.name, s.label, s.status, coalesce(s.frames, 0), coalesce(s.identical_frames, 0),
         s.options, s.program_version, s.c_library, s.processor, s.decoder, s.pictures,
         s.reference_size, coalesce(s.reference_hash, s.reference_mtime_ns),
         s.distorted_size, coalesce(s.distorted_hash, s.distorted_mtime_ns),
         (SELECT group_concat(name || ' ' || hash, ', ') FROM (SELECT name, hash FROM scoring_model WHERE scoring = s.id ORDER BY name))
  FROM clip c JOIN scoring s ON s.clip = c.id
  WHERE s.finished = (SELECT max(n.finished) FROM scoring n WHERE n.clip = c.id AND n.label = s.label)
  ORDER BY c.name, s.label)";

constexpr const char* kColumnsSql =
    "SELECT f.name, sf.id FROM scoring_feature sf JOIN feature f ON f.id = sf.feature WHERE sf.scoring = ? ORDER BY f.name";

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

NameKey name_key(const SQLite::Statement& statement, int index) {
  return NameKey{statement.getColumn(index).isBlob(), column_bytes(statement, index)};
}

void append(std::string& list, const std::string& item) { list += list.empty() ? item : ", " + item; }

}  // namespace

ValueCursor::ValueCursor(SQLite::Database& database) : database_(database) {
  sqlite3_stmt* prepared = nullptr;
  database.check(sqlite3_prepare_v2(database.getHandle(), "SELECT frame, value FROM frame_score WHERE scoring_feature = ? ORDER BY frame",
                                    -1, &prepared, nullptr));
  statement_.reset(prepared);
}

void ValueCursor::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void ValueCursor::start(std::int64_t column) {
  sqlite3_reset(statement_.get());
  sqlite3_bind_int64(statement_.get(), 1, column);
}

bool ValueCursor::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE) database_.check(code);
    return false;
  }
  frame_ = sqlite3_column_int64(statement_.get(), 0);
  value_ = sqlite3_column_double(statement_.get(), 1);
  return true;
}

DiffSide::DiffSide(std::unique_ptr<SQLite::Database> database)
    : database_(std::move(database)),
      scorings_(*database_, kScoringsSql),
      columns_(*database_, kColumnsSql),
      aggregate_(*database_, "SELECT value FROM aggregate_score WHERE scoring_feature = ?"),
      pooled_(*database_, kPooledSql),
      backends_(*database_, kBackendsSql),
      failures_(*database_, kFailuresSql),
      values_(*database_) {}

std::optional<DiffScoring> DiffSide::next_scoring() {
  if (scorings_.isDone() || !scorings_.executeStep()) return std::nullopt;
  const auto text = [this](int index) { return column_bytes(scorings_, index); };
  DiffScoring scoring;
  scoring.id = scorings_.getColumn(0).getInt64();
  scoring.clip = name_key(scorings_, 1);
  scoring.label = name_key(scorings_, 2);
  scoring.status = text(3);
  scoring.frame_counts = fmt::format("{} frames, {} identical", text(4), text(5));
  scoring.setup = {{"reference file", text(12) + " " + text(13)},
                   {"distorted file", text(14) + " " + text(15)},
                   {"options", text(6)},
                   {"models", text(16)},
                   {"treatment of the pictures", text(11)},
                   {"program version", text(7)},
                   {"C library", text(8)},
                   {"processor", text(9)},
                   {"decoder", text(10)}};
  return scoring;
}

std::map<NameKey, std::int64_t> DiffSide::columns(std::int64_t scoring) {
  columns_.reset();
  columns_.bind(1, scoring);
  std::map<NameKey, std::int64_t> columns;
  while (columns_.executeStep()) columns.emplace(name_key(columns_, 0), columns_.getColumn(1).getInt64());
  return columns;
}

std::optional<double> DiffSide::aggregate(std::int64_t column) {
  aggregate_.reset();
  aggregate_.bind(1, column);
  if (!aggregate_.executeStep()) return std::nullopt;
  return aggregate_.getColumn(0).getDouble();
}

std::string DiffSide::pooled_bits(std::int64_t column) {
  pooled_.reset();
  pooled_.bind(1, column);
  std::string bits;
  if (!pooled_.executeStep()) return bits;
  for (int index = 0; index < pooled_.getColumnCount(); ++index) {
    const SQLite::Column value = pooled_.getColumn(index);
    bits += value.isNull() ? "null " : fmt::format("{:016x} ", std::bit_cast<std::uint64_t>(value.getDouble()));
  }
  return bits;
}

DiffSide::Texts DiffSide::backends(std::int64_t scoring) {
  backends_.reset();
  backends_.bind(1, scoring);
  Texts texts;
  while (backends_.executeStep()) {
    const std::string options = column_bytes(backends_, 1);
    const std::string device = column_bytes(backends_, 4);
    const std::string extractor = column_bytes(backends_, 0) + (options.empty() ? "" : "=" + options);
    append(texts[extractor],
           column_bytes(backends_, 2) + " on " + column_bytes(backends_, 3) + (device.empty() ? "" : " (" + device + ")"));
  }
  return texts;
}

DiffSide::Texts DiffSide::failures(std::int64_t scoring) {
  failures_.reset();
  failures_.bind(1, scoring);
  Texts texts;
  while (failures_.executeStep()) {
    const SQLite::Column frame = failures_.getColumn(1);
    append(texts[column_bytes(failures_, 0)],
           (frame.isNull() ? std::string() : "frame " + frame.getString() + ": ") + column_bytes(failures_, 2));
  }
  return texts;
}

}  // namespace vmafbatch::store
