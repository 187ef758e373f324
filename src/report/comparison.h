// The documents `comparison` and `comparison-clip` (docs/report-data.md): what store/diff finds, sorted, with means and curves.
//
//   const auto comparison = compare(old_database, new_database);
//   each_changed_clip(old_database, new_database, *comparison, comparison->clips, points, take);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report_database.h"

namespace vmafbatch::report {

// A clip of `changes` that both sides have.
struct ChangedClip {
  std::size_t number = 0;  // its place in `changes`
  std::int64_t old_id = 0;
  std::int64_t new_id = 0;
  std::vector<std::size_t> features;  // with other frame values, by number; none where it differs in something else
};

struct DatabaseComparison {
  std::string document;               // `comparison`
  std::vector<std::string> features;  // bytes, by number
  std::vector<ChangedClip> clips;     // each has a document `comparison-clip`

  std::size_t curves() const;  // of all these documents
};

// One state of each database. Both show the same part. Memory is bounded: what changed most is kept. Error: a database cannot be read.
Result<DatabaseComparison> compare(ReportDatabase& old_database, ReportDatabase& new_database);

// Takes a document `comparison-clip`; an error ends it and is returned.
using TakeChangedClip = std::function<Status(const ChangedClip& clip, std::string document)>;

// points: of each curve. REQUIRES: `clips` are some of `comparison`, which was made of these databases; they may have grown since.
Status each_changed_clip(ReportDatabase& old_database, ReportDatabase& new_database, const DatabaseComparison& comparison,
                         std::span<const ChangedClip> clips, std::size_t points, const TakeChangedClip& take);

}  // namespace vmafbatch::report
