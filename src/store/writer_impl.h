// The inside of Writer. Its functions throw SQLite::Exception; Writer turns that into an Error (Impl::guard).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/database.h"
#include "store/lock_file.h"
#include "store/writer.h"

namespace vmafbatch::store {

using FrameValue = std::pair<std::int64_t, double>;

// A column of a scoring that is being written. Values wait here so that they reach the table in runs of one column.
struct OpenColumn {
  std::int64_t id = 0;  // scoring_feature.id
  std::string key;
  ColumnScope scope = ColumnScope::kFrame;
  std::vector<FrameValue> pending;
  bool has_stored_values = false;
  bool has_aggregate = false;
};

struct OpenScoring {
  std::string clip;
  std::string label;
  std::vector<OpenColumn> columns;
  int extractors = 0;
};

class Writer::Impl {
 public:
  Impl(std::string path, std::unique_ptr<LockFile> lock, std::unique_ptr<SQLite::Database> database);

  // writer_open.cpp
  Status prepare(const OpenOptions& options);  // schema, journal, what was left behind
  void close();
  void release();  // gives database and lock back, whatever their state
  const std::string& path() const { return path_; }

  // writer.cpp: transactions, runs
  template <class Body>
  auto guard(Body body) -> decltype(body());
  void begin_run(const RunRecord& run);
  void end_run();
  void flush_all();
  void commit();
  void commit_transaction();

  // writer_scoring.cpp: scorings that begin
  Result<std::optional<ScoringStatus>> find_ended(const ScoringRecord& record);
  Result<BeginOutcome> begin_scoring(const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                     std::span<const ExtractorSpec> extractors, const BeginOptions& options);
  ScoringId add_failed_clip(const ScoringRecord& record, const std::string& reason);

  // writer_rows.cpp: rows of a scoring, and its end
  Status add_value(ScoringId scoring, int column, std::int64_t frame, double value);
  Status add_aggregate(ScoringId scoring, int column, double value);
  Status add_measurement(ScoringId scoring, int extractor, std::int64_t frame, std::span<const std::uint64_t> words);
  Status add_timestamps(ScoringId scoring, std::int64_t frame, std::int64_t reference_ns, std::int64_t distorted_ns);
  Status add_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason);
  Status add_warning(ScoringId scoring, const std::string& text);
  Status add_backend(ScoringId scoring, int extractor, const BackendRecord& backend);
  Result<std::vector<std::vector<std::uint64_t>>> measurements(ScoringId scoring, int extractor);
  Result<std::vector<FrameValue>> column_values(ScoringId scoring, int column);
  Status finish_scoring(ScoringId scoring, const ScoringEnd& end);

  std::vector<std::string> notes;
  std::optional<Error> failed;  // the disk's first error: from then on the only answer
  bool closed = false;

 private:
  SQLite::Statement& statement(const char* sql);  // prepared once, reset and without values
  void ensure_transaction();
  void set_journal(bool avoid_wal);
  void note_unfinished();

  std::int64_t id_of(const char* find_sql, const char* insert_sql, std::string_view name);
  void replace_tags(std::int64_t clip, const ScoringRecord& record);
  std::int64_t insert_scoring(std::int64_t clip, const ScoringRecord& record);
  void insert_columns(ScoringId scoring, OpenScoring& open, std::span<const ColumnSpec> columns);
  void insert_extractors(ScoringId scoring, std::span<const ExtractorSpec> extractors);
  std::optional<BeginOutcome> find_same(std::int64_t clip, const ScoringRecord& record);
  bool has_same_models(ScoringId scoring, const ScoringRecord& record);
  Status check_other_options(std::int64_t clip, const ScoringRecord& record);
  void discard_unfinished(std::int64_t clip, const std::string& label);
  void erase_scoring(ScoringId scoring);

  Result<OpenScoring*> find_open(ScoringId scoring);
  Result<OpenScoring*> find_extractor(ScoringId scoring, int extractor);
  Result<OpenColumn*> find_column(ScoringId scoring, int column);
  std::vector<FrameValue> values_of(OpenColumn& column);
  void flush(OpenColumn& column);
  void insert_pooled(const OpenColumn& column, std::span<const FrameValue> values);
  void insert_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason);
  void end_scoring(ScoringId scoring, const ScoringEnd& end);

  const std::string path_;
  std::unique_ptr<LockFile> lock_;
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<std::string_view, SQLite::Statement> statements_;  // by their text, which are literals
  std::optional<SQLite::Transaction> transaction_;
  std::map<ScoringId, OpenScoring> open_;
  std::int64_t run_ = 0;
  std::int64_t finished_ = 0;  // the largest scoring.finished
  size_t pending_values_ = 0;
};

template <class Body>
auto Writer::Impl::guard(Body body) -> decltype(body()) {
  if (failed) return *failed;
  if (closed) return Error{path_ + ": the database is closed"};
  try {
    return body();
  } catch (const SQLite::Exception& exception) {
    failed = database_error(path_, exception);
    transaction_.reset();  // rolls back to the last commit
    open_.clear();
    return *failed;
  }
}

}  // namespace vmafbatch::store
