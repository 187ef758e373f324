// The reports of a comparison: text for people, JSON for programs.
#include <fmt/format.h>

#include <ostream>
#include <string_view>
#include <type_traits>

#include "base/number_text.h"
#include "base/utf8.h"
#include "store/diff.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

const char* kind_name(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::kStatus: return "status";
    case Difference::Kind::kFrameCount: return "frame_count";
    case Difference::Kind::kFeature: return "feature";
    case Difference::Kind::kFrames: return "frames";
    case Difference::Kind::kAggregate: return "aggregate";
    case Difference::Kind::kPooled: return "pooled";
    case Difference::Kind::kBackend: return "backend";
    case Difference::Kind::kFailure: break;
  }
  return "failure";
}

const char* outcome_name(DiffOutcome outcome) {
  switch (outcome) {
    case DiffOutcome::kEqual: return "equal";
    case DiffOutcome::kDifferent: return "different";
    case DiffOutcome::kNothingCompared: break;
  }
  return "nothing compared";
}

// -- Text ---------------------------------------------------------------------------------------------------------------------------

std::string value_text(const std::optional<double>& value) { return value ? format_double(*value) : std::string("nothing"); }

std::string change_text(const std::string& before, const std::string& after) {
  const auto shown = [](const std::string& text) { return text.empty() ? std::string("nothing") : display_text(text); };
  return fmt::format("old: {}; new: {}", shown(before), shown(after));
}

std::string frames_text(const Difference& difference) {
  std::string text;
  const auto append = [&text](const std::string& part) { text += text.empty() ? part : "; " + part; };
  if (difference.changed > 0) {
    append(fmt::format("{} of {} frames changed, largest difference {} at frame {} ({} -> {})", difference.changed, difference.compared,
                       format_double(*difference.new_value - *difference.old_value), *difference.largest_frame,
                       value_text(difference.old_value), value_text(difference.new_value)));
  }
  if (difference.only_old > 0) append(fmt::format("{} frames only in old, first {}", difference.only_old, *difference.first_only_old));
  if (difference.only_new > 0) append(fmt::format("{} frames only in new, first {}", difference.only_new, *difference.first_only_new));
  return text;
}

std::string difference_text(const Difference& difference) {
  const std::string name = display_text(difference.name);
  switch (difference.kind) {
    case Difference::Kind::kStatus: return "status, " + change_text(difference.old_text, difference.new_text);
    case Difference::Kind::kFrameCount: return "frame count, " + change_text(difference.old_text, difference.new_text);
    case Difference::Kind::kFeature: return fmt::format("feature {}: only in {}", name, difference.in_old ? "old" : "new");
    case Difference::Kind::kFrames: return fmt::format("feature {}: {}", name, frames_text(difference));
    case Difference::Kind::kAggregate:
      return fmt::format("clip value {}: {} -> {}", name, value_text(difference.old_value), value_text(difference.new_value));
    case Difference::Kind::kPooled: return fmt::format("feature {}: pooled values changed, no frame did", name);
    case Difference::Kind::kBackend: return fmt::format("backend of {}, {}", name, change_text(difference.old_text, difference.new_text));
    case Difference::Kind::kFailure: break;
  }
  return fmt::format("failures of {}, {}", name.empty() ? "the clip" : name, change_text(difference.old_text, difference.new_text));
}

std::string summary_text(const DiffSummary& summary) {
  const std::string counts = fmt::format("{} clips, {} values compared", summary.clips, summary.values);
  switch (summary.outcome) {
    case DiffOutcome::kEqual: return "equal: " + counts;
    case DiffOutcome::kDifferent:
      return fmt::format("different: {}, {} values changed, {} differences", counts, summary.changed_values, summary.differences);
    case DiffOutcome::kNothingCompared: break;
  }
  return "nothing to compare: no clip with values is in both databases under one label";
}

class TextReport : public DiffReport {
 public:
  explicit TextReport(std::ostream& out) : out_(out) {}

  void add(const ClipDifference& clip) override {
    const std::string label = clip.label.empty() ? "" : fmt::format(" [{}]", display_text(clip.label));
    const std::string head = display_text(clip.clip) + label + ": ";
    if (!clip.in_old || !clip.in_new) out_ << head << "only in " << (clip.in_old ? "old" : "new") << '\n';
    for (const Difference& difference : clip.differences) out_ << head << difference_text(difference) << '\n';
    for (const std::string& cause : clip.causes) out_ << head << "also differs: " << cause << '\n';
  }

  void end(const DiffSummary& summary) override { out_ << summary_text(summary) << '\n'; }

 private:
  std::ostream& out_;
};

// -- JSON ---------------------------------------------------------------------------------------------------------------------------

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
      R"(, "compared": {}, "changed": {}, "only_old": {}, "only_new": {}, "largest_frame": {}, "first_only_old": {}, "first_only_new": {})",
      difference.compared, difference.changed, difference.only_old, difference.only_new, json_optional(difference.largest_frame),
      json_optional(difference.first_only_old), json_optional(difference.first_only_new));
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

class JsonReport : public DiffReport {
 public:
  explicit JsonReport(std::ostream& out) : out_(out) {}

  void add(const ClipDifference& clip) override {
    out_ << separator_ << "    {\"clip\": " << json_string(clip.clip) << ", \"label\": " << json_string(clip.label);
    separator_ = ",\n";
    if (!clip.in_old || !clip.in_new) out_ << ", \"only_in\": \"" << (clip.in_old ? "old" : "new") << '"';
    out_ << ", \"causes\": [";
    for (size_t index = 0; index < clip.causes.size(); ++index) out_ << (index == 0 ? "" : ", ") << json_string(clip.causes[index]);
    out_ << "], \"differences\": [";
    for (size_t index = 0; index < clip.differences.size(); ++index) {
      out_ << (index == 0 ? "\n      " : ",\n      ") << difference_json(clip.differences[index]);
    }
    out_ << "]}";
  }

  void end(const DiffSummary& summary) override {
    if (separator_ == kStart) out_ << kStart;
    out_ << (separator_ == kStart ? "  ],\n" : "\n  ],\n")
         << fmt::format(R"(  "summary": {{"result": "{}", "clips": {}, "values": {}, "changed_values": {}, "differences": {}}})",
                        outcome_name(summary.outcome), summary.clips, summary.values, summary.changed_values, summary.differences)
         << "\n}\n";
  }

 private:
  // Written with the first item: nothing is on the output when a database cannot be read.
  static constexpr const char* kStart = "{\n  \"clips\": [\n";
  std::ostream& out_;
  std::string_view separator_ = kStart;
};

}  // namespace

Result<DiffSummary> print_diff(const std::string& old_path, const std::string& new_path, DiffFormat format, std::ostream& out) {
  const auto run = [&](auto report) { return diff_databases(old_path, new_path, report); };
  Result<DiffSummary> summary = Error{};
  if (format == DiffFormat::kText) {
    summary = run(TextReport(out));
  } else {
    summary = run(JsonReport(out));
  }
  out.flush();
  if (summary.ok() && !out) return Error{"the output cannot be written; check its place and the room there"};
  return summary;
}

}  // namespace vmafbatch::store
