// One clip as a report of libvmaf's layout (JSON, XML, CSV, subtitle), for the tools that read those.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vmafbatch::store {

enum class ReportFormat { kJson, kXml, kCsv, kSub };

// How numbers are written: "%.17g" reads back as the same double; legacy is libvmaf's "%.6f"; else "%.<digits>g".
struct Precision {
  bool legacy = false;
  int digits = 17;  // 1..17
};

// "max" (or "full"), "legacy", or a number of digits from 1 to 17; nothing for another text.
std::optional<Precision> parse_precision(std::string_view text);

// A score as printf writes it in the C locale: also inf, -inf.
std::string format_score(double value, Precision precision);

struct ExportOptions {
  ReportFormat format = ReportFormat::kJson;
  Precision precision;
  std::optional<std::string> label;  // nothing: the clip's newest finished scoring, under whatever label
};

// Writes the newest finished scoring of `clip` to `out`, a frame at a time. JSON is always valid, infinities are null there as in
// libvmaf; `feature_backends` and `backend_used` follow the members of libvmaf.
// Errors: what open_read_only says, no such clip, no finished scoring under the label.
Status export_clip(const std::string& database, const std::string& clip, const ExportOptions& options, std::ostream& out);

// The same into a file that is complete or not there: written under another name beside it, then renamed.
Status export_clip_to_file(const std::string& database, const std::string& clip, const ExportOptions& options, const std::string& path);

}  // namespace vmafbatch::store
