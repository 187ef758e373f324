// "Frame,psnr_y,psnr_cb,": with and without the comma at the end.
//
// Split here and not by libcsv, which hands on fields without the line that they stand in: a log that was cut off shows in its last line
// alone (no line end, no comma at the end), every message names a line, and a quote without end must not swallow the rest of the log.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "store/log_builder.h"
#include "store/log_formats.h"

namespace vmafbatch::store {
namespace {

class CsvLog {
 public:
  explicit CsvLog(std::string_view text) : rest_(text) {}

  Result<ScoreLog> parse() {
    if (Status status = header(); !status.ok()) return status.error();
    while (next_line()) {
      if (content_.empty()) continue;
      if (Status status = row(); !status.ok()) return status.error();
    }
    return builder_.finish();
  }

 private:
  // The next line without its end; false behind the last.
  bool next_line() {
    if (rest_.empty()) return false;
    ++line_;
    const auto end = rest_.find('\n');
    ended_ = end != std::string_view::npos;
    content_ = rest_.substr(0, end);
    rest_.remove_prefix(ended_ ? end + 1 : rest_.size());
    if (content_.ends_with('\r')) content_.remove_suffix(1);
    return true;
  }

  // Splits content_ after RFC 4180, but for line ends within quotes: no key has one.
  Status split() {
    fields_.clear();
    std::size_t at = 0;
    while (true) {
      std::string field;
      if (at < content_.size() && content_[at] == '"') {
        if (!quoted_field(at, field)) return log_error(line_, "a quote has no end");
      } else {
        const auto comma = std::min(content_.find(',', at), content_.size());
        field = content_.substr(at, comma - at);
        at = comma;
      }
      fields_.push_back(std::move(field));
      if (at >= content_.size()) return {};
      if (content_[at++] != ',') return log_error(line_, "a comma is missing behind a quote");
      if (fields_.size() > kMaxLogColumns + 1) return log_error(line_, fmt::format("there are more than {} columns", kMaxLogColumns));
    }
  }

  bool quoted_field(std::size_t& at, std::string& field) const {
    for (++at; at < content_.size(); ++at) {
      if (content_[at] != '"') {
        field += content_[at];
      } else if (at + 1 < content_.size() && content_[at + 1] == '"') {
        field += content_[at++];
      } else {
        ++at;
        return true;
      }
    }
    return false;
  }

  Status header() {
    while (next_line() && content_.find_first_not_of(" \t") == std::string_view::npos) {
    }
    if (Status status = split(); !status.ok()) return status;
    if (fields_.front() != "Frame") return log_error(line_, "the first column is " + quoted(fields_.front()) + ", not \"Frame\"");
    has_last_comma_ = fields_.size() > 1 && fields_.back().empty();
    if (has_last_comma_) fields_.pop_back();
    names_.assign(fields_.begin() + 1, fields_.end());
    for (const std::string& name : names_) {
      if (name == fields_.front()) return log_error(line_, "there are two columns " + quoted(name));
      if (Status status = builder_.declare(name, line_); !status.ok()) return status;
    }
    return {};
  }

  Status row() {
    if (Status status = split(); !status.ok()) return status;
    if (!ended_ && !has_last_comma_) return log_error(line_, "the last line has no end, so its last number may be cut off");
    if (has_last_comma_ && fields_.back().empty()) {
      fields_.pop_back();
    } else if (has_last_comma_) {
      return log_error(line_, "the comma at the end of the line is missing; the log was cut off");
    }
    if (fields_.size() != names_.size() + 1) {
      // libvmaf leaves a missing value out, and the others move to its place.
      return log_error(line_,
                       fmt::format("there are {} values for {} features, so it is not known which belongs to which; import the JSON or "
                                   "XML log instead",
                                   fields_.empty() ? 0 : fields_.size() - 1, names_.size()));
    }
    if (Status status = builder_.start_frame(fields_.front(), line_); !status.ok()) return status;
    for (std::size_t index = 0; index < names_.size(); ++index) {
      const std::string& field = fields_[index + 1];
      if (field.empty()) continue;
      const auto value = parse_score(names_[index], field, line_);
      if (!value.ok()) return value.error();
      if (Status status = builder_.add(names_[index], *value, line_); !status.ok()) return status;
    }
    return {};
  }

  std::string_view rest_;
  std::string_view content_;
  bool ended_ = false;  // content_ had a line end
  bool has_last_comma_ = false;
  std::size_t line_ = 0;
  std::vector<std::string> fields_;
  std::vector<std::string> names_;
  LogBuilder builder_{"csv"};
};

}  // namespace

Result<ScoreLog> parse_csv_log(std::string_view text) { return CsvLog(text).parse(); }

}  // namespace vmafbatch::store
