// One side of a comparison: its scorings in key order and what hangs on each. The database is not trusted: every function throws an
// UntrustedError where it cannot be read or holds rows that cannot be.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/untrusted.h"
#include "store/value_cursor.h"

namespace vmafbatch::store {

// A name as SQLite orders it: TEXT before BLOB, each by bytes.
struct NameKey {
  bool is_blob = false;
  std::string bytes;
  auto operator<=>(const NameKey&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for one
};

struct ScoredFile {
  std::string size;
  std::int64_t mtime_ns = 0;
  std::string hash;  // "" not known
};

// The newest finished scoring of a (clip, label).
struct DiffScoring {
  std::int64_t id = 0;
  NameKey clip;
  NameKey label;
  std::string status;
  bool imported = false;     // of a log: nothing is known of its files, its pictures, or what computed it
  std::string frame_counts;  // "100 frames, 3 identical"
  ScoredFile reference;      // this and the rest: what may explain a difference
  ScoredFile distorted;
  std::vector<std::pair<std::string, std::string>> setup;  // (name, value), the same names in the same order for every scoring
};

// A column of a scoring.
struct DiffColumn {
  std::int64_t id = 0;
  std::string source;  // the extractor or model that gives it
};

// What ran for an extractor, in order of frames.
struct DiffBackend {
  std::string extractor;  // without its options
  std::string ran;        // "psnr on cpu, psnr_hip on hip"
  std::string shown;      // the same with devices: "psnr on cpu, psnr_hip on hip (gfx90a)"
};

class DiffSide {
 public:
  // REQUIRES: `source` outlives it
  static Result<std::unique_ptr<DiffSide>> open(UntrustedDatabase& source);
  explicit DiffSide(UntrustedDatabase& source);  // for open()

  // The next scoring by clip, then label; nothing at the end.
  std::optional<DiffScoring> next_scoring();

  using Texts = std::map<std::string, std::string>;
  std::map<NameKey, DiffColumn> columns(std::int64_t scoring);  // by feature
  std::optional<double> aggregate(std::int64_t column);
  using Pooled = std::vector<std::optional<double>>;
  Pooled pooled(std::int64_t column);                                 // every pooled value; empty: no row
  std::map<std::string, DiffBackend> backends(std::int64_t scoring);  // by extractor with its options; frame ranges left out
  Texts failures(std::int64_t scoring);                               // extractor, "" the clip -> frames and reasons
  Texts models(std::int64_t scoring);                                 // name -> hash

  // The values of one column in frame order: start_values() stands before the first; next_value() is false behind the last.
  void start_values(std::int64_t column);
  bool next_value();
  std::int64_t frame() const { return values_.frame(); }
  double value() const { return values_.value(); }

 private:
  SQLite::Database& database() { return source_.database(); }
  // Every row of `statement` for `id`; more than there can be are damage.
  template <class Take>
  void for_each_row(SQLite::Statement& statement, std::int64_t id, Take take);

  UntrustedDatabase& source_;
  SQLite::Statement scorings_;
  SQLite::Statement columns_;
  SQLite::Statement aggregate_;
  SQLite::Statement pooled_;
  SQLite::Statement backends_;
  SQLite::Statement failures_;
  SQLite::Statement models_;
  ValueCursor values_;
  std::optional<std::pair<NameKey, NameKey>> last_;  // clip and label of the scoring before
};

}  // namespace vmafbatch::store
