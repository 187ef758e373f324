// One database that is merged: its scorings in the order in which they ended. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/raw_statement.h"
#include "store/row_copy.h"
#include "store/scoring_identity.h"
#include "store/untrusted.h"

namespace vmafbatch::store {

// The scoring that an input stands on.
struct MergeScoring {
  std::int64_t id = 0;
  std::int64_t run = 0;
  std::string clip;
  std::string label;
  std::string status;
  std::string ended_at;
};

class MergeInput {
 public:
  // Opens `path` for reading and takes one state of it for everything that follows. `label`: given to all scorings.
  // Error: what UntrustedDatabase says.
  static Result<std::unique_ptr<MergeInput>> open(const std::string& path, const std::optional<std::string>& label);
  MergeInput(std::unique_ptr<UntrustedDatabase> source, std::optional<std::string> label);  // for open()

  // Finished scorings, then, after start_unfinished(), the others. False: no more.
  bool next();
  void start_unfinished();
  const MergeScoring& scoring() const { return scoring_; }
  // Of the scoring that next() found.
  const ScoringIdentity& identity() const { return identity_; }

  const std::string& path() const { return source_->path(); }
  SQLite::Database& database() { return source_->database(); }
  // To be called now and then: SQLite may work only so long between two calls (UntrustedDatabase).
  void row_read() { source_->row_read(); }

  // What the output keeps of each input: by table, its way to copy from here; run here -> run in the output.
  std::map<std::string, std::unique_ptr<RowCopy>>& copies() { return copies_; }
  std::map<std::int64_t, std::int64_t>& runs() { return runs_; }
  const std::map<std::int64_t, std::int64_t>& runs() const { return runs_; }

 private:
  std::unique_ptr<UntrustedDatabase> source_;
  const std::optional<std::string> label_;
  std::optional<RawStatement> scorings_;
  IdentityReader identities_;
  MergeScoring scoring_;
  ScoringIdentity identity_;
  std::map<std::string, std::unique_ptr<RowCopy>> copies_;  // behind the database, so that they go before it
  std::map<std::int64_t, std::int64_t> runs_;
};

// Frame values of a scoring.
std::int64_t count_values(SQLite::Database& database, std::int64_t scoring);

}  // namespace vmafbatch::store
