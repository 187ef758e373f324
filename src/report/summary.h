// The document `summary` (docs/report-data.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/json.h"
#include "report/report_database.h"

namespace vmafbatch::report {

struct SummaryNotes {
  bool live = false;                           // somebody writes the database now
  std::string state{};                         // a server's: another text where anything has changed
  std::optional<std::string> compared_with{};  // bytes: the name of the old side; there is a document `comparison`
};

// Throws as ClipReader: call it inside ReportDatabase::read().
Json summary_json(ReportDatabase& database, const SummaryNotes& notes);

// Its list "features": what is known of each shown feature; clips: how many rows have it.
struct FeatureUse {
  std::string name, source;  // bytes
  bool per_clip = false;
  std::int64_t clips = 0;
  bool of_model = false;  // a scoring names the model that gives it
};
Json features_json(const std::vector<FeatureUse>& features);

// The number of the feature to show first, null where there is none: the first model score, else the first that tells quality.
Json primary_feature(const std::vector<FeatureUse>& features);

}  // namespace vmafbatch::report
