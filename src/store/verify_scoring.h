// What one scoring says of itself, checked. Functions throw SQLite::Exception.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <map>
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
    std::string source;
  };
  struct Extractor {
    std::int64_t number;
    std::string name;
    bool is_model;
  };

  void read_parts();
  void check_status();
  // The first frame whose missing value a failure explains; nothing where none does.
  std::optional<std::int64_t> explained_from(const Column& column) const;
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
  std::map<std::string, std::int64_t> failed_from_;  // extractor's name -> the first frame that it may lack; "" the clip
  std::map<std::string, std::int64_t> values_of_;    // extractor's name -> values that its columns have
  std::vector<double> values_;                       // of one column
  std::int64_t all_values_ = 0;
};

}  // namespace vmafbatch::store
