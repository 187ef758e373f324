// One side of a comparison: its scorings in key order and what hangs on each. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

struct sqlite3_stmt;

namespace vmafbatch::store {

// A name as SQLite orders it: TEXT before BLOB, each by bytes.
struct NameKey {
  bool is_blob = false;
  std::string bytes;
  auto operator<=>(const NameKey&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for one
};

// The newest finished scoring of a (clip, label).
struct DiffScoring {
  std::int64_t id = 0;
  NameKey clip;
  NameKey label;
  std::string status;
  std::string frame_counts;                                // "100 frames, 3 identical"
  std::vector<std::pair<std::string, std::string>> setup;  // what may explain a difference: (name, value)
};

// The values of one column in frame order, one at a time.
class ValueCursor {
 public:
  explicit ValueCursor(SQLite::Database& database);

  void start(std::int64_t column);  // stands before the first value
  bool next();                      // false: no more
  std::int64_t frame() const { return frame_; }
  double value() const { return value_; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  SQLite::Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::int64_t frame_ = 0;
  double value_ = 0;
};

class DiffSide {
 public:
  explicit DiffSide(std::unique_ptr<SQLite::Database> database);

  // The next scoring by clip, then label; nothing at the end.
  std::optional<DiffScoring> next_scoring();

  using Texts = std::map<std::string, std::string>;
  std::map<NameKey, std::int64_t> columns(std::int64_t scoring);  // feature -> scoring_feature.id
  std::optional<double> aggregate(std::int64_t column);
  std::string pooled_bits(std::int64_t column);  // equal texts: equal bits in every pooled value; "" no row
  Texts backends(std::int64_t scoring);          // extractor (with its options) -> what ran, frame ranges left out
  Texts failures(std::int64_t scoring);          // extractor, "" the clip -> frames and reasons
  ValueCursor& values() { return values_; }

 private:
  std::unique_ptr<SQLite::Database> database_;
  SQLite::Statement scorings_;
  SQLite::Statement columns_;
  SQLite::Statement aggregate_;
  SQLite::Statement pooled_;
  SQLite::Statement backends_;
  SQLite::Statement failures_;
  ValueCursor values_;
};

}  // namespace vmafbatch::store
