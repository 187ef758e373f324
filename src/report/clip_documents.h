// The documents of single clips: a row of `clips`, and `clip` (docs/report-data.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/clip_data.h"
#include "report/json.h"

namespace vmafbatch::report {

// Worst frames that `clip` lists per feature.
inline constexpr std::size_t kWorstFrames = 20;

struct ClipData {
  ScoringData scoring;
  std::map<std::string, std::string> tags;
  std::vector<ColumnData> columns;
  std::int64_t warning_count = 0;
  std::int64_t failure_count = 0;
  std::vector<FailureData> failures;
  std::vector<std::string> warnings;
};

// What both documents need. curve_points: of each feature; 0 where only the row is wanted. Throws as ClipReader.
ClipData read_clip(ClipReader& reader, const RowKey& row, std::size_t curve_points);
// In two steps: what is said of the clip, and its values, which take longer.
ClipData read_clip_facts(ClipReader& reader, const RowKey& row);
void read_clip_values(ClipReader& reader, ClipData& clip, std::size_t curve_points);

// {"codec": "av1"}
Json tags_json(const std::map<std::string, std::string>& tags);

// The list `scores` of a row. REQUIRES: the values were read; features: how many the database has.
std::string scores_list(const ClipData& clip, std::size_t features);
// A row with this list.
std::string clip_row(const ClipData& clip, const std::string& scores);

// REQUIRES: clip was read with curve_points > 0. Reads the rest.
Json clip_document(ClipReader& reader, const ClipData& clip);

}  // namespace vmafbatch::report
