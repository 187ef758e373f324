// The reports of a comparison: text for people, JSON for programs; diff_tables.h has the others.
#include <fmt/format.h>

#include <ostream>
#include <string_view>
#include <type_traits>

#include "store/diff.h"
#include "store/diff_tables.h"
#include "store/diff_words.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

class TextReport : public DiffReport {
 public:
  explicit TextReport(std::ostream& out) : out_(out) {}

  void add(const ClipDifference& clip) override {
    const std::string head = clip_text(clip) + ": ";
    if (!clip.in_old || !clip.in_new) out_ << head << "only in " << (clip.in_old ? "old" : "new") << '\n';
    for (const Difference& difference : clip.differences) out_ << head << difference_text(difference) << '\n';
    for (const Cause& cause : clip.causes) out_ << head << "also differs: " << cause_text(cause) << '\n';
  }

  void end(const DiffSummary& summary) override { out_ << summary_text(summary) << '\n'; }

 private:
  std::ostream& out_;
};

// -- JSON ---------------------------------------------------------------------------------------------------------------------------

const char* outcome_name(DiffOutcome outcome) {
  switch (outcome) {
    case DiffOutcome::kEqual: return "equal";
    case DiffOutcome::kDifferent: return "different";
    case DiffOutcome::kNothingCompared: break;
  }
  return "nothing compared";
}

template <class T>
std::string json_optional(const std::optional<T>& value) {
  if (!value) return "null";
  if constexpr (std::is_same_v<T, double>) {
    return json_number(*value);
  } else {
    return std::to_string(*value);
  }
}

std::string frames_json(const Difference& difference) {
  return fmt::format(
      R"(, "compared": {}, "changed": {}, "tolerated": {}, "only_old": {}, "only_new": {}, "largest_frame": {}, "first_only_old": {}, "first_only_new": {})",
      difference.compared, difference.changed, difference.tolerated, difference.only_old, difference.only_new,
      json_optional(difference.largest_frame), json_optional(difference.first_only_old), json_optional(difference.first_only_new));
}

std::string difference_json(const Difference& difference) {
  std::string json = fmt::format(R"({{"kind": "{}", "name": {})", kind_name(difference.kind), json_string(difference.name));
  switch (difference.kind) {
    case Difference::Kind::kFeature: json += fmt::format(R"(, "only_in": "{}")", difference.in_old ? "old" : "new"); break;
    case Difference::Kind::kFrames: json += frames_json(difference); [[fallthrough]];
    case Difference::Kind::kAggregate:
      json += fmt::format(R"(, "old": {}, "new": {})", json_optional(difference.old_value), json_optional(difference.new_value));
      break;
    case Difference::Kind::kPooled: break;
    case Difference::Kind::kStatus:
    case Difference::Kind::kFrameCount:
    case Difference::Kind::kBackend:
    case Difference::Kind::kFailure:
      json += fmt::format(R"(, "old": {}, "new": {})", json_string(difference.old_text), json_string(difference.new_text));
      break;
  }
  return json + "}";
}

std::string cause_json(const Cause& cause) {
  return fmt::format(R"({{"name": {}, "old": {}, "new": {}}})", json_string(cause.name), json_string(cause.old_text),
                     json_string(cause.new_text));
}

std::string summary_json(const DiffSummary& summary) {
  return fmt::format(
      R"({{"result": "{}", "clips": {}, "values": {}, "changed_values": {}, "tolerated_values": {}, "differences": {}, "shown": {}}})",
      outcome_name(summary.outcome), summary.clips, summary.values, summary.changed_values, summary.tolerated_values, summary.differences,
      summary.shown);
}

class JsonReport : public DiffReport {
 public:
  explicit JsonReport(std::ostream& out) : out_(out) {}

  void add(const ClipDifference& clip) override {
    out_ << separator_ << "    {\"clip\": " << json_string(clip.clip) << ", \"label\": " << json_string(clip.label);
    separator_ = ",\n";
    if (!clip.in_old || !clip.in_new) out_ << ", \"only_in\": \"" << (clip.in_old ? "old" : "new") << '"';
    out_ << ", \"causes\": [";
    for (size_t index = 0; index < clip.causes.size(); ++index) out_ << (index == 0 ? "" : ", ") << cause_json(clip.causes[index]);
    out_ << "], \"differences\": [";
    for (size_t index = 0; index < clip.differences.size(); ++index) {
      out_ << (index == 0 ? "\n      " : ",\n      ") << difference_json(clip.differences[index]);
    }
    out_ << "]}";
  }

  void end(const DiffSummary& summary) override {
    if (separator_ == kStart) out_ << kStart;
    out_ << (separator_ == kStart ? "  ],\n" : "\n  ],\n") << "  \"summary\": " << summary_json(summary) << "\n}\n";
  }

 private:
  // Written with the first item: nothing is on the output when a database cannot be read.
  static constexpr const char* kStart = "{\n  \"clips\": [\n";
  std::ostream& out_;
  std::string_view separator_ = kStart;
};

}  // namespace

std::unique_ptr<DiffReport> make_diff_report(DiffFormat format, std::ostream& out) {
  switch (format) {
    case DiffFormat::kText: return std::make_unique<TextReport>(out);
    case DiffFormat::kJson: return std::make_unique<JsonReport>(out);
    case DiffFormat::kJunit: return std::make_unique<JunitReport>(out);
    case DiffFormat::kCsv: break;
  }
  return std::make_unique<CsvReport>(out);
}

Result<DiffSummary> print_diff(const std::string& old_path, const std::string& new_path, DiffFormat format, std::ostream& out,
                               const DiffOptions& options) {
  auto summary = diff_databases(old_path, new_path, options, *make_diff_report(format, out));
  out.flush();
  if (summary.ok() && !out) return Error{"the output cannot be written; check its place and the room there"};
  return summary;
}

}  // namespace vmafbatch::store
