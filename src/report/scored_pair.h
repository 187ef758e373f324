// What a database says of one scoring's two files and of how they were opened: enough to decode the same pictures again.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "io/file_identity.h"
#include "io/pair_options.h"

namespace vmafbatch::report {

struct ScoredFile {
  std::string path;  // as it was opened; a relative one counts from the folder in which it was scored
  io::FileIdentity identity;
  std::optional<std::int64_t> decoded;  // pictures; nothing while the scoring runs
};

struct ScoredPair {
  std::int64_t scoring = 0;
  std::string clip;
  std::string label;
  ScoredFile reference, distorted;
  io::PairOptions options;             // with the skips that an alignment found
  std::string treatment;               // what was done to the pictures; empty: nothing
  std::optional<double> fps;           // of the reference
  std::optional<std::int64_t> frames;  // picture pairs; nothing while the scoring runs
  std::int64_t subsample = 1;          // every n-th was reported
};

// The scoring of that id; one that is running, too. Error, one sentence: there is none, it failed, it was imported from a log (there are no
// files then), or its options cannot be read. Throws SQLite::Exception.
Result<ScoredPair> scored_pair(SQLite::Database& database, std::int64_t scoring);

// The clip's newest finished scoring, whatever its label or under this one. Errors: as above, and no such clip or label. Throws
// SQLite::Exception.
Result<ScoredPair> scored_pair(SQLite::Database& database, const std::string& clip, const std::optional<std::string>& label);

// What a file is that is open now, against what was scored. Error: one sentence.
Status check_identity(const ScoredFile& file, const io::FileIdentity& now);

// Whether both files are those that were scored: there, plain files, of the same size and modification time. Error: one sentence.
Status check_files(const ScoredPair& pair);

}  // namespace vmafbatch::report
