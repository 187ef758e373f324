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
};

// A frame of which the report holds a picture, and the numbers of the features whose worst it is.
struct PictureNote {
  std::int64_t frame = 0;
  std::vector<std::size_t> features;
};

// What both documents need. curve_points: of each feature; 0 where only the row is wanted. Throws as ClipReader.
ClipData read_clip(ClipReader& reader, const RowKey& row, std::size_t curve_points);

// {"codec": "av1"}
Json tags_json(const std::map<std::string, std::string>& tags);

// features: how many the database has.
Json clip_row(const ClipData& clip, std::size_t features);

// REQUIRES: clip was read with curve_points > 0. Reads the rest.
Json clip_document(ClipReader& reader, const ClipData& clip, const std::vector<PictureNote>& pictures);

}  // namespace vmafbatch::report
