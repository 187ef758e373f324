// What an export reads: one scoring, its columns, and its rows frame by frame. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/value_cursor.h"

namespace vmafbatch::store {

struct ExportColumn {
  std::int64_t id = 0;
  std::string name;
  std::int64_t values = 0;  // frames that have one
};

// min, max, mean, harmonic mean in libvmaf's order; NaN where the database has NULL.
struct ExportPooled {
  double min, max, mean, harmonic_mean;
};

struct ExportBackend {
  std::string implementation;
  std::string backend;
};

struct ExportScoring {
  std::int64_t id = 0;
  std::string version;
  int width = 0;
  int height = 0;
  double frames_per_second = 0;
  std::int64_t reported_frames = 0;  // frames that subsampling selects
};

// The values of one frame: (index into columns, value), in column order.
struct ExportRow {
  std::int64_t frame = 0;
  std::vector<std::pair<size_t, double>> values;
};

class ExportSource {
 public:
  ExportSource(SQLite::Database& database, ExportScoring scoring);

  const ExportScoring& scoring() const { return scoring_; }
  const std::vector<ExportColumn>& columns() const { return columns_; }  // with values per frame, in report order

  // The next frame that has a value in any column; nothing at the end.
  std::optional<ExportRow> next_row();
  // Nothing for a column that lacks a value at one of the reported frames, as in libvmaf.
  std::optional<ExportPooled> pooled(const ExportColumn& column);
  std::vector<std::pair<std::string, double>> aggregates();
  std::vector<ExportBackend> backends();

 private:
  struct Cursor {
    ValueCursor values;
    bool more;
  };
  void read_columns();

  SQLite::Database& database_;
  ExportScoring scoring_;
  std::vector<ExportColumn> columns_;
  std::vector<Cursor> cursors_;
};

}  // namespace vmafbatch::store
