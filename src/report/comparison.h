// The documents `comparison` and `comparison-clip` (docs/report-data.md): what store/diff finds, sorted, with means and curves.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "report/json.h"
#include "report/report_database.h"

namespace vmafbatch::report {

struct ComparisonSides {
  std::string old_title, new_title;  // bytes
};

// Takes comparison-clip NUMBER; an error ends the comparison.
using TakeComparisonClip = std::function<Status(std::size_t number, const std::string& document)>;

// The document `comparison`; the others go to `take` as they are made. Both databases show the same part. Error: a database cannot be read.
Result<std::string> comparison_document(ReportDatabase& old_database, ReportDatabase& new_database, const ComparisonSides& sides,
                                        const TakeComparisonClip& take);

}  // namespace vmafbatch::report
