// The JSON documents of one database as text (docs/report-data.md), each from one read transaction. Errors are one sentence.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "report/clip_data.h"
#include "report/report_database.h"
#include "report/summary.h"

namespace vmafbatch::report {

// The lists `scores` of rows of `clips`, which a server need not make again: the values of a scoring that has ended never change. What a
// row says beside them may: a later run gives a clip other tags. Holds at most kMostRows and kMostBytes, then begins anew.
// Threads: as the ReportDatabase that it is used with.
class ScoresCache {
 public:
  const std::string* find(const ScoringData& scoring, std::size_t features) const;
  void add(const ScoringData& scoring, std::size_t features, std::string scores);

  static constexpr std::size_t kMostRows = 20'000;
  static constexpr std::size_t kMostBytes = 64'000'000;
  std::size_t bytes() const { return bytes_; }

 private:
  struct List {
    std::string scores;
    std::string of;  // when it was scored: a clip that fails again takes the number of the failure before
  };
  std::map<std::int64_t, List> lists_;
  std::size_t bytes_ = 0;     // of all lists
  std::size_t features_ = 0;  // a list names every feature of the database
};

// Points of a curve in `clip`, and in `frames`, as the server gives them.
inline constexpr std::size_t kServedPoints = 1000;
inline constexpr std::size_t kServedRangePoints = 4000;
inline constexpr std::size_t kMostServedRows = 500;

Result<std::string> summary_document(ReportDatabase& database, const SummaryNotes& notes);

// Rows first .. first + count - 1, at most kMostServedRows, and no more once `time` has passed, but one at least: whoever wants the rest
// goes on behind them. cache: may be null.
Result<std::string> clips_document(ReportDatabase& database, std::size_t first, std::size_t count, ScoresCache* cache,
                                   std::optional<std::chrono::milliseconds> time = std::nullopt);

// Error: also where there is no such scoring.
Result<std::string> clip_document(ReportDatabase& database, std::int64_t scoring);

// Error: also where the scoring has no such feature, or first > last or negative.
Result<std::string> frames_document(ReportDatabase& database, std::int64_t scoring, std::size_t feature, std::int64_t first,
                                    std::int64_t last);

Result<std::string> ladders_document(ReportDatabase& database);

}  // namespace vmafbatch::report
