// The list of pairs to score: a CSV or JSON lines file, or two folders with a matching pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/raw_geometry.h"

namespace vmafbatch::io {

// One pair. What is absent here comes from the command line.
struct CatalogueRow {
  std::string name;       // unique in the catalogue
  std::string reference;  // path as the program can open it, any bytes
  std::string distorted;
  std::optional<RawGeometry> reference_raw;  // from width, height, pixel_format, bit_depth, fps and their reference_* forms
  std::optional<RawGeometry> distorted_raw;  // ... and their distorted_* forms
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
  std::optional<double> start_s;
  std::optional<double> duration_s;
  std::optional<std::int64_t> frames;
  std::optional<std::int64_t> subsample;
  std::optional<std::string> scale;
  std::optional<std::string> sync;
  std::vector<std::string> features;  // in the options' grammar
  std::vector<std::string> models;
  std::optional<std::string> label;
  std::vector<std::pair<std::string, std::string>> tags;  // "tag.codec" is {"codec", ...}; empty fields are left out
  std::int64_t line = 0;                                  // in the catalogue file, from 1; 0: no file
};

// CSV with a header line, or JSON lines (name ends in .jsonl or .ndjson, or the first byte is '{'). UTF-8 with or without byte order
// mark; LF or CRLF. Paths are relative to the catalogue's folder. The error names the file, the line and the column.
Result<std::vector<CatalogueRow>> read_catalogue(const std::string& path);

struct FolderMatch {
  std::vector<CatalogueRow> rows;      // sorted by name
  std::vector<std::string> unmatched;  // distorted files that no reference claims: one sentence each
  std::vector<std::string> unused;     // references that no distorted file names: one sentence each
};

// Pairs every regular file of `distorted_dir` with the file of `reference_dir` whose stem (name without extension), put in place of
// {stem} in `pattern` ('*' any text, '?' one byte), matches the distorted stem. Where several references match, the longest stem wins.
// Sub-folders are not entered, names that start with a dot are left out. An error where a folder cannot be read, the pattern has no {stem},
// two references have one stem, or nothing matches.
Result<FolderMatch> match_folders(const std::string& reference_dir, const std::string& distorted_dir, std::string_view pattern);

// "12.5", "90s", "1.5m", "01:02.5" or "01:02:03.250" as seconds, or nothing.
std::optional<double> parse_time(std::string_view text);

// Rows with equal keys may share one decode of their reference: same reference bytes, geometry, skip, cut, frames, subsample, sync and
// scale. The conversion and the other options of the command line are the same for all rows. (The size that is scored is the reference's.)
std::string group_key(const CatalogueRow& row);

}  // namespace vmafbatch::io
