// What the readers of the log layouts share: rows in, columns out, and what a log may not hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/log_file.h"

namespace vmafbatch::store {

// "line 12: " and the text.
Error log_error(std::size_t line, const std::string& text);

// At most 60 bytes of what a log holds, for a sentence.
std::string quoted(std::string_view bytes);

// The score `name` as printf writes it: decimal digits, inf, nan, with a sign. Error: another text, or a number that no double can hold
// (1e999 is not inf, and 1e-999 not 0).
Result<double> parse_score(std::string_view name, std::string_view text, std::size_t line);

class LogBuilder {
 public:
  explicit LogBuilder(std::string format) { log_.format = std::move(format); }

  ScoreLog& log() { return log_; }
  Status start_frame(std::string_view number, std::size_t line);
  // A value of the frame that was started. REQUIRES: a frame was started
  Status add(std::string_view name, double value, std::size_t line);
  Status add_null(std::string_view name, std::size_t line);
  Status add_aggregate(std::string_view name, double value, std::size_t line);
  Status add_null_aggregate(std::string_view name, std::size_t line);
  // A column without a value so far: keeps its place.
  Status declare(std::string_view name, std::size_t line);

  // Sorts and checks. Nothing may be called afterwards.
  Result<ScoreLog> finish();

 private:
  Result<LogColumn*> column(std::string_view name, std::size_t line);
  Status check_name(std::string_view name, std::size_t line) const;

  struct Row {
    std::int64_t frame;
    std::size_t line;
  };
  ScoreLog log_;
  std::vector<Row> rows_;
  std::unordered_map<std::string, std::size_t> places_;  // name -> index in columns
  std::size_t next_ = 0;                                 // the column that is likely to come
};

}  // namespace vmafbatch::store
