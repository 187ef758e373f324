// `vmafbatch report`: the pages and the documents of one database, or of two compared, as one file that opens without a network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/report_database.h"
#include "report/worst_frames.h"

namespace vmafbatch::report {

struct ReportWish {
  std::string database{};                     // the new one where two are compared
  std::optional<std::string> old_database{};  // compare with this one
  ShownPart shown{};
  int worst = 0;                // so many pictures of the worst frames of each clip
  std::string worst_feature{};  // of this feature; empty: the first model score, else the first feature that tells quality
  PictureOptions pictures{};
  std::string output{};  // the file to write; one that is there is replaced when the new one is whole
};

struct ReportOutcome {
  std::int64_t clips = 0;  // rows, or clips whose curves are compared
  std::int64_t pictures = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> notes;  // one sentence each: what the report lacks
};

// Error: a database cannot be read, a pattern of `shown` leaves nothing over, the file cannot be written, or is there and is neither
// empty nor a report. Then nothing is left behind, and what
// was there before is as it was.
Result<ReportOutcome> write_report(const ReportWish& wish);

}  // namespace vmafbatch::report
