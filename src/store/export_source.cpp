#include "store/export_source.h"

#include <algorithm>
#include <limits>

#include "store/database.h"

namespace vmafbatch::store {
namespace {

double number_or_nan(const SQLite::Column& column) {
  return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
}

}  // namespace

ExportSource::ExportSource(SQLite::Database& database, ExportScoring scoring) : database_(database), scoring_(std::move(scoring)) {
  read_columns();
  cursors_.reserve(columns_.size());
  for (const ExportColumn& column : columns_) {
    Cursor& cursor = cursors_.emplace_back(Cursor{ValueCursor(database_), false});
    cursor.values.start(column.id);
    cursor.more = cursor.values.next();
  }
}

void ExportSource::read_columns() {
  SQLite::Statement find(database_,
                         "SELECT sf.id, f.name, p.frames FROM scoring_feature sf JOIN feature f ON f.id = sf.feature "
                         "JOIN pooled_score p ON p.scoring_feature = sf.id WHERE sf.scoring = ? ORDER BY sf.position, sf.id");
  find.bind(1, scoring_.id);
  while (find.executeStep()) {
    columns_.push_back({find.getColumn(0).getInt64(), column_bytes(find, 1), find.getColumn(2).getInt64()});
  }
}

std::optional<ExportRow> ExportSource::next_row() {
  ExportRow row;
  row.frame = std::numeric_limits<std::int64_t>::max();
  for (const Cursor& cursor : cursors_) {
    if (cursor.more) row.frame = std::min(row.frame, cursor.values.frame());
  }
  for (size_t index = 0; index < cursors_.size(); ++index) {
    Cursor& cursor = cursors_[index];
    if (!cursor.more || cursor.values.frame() != row.frame) continue;
    row.values.emplace_back(index, cursor.values.value());
    cursor.more = cursor.values.next();
  }
  if (row.values.empty()) return std::nullopt;
  return row;
}

std::optional<ExportPooled> ExportSource::pooled(const ExportColumn& column) {
  if (column.values < scoring_.reported_frames) return std::nullopt;
  SQLite::Statement find(database_, "SELECT min, max, mean, harmonic_mean FROM pooled_score WHERE scoring_feature = ?");
  find.bind(1, column.id);
  if (!find.executeStep()) return std::nullopt;
  return ExportPooled{number_or_nan(find.getColumn(0)), number_or_nan(find.getColumn(1)), number_or_nan(find.getColumn(2)),
                      number_or_nan(find.getColumn(3))};
}

std::vector<std::pair<std::string, double>> ExportSource::aggregates() {
  SQLite::Statement find(database_,
                         "SELECT f.name, a.value FROM scoring_feature sf JOIN feature f ON f.id = sf.feature "
                         "JOIN aggregate_score a ON a.scoring_feature = sf.id WHERE sf.scoring = ? ORDER BY sf.position, sf.id");
  find.bind(1, scoring_.id);
  std::vector<std::pair<std::string, double>> aggregates;
  while (find.executeStep()) aggregates.emplace_back(column_bytes(find, 0), find.getColumn(1).getDouble());
  return aggregates;
}

std::vector<ExportBackend> ExportSource::backends() {
  // One item an instance; more where a scoring went on with another backend.
  SQLite::Statement find(database_,
                         "SELECT implementation, backend FROM feature_backend WHERE scoring = ? "
                         "GROUP BY extractor, implementation, backend ORDER BY extractor, min(first_frame)");
  find.bind(1, scoring_.id);
  std::vector<ExportBackend> backends;
  while (find.executeStep()) backends.push_back({column_bytes(find, 0), column_bytes(find, 1)});
  return backends;
}

}  // namespace vmafbatch::store
