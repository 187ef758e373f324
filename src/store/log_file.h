// Reads the logs of libvmaf and of ffmpeg's libvmaf filter: JSON, XML and CSV, versions 2 and later. The text is not trusted: any bytes
// give a log or one sentence, in time and memory that are a multiple of their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmafbatch::store {

// A larger log is refused: 512 MiB hold some ten million values.
inline constexpr std::size_t kMaxLogBytes = std::size_t{512} << 20;
inline constexpr std::size_t kMaxLogColumns = 4096;
// Keys have at most 255 bytes (libvmaf cuts them there).
inline constexpr std::size_t kMaxLogNameBytes = 255;
inline constexpr std::int64_t kMaxLogFrame = 1'000'000'000'000;

struct LogColumn {
  std::string name;                                     // as the log has it
  std::vector<std::pair<std::int64_t, double>> values;  // (frame, value), ascending, no NaN
  std::int64_t nulls = 0;                               // values that the log has as null, stored as inf
  std::int64_t nans = 0;                                // values that the log has as nan, left out
};

struct LogAggregate {
  std::string name;                           // as the log has it
  std::optional<double> value{std::nullopt};  // nothing where the log has nan
  bool was_null = false;                      // in the log, and is inf
};

struct ScoreLog {
  std::string format;   // "json", "xml", "csv"
  std::string version;  // of what wrote it; "" where the log does not say
  int width = 0;        // 0: the log does not say
  int height = 0;
  std::vector<LogColumn> columns;  // in order of first appearance
  std::vector<LogAggregate> aggregates;
  std::int64_t frames = 0;     // the last frame's number + 1
  std::int64_t subsample = 1;  // every n-th frame is in the log
};

// Which layout it is follows from the first byte. A null is read as inf (libvmaf writes both infinities and NaN so; in practice it is the
// inf of identical pictures), a nan is left out; each column counts them. Whatever stands twice (a member, an attribute, a column, a frame)
// and a number that no double can hold are errors. Pooled values of the log are not read.
// The error is one sentence with the line, without the file's name.
Result<ScoreLog> parse_log(std::string_view text);

struct LogFile {
  ScoreLog log;
  std::string hash;  // of its bytes (base/content_hash.h)
};

// The same from a file. The error names it.
Result<LogFile> read_log(const std::string& path);

}  // namespace vmafbatch::store
