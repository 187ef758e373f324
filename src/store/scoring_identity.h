// What makes two scorings of one clip under one label the same: the one place where that is decided, for the writer, a resume and merge.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

#include "store/raw_statement.h"
#include "store/records.h"

namespace vmafbatch::store {

struct ScoringIdentity {
  std::string options;  // in the order in which they are written today (options_text.h)
  std::string models;   // name and hash of each, sorted
  std::string program_version;
  FileIdentity reference;  // without its content's hash, which does not count
  FileIdentity distorted;
};

ScoringIdentity identity_of(const ScoringRecord& record);

// Equal options and models: under one label, a clip has only such scorings.
bool has_same_setup(const ScoringIdentity& a, const ScoringIdentity& b);

// Also equal program version, size and time of both files, and no path of `stored` speaks against it (may_be_moved()).
bool is_same_scoring(const ScoringIdentity& stored, const ScoringIdentity& now);

// Reads what a database has. Throws SQLite::Exception. REQUIRES: the database outlives it.
class IdentityReader {
 public:
  explicit IdentityReader(SQLite::Database& database);
  // REQUIRES: there is such a scoring
  ScoringIdentity read(std::int64_t scoring);

 private:
  RawStatement scoring_;
  RawStatement models_;
};

}  // namespace vmafbatch::store
