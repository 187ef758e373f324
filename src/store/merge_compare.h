// Two scorings that should be the same: what differs first. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>

namespace vmafbatch::store {

struct MergeSide {
  SQLite::Database& database;
  std::int64_t scoring;
  std::string name;  // the file, for the sentence
};

// "feature psnr_y at frame 3 is 31.5 in a.db and 31.25 in b.db", or nothing where the values are equal to the bit. whole: also what only
// one side has, the numbers of frames, pooled values and failures (not their reasons) make a difference; else only values that both have
// do. Times, speeds, warnings and what computed a value make none.
std::optional<std::string> first_difference(const MergeSide& kept, const MergeSide& other, bool whole);

}  // namespace vmafbatch::store
