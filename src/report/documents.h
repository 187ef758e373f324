// The JSON documents of one database as text (docs/report-data.md), each from one read transaction. Errors are one sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "report/report_database.h"
#include "report/summary.h"

namespace vmafbatch::report {

// Rows of `clips` that a server need not make again: a scoring that has ended never changes. Holds at most kMostRows, then begins anew.
// Threads: as the ReportDatabase that it is used with.
class RowCache {
 public:
  const std::string* find(std::int64_t scoring, std::size_t features) const;
  void add(std::int64_t scoring, std::size_t features, std::string row);

  static constexpr std::size_t kMostRows = 20'000;

 private:
  std::map<std::int64_t, std::string> rows_;
  std::size_t features_ = 0;  // a row names every feature of the database
};

// Points of a curve in `clip`, and in `frames`, as the server gives them.
inline constexpr std::size_t kServedPoints = 1000;
inline constexpr std::size_t kServedRangePoints = 4000;
inline constexpr std::size_t kMostServedRows = 500;

Result<std::string> summary_document(ReportDatabase& database, const SummaryNotes& notes);

// Rows first .. first + count - 1, at most kMostServedRows. cache: may be null.
Result<std::string> clips_document(ReportDatabase& database, std::size_t first, std::size_t count, RowCache* cache);

// Error: also where there is no such scoring.
Result<std::string> clip_document(ReportDatabase& database, std::int64_t scoring);

// Error: also where the scoring has no such feature, or first > last or negative.
Result<std::string> frames_document(ReportDatabase& database, std::int64_t scoring, std::size_t feature, std::int64_t first,
                                    std::int64_t last);

Result<std::string> ladders_document(ReportDatabase& database);

}  // namespace vmafbatch::report
