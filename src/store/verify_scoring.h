// What one scoring says of itself, checked. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/raw_statement.h"

namespace vmafbatch::store {

struct VerifiedScoring {
  std::int64_t id = 0;
  std::string clip;
  std::string label;
  std::string status;
  bool has_ended = false;
  std::int64_t frames = 0;
  std::int64_t subsample = 1;
  bool imported = false;
};

class ScoringVerifier {
 public:
  // `tell` takes each problem's sentence.
  ScoringVerifier(SQLite::Database& database, std::function<void(const std::string&)> tell);

  void verify(const VerifiedScoring& scoring);
  std::int64_t values() const { return all_values_; }  // of all scorings so far

 private:
  struct Column {
    std::int64_t id;
    std::string name;
    std::string scope;
    std::vector<size_t> producers;  // in extractors_; several where only their common name is stored
  };
  // What computed it: an instance of an extractor, or a model.
  struct Extractor {
    std::int64_t number = 0;
    std::string name;
    std::string options;
    bool is_model = false;
    bool has_own_columns = false;           // whose source has its options, too
    bool has_backend = false;               // some frames are known to be computed
    std::optional<std::int64_t> failed_at;  // the first frame at which it failed
    bool failed_at_end = false;             // or without a frame: from the start, or, where it has a backend, at the clip's end
    std::int64_t values = 0;                // that its columns have
  };

  void read_parts();
  void read_failures();
  std::vector<size_t> producers_of(const std::string& source) const;
  void check_status();
  void check_emptiness();
  // The first frame whose missing value a failure explains; nothing where none does.
  std::optional<std::int64_t> explained_from(const Column& column) const;
  std::optional<std::int64_t> explained_from(const Extractor& extractor, const std::string& scope) const;
  void check_frames(const Column& column);
  void check_pooled(const Column& column);
  void check_aggregate(const Column& column);
  void check_backends(const Extractor& extractor);

  const std::function<void(const std::string&)> tell_;
  RawStatement columns_sql_, extractors_sql_, failures_sql_, values_sql_, pooled_sql_, aggregate_sql_, backends_sql_;

  // Of the scoring that is being checked:
  VerifiedScoring scoring_;
  std::vector<Column> columns_;
  std::vector<Extractor> extractors_;
  std::optional<std::int64_t> clip_failed_at_;
  bool has_failure_ = false;
  std::vector<double> values_;  // of one column
  std::int64_t all_values_ = 0;
};

}  // namespace vmafbatch::store
