// The database that a merge fills, under another name until it is complete. Functions throw SQLite::Exception unless they return a Status.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unfinished_files.h"
#include "store/lock_file.h"
#include "store/merge_input.h"

namespace vmafbatch::store {

// A scoring of the output.
struct KeptScoring {
  std::int64_t id = 0;
  std::string status;
  size_t input = 0;  // where it came from
};

class MergeOutput {
 public:
  // Error: `path` is there already, is being written, or cannot be written; or its unfinished name is there, and no merge left it behind.
  static Result<std::unique_ptr<MergeOutput>> create(const std::string& path);
  MergeOutput(std::string path, std::unique_ptr<LockFile> lock);
  // Removes what publish() did not give its name, as a signal does that ends the program.
  ~MergeOutput();
  MergeOutput(const MergeOutput&) = delete;
  MergeOutput& operator=(const MergeOutput&) = delete;

  // Runs (once each, also where several inputs have them), clips, tags.
  void take_runs(MergeInput& input);
  void take_clips(MergeInput& input);

  // About the scoring that `input` stands on:
  std::optional<KeptScoring> find_same(MergeInput& input);
  // One of another input with values under the same clip and label, but with other options or models.
  std::optional<KeptScoring> find_contradiction(MergeInput& input, size_t index);
  std::optional<KeptScoring> find_unfinished(MergeInput& input);
  // Copies it with all that hangs on it; as the newest if `finished`.
  void copy(MergeInput& input, size_t index, bool finished);

  void make_newest(std::int64_t scoring);
  void erase(std::int64_t scoring);
  std::int64_t count(const char* sql);

  // Durable, then under its own name. Nothing may be called afterwards.
  Status publish();

  // One sentence for a failed write, after which the output is not there.
  Error write_error(const SQLite::Exception& exception);

  SQLite::Database& database() { return *database_; }

 private:
  Status make_file();
  Status prepare();
  Status classify_tables();
  RowCopy& copy_of(MergeInput& input, const std::string& table, const std::string& key, std::vector<std::string> given);
  std::int64_t id_of(const char* table, std::string_view name);
  std::int64_t find_equal_run(MergeInput& input, std::int64_t run, std::int64_t last);
  void copy_columns(MergeInput& input, std::int64_t from, std::int64_t to);
  std::int64_t bind_clip_and_label(RawStatement& statement, const MergeInput& input);

  const std::string path_;
  const std::string unfinished_path_;
  std::unique_ptr<LockFile> lock_;
  const UnfinishedFile lock_on_signal_;
  std::optional<UnfinishedFile> file_on_signal_;  // set: the file is there
  std::unique_ptr<SQLite::Database> database_;
  std::vector<std::string> scoring_tables_;  // rows hang on a scoring
  std::vector<std::string> value_tables_;    // rows hang on a column of one
  std::int64_t finished_ = 0;
  bool is_published_ = false;
};

}  // namespace vmafbatch::store
