// One row of the catalogue as the database has it, read in one go: what the documents clips, clip, summary and ladders are made of.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/column_scan.h"
#include "report/feature_direction.h"
#include "report/report_database.h"
#include "store/value_cursor.h"

namespace vmafbatch::report {

struct ScoredFileData {
  std::string path;  // bytes
  std::optional<std::int64_t> size;
  std::optional<std::string> hash;
};

// A row of `scoring`; texts are bytes. What a damaged database holds in a number's place is "not known".
struct ScoringData {
  std::int64_t id = 0;
  std::optional<std::int64_t> running;  // RowKey
  std::string name, label, status;
  ScoredFileData reference, distorted;
  std::string options, pixel_format, treatment;
  std::optional<std::int64_t> width, height;
  std::optional<double> fps;
  std::string program_version, c_library, processor, decoder;
  std::int64_t run = 0;
  std::int64_t subsample = 1;
  std::optional<std::int64_t> frames, identical_frames, decoded_reference, decoded_distorted;
  std::optional<double> seconds, decode_seconds;
  std::string started_at;
  std::optional<std::string> ended_at;

  bool is_running() const { return status == "running"; }
  std::optional<double> duration_s() const;  // frames / fps
};

// A row of `pooled_score`, or of a running clip what is known so far.
struct PooledData {
  std::int64_t frames = 0;
  std::optional<double> mean, min, max, harmonic_mean, stddev, p1, p5, p10, p50, p90, p95, p99;
  std::optional<std::int64_t> infinite;
  std::optional<double> finite_mean;
};

// A column of a scoring.
struct ColumnData {
  std::int64_t id = 0;      // scoring_feature.id
  std::size_t feature = 0;  // its number
  std::string name, source;
  bool per_clip = false;  // one value for the whole clip
  Direction direction = Direction::kHigherIsBetter;
  std::optional<double> value;       // per_clip: its value
  std::optional<PooledData> pooled;  // else, where it has values
  std::optional<ColumnScan> scan;    // else, where it was asked for and there are values

  // What stands for the column: the value of a clip, or the mean.
  std::optional<double> score() const { return per_clip ? value : pooled ? pooled->mean : std::nullopt; }
};

struct FailureData {
  std::optional<std::string> extractor;
  std::optional<std::int64_t> frame;
  std::string text;
};

struct BackendData {
  std::string extractor, implementation, backend, device, reason;
  std::int64_t first_frame = 0;
  std::int64_t last_frame = 0;
};

struct ModelData {
  std::string name, path, hash;
};

// Reads rows of one database. Its functions throw; call them inside ReportDatabase::read().
class ClipReader {
 public:
  explicit ClipReader(ReportDatabase& database);

  ScoringData scoring(const RowKey& row);
  std::map<std::string, std::string> tags(const ScoringData& scoring);
  // In the order of features; only shown ones. Without their values.
  std::vector<ColumnData> list_columns(std::int64_t scoring);
  // With their values. scan: also walk over the frames.
  std::vector<ColumnData> columns(const ScoringData& scoring, const std::optional<ScanWish>& scan);
  std::vector<FailureData> failures(std::int64_t scoring);  // the first kMostSentences
  std::vector<std::string> warnings(std::int64_t scoring);  // as many
  std::int64_t failure_count(std::int64_t scoring);
  std::int64_t warning_count(std::int64_t scoring);
  std::vector<BackendData> backends(std::int64_t scoring);
  std::vector<ModelData> models(std::int64_t scoring);

  // The frames between first and last that have values; empty where none has.
  FrameRange value_range(std::int64_t column, std::int64_t first = 0, std::int64_t last = kLastFrame);
  // Stands before the first value of a column between two frames; valid until the next call of start() or values().
  store::ValueCursor& start(std::int64_t column, FrameRange range);
  // The values of a column between two frames, in order of frames.
  template <class Take>
  void values(std::int64_t column, FrameRange range, Take&& take);

  static constexpr int kMostSentences = 1000;

 private:
  template <class Take>
  void for_each_row(SQLite::Statement& statement, std::int64_t id, int most, Take take);
  std::int64_t count(SQLite::Statement& statement, std::int64_t id);
  void read_column(ColumnData& column, bool running, const std::optional<ScanWish>& scan);
  std::optional<PooledData> pooled(std::int64_t column);
  std::optional<std::pair<double, double>> finite_range(const ColumnData& column);
  ColumnScan scan(const ColumnData& column, FrameRange range, const ScanWish& wish);

  ReportDatabase& database_;
  std::map<std::int64_t, std::size_t> numbers_;  // of features, by their ids
  SQLite::Statement scoring_, tags_, columns_, aggregate_, pooled_, failures_, warnings_, failure_count_, warning_count_, backends_,
      models_;
  SQLite::Statement first_frame_, last_frame_, finite_range_;
  store::ValueCursor values_;
};

template <class Take>
void ClipReader::values(std::int64_t column, FrameRange range, Take&& take) {
  for (start(column, range); values_.next();) {
    database_.row_read();
    take(FrameValue{values_.frame(), values_.value()});
  }
}

}  // namespace vmafbatch::report
