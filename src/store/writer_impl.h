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
#include "store/database_lock.h"
#include "store/scoring_identity.h"
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

// A measurement that waits; a pair where `extractor` is kPair.
struct PendingMeasurement {
  static constexpr int kPair = -1;

  int extractor = 0;
  std::int64_t frame = 0;
  std::vector<std::uint64_t> words;
  std::optional<std::pair<std::int64_t, std::int64_t>> times_ns;  // of a pair
};

struct OpenScoring {
  std::string clip;
  std::string label;
  std::vector<OpenColumn> columns;
  int extractors = 0;
  // A short clip ends before a checkpoint comes: what is only kept while it is unfinished then never goes to the table.
  std::vector<PendingMeasurement> pending;
  bool has_stored_measurements = false;
};

// "no label", "the label "x""
std::string label_text(const std::string& label);

class Writer::Impl {
 public:
  Impl(std::string path, OpenOptions options, std::unique_ptr<DatabaseLock> lock, std::unique_ptr<SQLite::Database> database);

  // writer_open.cpp
  Status prepare();  // schema, journal, what was left behind
  void close();
  void release();  // gives database and lock back, whatever their state; a new file in which nothing was stored goes
  Error error_of(const SQLite::Exception& exception);
  const std::string& path() const { return path_; }

  // writer.cpp: transactions, runs
  template <class Body>
  auto guard(Body body) -> decltype(body());
  void begin_run(const RunRecord& run);
  void end_run();
  void flush_all();
  void commit();

  // writer_commit.cpp: the one way to the disk, and those who keep it shut
  void commit_transaction();

  // writer_resume.cpp: scorings that go on
  Result<std::optional<StoredPrefix>> find_unfinished(const ScoringRecord& record);
  void read_beginning(StoredPrefix& prefix);
  Status check_other_unfinished(const ScoringRecord& record);
  Result<ResumedScoring> resume_scoring(const StoredPrefix& prefix, const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                        std::span<const ExtractorSpec> extractors);

  // writer_scoring.cpp: scorings that begin
  bool has_clip(const std::string& name) { return known_clip(name).has_value(); }
  Result<std::optional<EndedScoring>> find_ended(const ScoringRecord& record);
  Status keep(const EndedScoring& ended, const Tags& tags);
  Result<BeginOutcome> begin_scoring(const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                     std::span<const ExtractorSpec> extractors, const BeginOptions& options);
  ScoringId add_failed_clip(const ScoringRecord& record, const std::string& reason);

  // writer_rows.cpp: rows of a scoring, and its end
  Status add_value(ScoringId scoring, int column, std::int64_t frame, double value);
  Status add_aggregate(ScoringId scoring, int column, double value);
  Status add_measurement(ScoringId scoring, int extractor, std::int64_t frame, std::span<const std::uint64_t> words);
  Status add_pair(ScoringId scoring, std::int64_t frame, PairRecord pair);
  Status add_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason);
  Status add_warning(ScoringId scoring, const std::string& text);
  Status add_backend(ScoringId scoring, int extractor, const BackendRecord& backend);
  Result<std::vector<std::vector<std::uint64_t>>> measurements(ScoringId scoring, int extractor);
  Result<std::vector<std::vector<std::uint64_t>>> pairs(ScoringId scoring);
  Result<std::vector<FrameValue>> column_values(ScoringId scoring, int column);
  Status finish_scoring(ScoringId scoring, const ScoringEnd& end);

  std::vector<std::string> notes;
  std::optional<Error> failed;  // the disk's first error: from then on the only answer
  bool closed = false;
  bool closing = false;  // what is stored now is stored for good

 private:
  SQLite::Statement& statement(const char* sql);  // prepared once, reset and without values
  void ensure_transaction();
  void set_journal();
  bool enter_wal();
  void wait_for_readers_from_now_on();
  bool try_commit();
  bool must_wait() const;
  void note_unfinished();

  std::int64_t id_of(const char* find_sql, const char* insert_sql, std::string_view name);
  std::optional<std::int64_t> known_clip(const std::string& name);
  std::int64_t clip_id(const std::string& name);  // also of a new one
  void erase_lesser_partials(ScoringId scoring);
  bool has_tags(std::int64_t clip, const Tags& tags);
  void replace_tags(std::int64_t clip, const Tags& tags);
  std::int64_t insert_scoring(std::int64_t clip, const ScoringRecord& record);
  void insert_columns(ScoringId scoring, OpenScoring& open, std::span<const ColumnSpec> columns);
  void insert_extractors(ScoringId scoring, std::span<const ExtractorSpec> extractors);
  std::optional<BeginOutcome> find_same(std::int64_t clip, const ScoringRecord& record);
  ScoringIdentity stored_identity(ScoringId scoring);
  Status check_other_options(std::int64_t clip, const ScoringRecord& record);
  void discard_unfinished(std::int64_t clip, const std::string& label);
  void erase_scoring(ScoringId scoring);

  Result<OpenScoring*> find_open(ScoringId scoring);
  Result<OpenScoring*> find_extractor(ScoringId scoring, int extractor);
  Result<OpenColumn*> find_column(ScoringId scoring, int column);
  std::vector<FrameValue> values_of(OpenColumn& column);
  Result<std::vector<std::vector<std::uint64_t>>> stored_words(ScoringId scoring, int extractor);
  void flush(OpenColumn& column);
  void flush_measurements(ScoringId scoring, OpenScoring& open);
  void drop_measurements(ScoringId scoring, OpenScoring& open);
  Status open_columns(ScoringId scoring, OpenScoring& open, std::span<const ColumnSpec> columns);
  void forget_from(const StoredPrefix& prefix);
  void insert_pooled(const OpenColumn& column, std::span<const FrameValue> values);
  void insert_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason);
  void end_scoring(ScoringId scoring, const ScoringEnd& end);

  const std::string path_;
  const OpenOptions options_;
  std::unique_ptr<DatabaseLock> lock_;
  std::unique_ptr<SQLite::Database> database_;
  std::unordered_map<std::string_view, SQLite::Statement> statements_;  // by their text, which are literals
  std::optional<IdentityReader> identities_;                            // made when it is first asked
  std::optional<SQLite::Transaction> transaction_;
  std::map<ScoringId, OpenScoring> open_;
  std::int64_t run_ = 0;
  bool is_kept_back_ = false;  // by a reader that was there before: not in WAL mode yet, and no commit can end
  bool has_stored_ = false;    // something of this run beside its own row
  std::int64_t finished_ = 0;  // the largest scoring.finished
  size_t pending_values_ = 0;  // and words
};

template <class Body>
auto Writer::Impl::guard(Body body) -> decltype(body()) {
  if (failed) return *failed;
  if (closed) return Error{path_ + ": the database is closed"};
  try {
    return body();
  } catch (const SQLite::Exception& exception) {
    failed = error_of(exception);
    transaction_.reset();  // rolls back to the last commit
    open_.clear();
    return *failed;
  }
}

}  // namespace vmafbatch::store
