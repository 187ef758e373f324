// The one writer of a database. It creates or opens the file, keeps every other process from writing, takes a run's scorings row by
// row, and leaves a plain single file behind.
//
//   auto writer = Writer::open("scores.db");
//   writer->begin_run(run);
//   auto begun = writer->begin_scoring(record, columns, extractors);   // begun->kind says whether there is anything to do
//   writer->add_value(begun->id, column, frame, value); ...            // any number, several scorings at a time
//   writer->commit();                                                  // now and then: a checkpoint
//   writer->finish_scoring(begun->id, end);                            // pools, and commits
//   writer->end_run(); writer->close();
//
// What a call stored is safe on disk after the next commit(), or after the finish_scoring() of its own scoring: neither a kill nor a power
// cut takes it back (a power cut may where OpenOptions::sync_commits is off). A crash before that loses it and nothing else.
// One thing delays that: a program that was reading when the writer was opened, outside WAL mode, keeps every commit back until it is done.
// The writer does not wait for it: what it is given stays in one open transaction, and notes() say so.
// An error of the disk (full, I/O) rolls back to the last commit; from then on every call returns that error. An error of a call
// (wrong index, NaN, other options) changes nothing and the writer goes on.
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/records.h"

namespace vmafbatch::store {

struct OpenOptions {
  // Do without WAL, as on a network mount.
  bool avoid_wal = false;
  // A commit waits until the disk has it, so that a power cut cannot take it back. Without: close() does, for what is quickly made again.
  bool sync_commits = true;
  // Told, in one sentence, where a call has waited for another program for longer than `patience`.
  std::function<void(const std::string&)> tell = {};
  std::chrono::milliseconds patience{5'000};
  // A program that began to read before open() keeps commits back. So much waits in memory for its end; then calls wait, too.
  std::int64_t most_waiting_bytes = std::int64_t{256} << 20;
  // A test hook: at most so many pages, as if the disk were full then; 0 no limit.
  std::int64_t max_pages = 0;
};

struct BeginOptions {
  bool again = false;  // score again whatever is there
};

// What begin_scoring found.
struct BeginOutcome {
  enum class Kind {
    kNew,   // score it: `id` takes its rows
    kKept,  // the same scoring is in the database, ended with `status`; nothing to do
  };
  Kind kind = Kind::kNew;
  ScoringId id = 0;
  ScoringStatus status = ScoringStatus::kRunning;
};

// A scoring that ended in an earlier run.
struct EndedScoring {
  ScoringId id = 0;
  std::int64_t clip = 0;
  std::string label;
  ScoringStatus status = ScoringStatus::kDone;
};

class Writer {
 public:
  class Impl;                                   // writer_impl.h
  explicit Writer(std::unique_ptr<Impl> impl);  // for open()

  // Opens `path` or creates it. Errors, one sentence each: no database, newer schema, read-only place, disk full, held by another process.
  static Result<std::unique_ptr<Writer>> open(const std::string& path, const OpenOptions& options = {});
  // Closes; an error is lost here, so call close().
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // What the user should know of how the database was opened (network mount, rest of a crash), one sentence each.
  const std::vector<std::string>& notes() const;

  // An error of the database or its disk has ended the writing: every call returns it.
  bool has_failed() const;

  Status begin_run(const RunRecord& run);
  Status end_run();

  // Whether the database knows a clip of this name. Reads only.
  Result<bool> has_clip(const std::string& name);
  // The same scoring where it ended in an earlier run. Reads only: a run asks it of every clip before it opens one.
  // Error: as begin_scoring.
  Result<std::optional<EndedScoring>> find_ended(const ScoringRecord& record);
  // Leaves an ended scoring as this run would leave it: with its tags, and the newest of its clip, which the views show. Discards what an
  // interrupted run left of the clip under the label, unless `ended` failed.
  // REQUIRES: begin_run
  Status keep(const EndedScoring& ended, const Tags& tags);

  // What an interrupted run left of the same scoring; nothing where it cannot be gone on with: no frame of it is stored, or it was
  // decoded or computed with another libavcodec or C library. Reads only. Error: frames of it are stored, under other options or models.
  Result<std::optional<StoredPrefix>> find_unfinished(const ScoringRecord& record);
  // Goes on with it: frames from `prefix.frames` on are asked for, warnings and failures without a frame are forgotten. Columns and
  // extractors as begin_scoring was given them; an error where they are others.
  Result<ResumedScoring> resume_scoring(const StoredPrefix& prefix, const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                        std::span<const ExtractorSpec> extractors);

  // REQUIRES: begin_run. Column keys are unique. A scoring of the same clip and label that never ended is discarded.
  // Error: the clip has an ended scoring with values under this label, but with other options or models.
  Result<BeginOutcome> begin_scoring(const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                     std::span<const ExtractorSpec> extractors, const BeginOptions& options = {});
  // A clip that could not be opened: a scoring that failed, with this reason. Replaces an equal one of an earlier run. A scoring of the
  // clip that never ended is kept: its files may come back.
  Result<ScoringId> add_failed_clip(const ScoringRecord& record, const std::string& reason);

  // The calls below need a scoring that begin_scoring gave as kNew and that is not finished; `column` and `extractor` are indices into
  // its lists. Frames come in any order, each once for a column or extractor.
  Status add_value(ScoringId scoring, int column, std::int64_t frame, double value);  // column of scope frame or series
  Status add_aggregate(ScoringId scoring, int column, double value);                  // column of scope aggregate, once
  Status add_measurement(ScoringId scoring, int extractor, std::int64_t frame, std::span<const std::uint64_t> words);
  // The last call for a frame, in frame order: from then on it need not be measured again.
  Status add_pair(ScoringId scoring, std::int64_t frame, PairRecord pair);
  // extractor: nothing = the clip itself. frame: nothing = no particular one.
  Status add_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason);
  Status add_warning(ScoringId scoring, const std::string& text);
  Status add_backend(ScoringId scoring, int extractor, const BackendRecord& backend);

  // What was added so far, committed or not, in frame order.
  Result<std::vector<std::vector<std::uint64_t>>> measurements(ScoringId scoring, int extractor);
  // The words of its pairs; also of a scoring that find_unfinished() found.
  Result<std::vector<std::vector<std::uint64_t>>> pairs(ScoringId scoring);
  Result<std::vector<std::pair<std::int64_t, double>>> column_values(ScoringId scoring, int column);

  // Pools every column, deletes measurements and pairs, sets the status, commits: all or nothing.
  Status finish_scoring(ScoringId scoring, const ScoringEnd& end);

  // Makes everything so far durable, as above.
  Status commit();

  // Leaves a plain single file and gives the lock back. Waits for a program that keeps commits back. Scorings that are not finished stay
  // `running`. May be called twice.
  Status close();

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace vmafbatch::store
