// The document `ladders` (docs/report-data.md): renditions of one reference, and BD-rates between values of a tag.
#pragma once

#include "report/json.h"
#include "report/report_database.h"

namespace vmafbatch::report {

// Throws as ClipReader: call it inside ReportDatabase::read().
Json ladders_json(ReportDatabase& database);

}  // namespace vmafbatch::report
