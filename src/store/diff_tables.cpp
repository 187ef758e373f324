#include "store/diff_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <vector>

#include "base/number_text.h"
#include "store/diff_words.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// -- JUnit --------------------------------------------------------------------------------------------------------------------------

// What a test case is called: the feature, or what else differs.
std::string case_name(const Difference& difference) {
  switch (difference.kind) {
    case Difference::Kind::kFeature:
    case Difference::Kind::kFrames:
    case Difference::Kind::kAggregate:
    case Difference::Kind::kPooled: return difference.name;
    case Difference::Kind::kStatus: return "(status)";
    case Difference::Kind::kFrameCount: return "(frame count)";
    case Difference::Kind::kBackend: return "(backend of " + difference.name + ")";
    case Difference::Kind::kFailure: break;
  }
  return "(failures of " + (difference.name.empty() ? "the clip" : difference.name) + ")";
}

// Test cases by name: equal ones have no lines.
std::map<std::string, std::vector<std::string>> cases_of(const ClipDifference& clip) {
  std::map<std::string, std::vector<std::string>> cases;
  for (const std::string& feature : clip.features) cases[feature];
  for (const Difference& difference : clip.differences) cases[case_name(difference)].push_back(difference_text(difference));
  if (!clip.in_old || !clip.in_new) cases["(clip)"].push_back(fmt::format("only in {}", clip.in_old ? "old" : "new"));
  if (cases.empty()) cases["(clip)"];
  return cases;
}

std::string failure_xml(const std::vector<std::string>& lines, const std::vector<Cause>& causes) {
  std::string xml = fmt::format("      <failure type=\"difference\" message=\"{}\">", xml_escape(lines.front()));
  for (const std::string& line : lines) xml += xml_escape(line) + "\n";
  for (const Cause& cause : causes) xml += xml_escape("also differs: " + cause_text(cause)) + "\n";
  return xml + "</failure>\n";
}

std::string case_xml(const std::string& suite, const std::string& name) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escape(suite), xml_escape(line_text(name)));
}

std::string suite_xml(const std::string& name, size_t tests, std::ptrdiff_t failures, int errors) {
  return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n", xml_escape(name), tests,
                     failures, errors);
}

// -- CSV ----------------------------------------------------------------------------------------------------------------------------

template <class T>
std::string csv_optional(const std::optional<T>& value) {
  if (!value) return "";
  if constexpr (std::is_same_v<T, double>) {
    return format_double(*value);
  } else {
    return std::to_string(*value);
  }
}

// From "compared" to "new".
std::string values_csv(const Difference& difference) {
  switch (difference.kind) {
    case Difference::Kind::kFeature:
      return fmt::format(",,,,,{},{}", difference.in_old ? "present" : "", difference.in_new ? "present" : "");
    case Difference::Kind::kFrames:
      return fmt::format("{},{},{},{},{},{},{}", difference.compared, difference.changed, difference.only_old, difference.only_new,
                         csv_optional(difference.largest_frame), csv_optional(difference.old_value), csv_optional(difference.new_value));
    case Difference::Kind::kAggregate:
      return fmt::format(",,,,,{},{}", csv_optional(difference.old_value), csv_optional(difference.new_value));
    case Difference::Kind::kPooled: return ",,,,,,";
    case Difference::Kind::kStatus:
    case Difference::Kind::kFrameCount:
    case Difference::Kind::kBackend:
    case Difference::Kind::kFailure: break;
  }
  return fmt::format(",,,,,{},{}", csv_field(difference.old_text), csv_field(difference.new_text));
}

std::string cause_names(const std::vector<Cause>& causes) {
  std::string names;
  for (const Cause& cause : causes) names += (names.empty() ? "" : "; ") + cause.name;
  return csv_field(names);
}

}  // namespace

void JunitReport::begin_once() {
  if (!begun_) out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vmafbatch diff\">\n";
  begun_ = true;
}

void JunitReport::add(const ClipDifference& clip) {
  begin_once();
  const auto cases = cases_of(clip);
  const auto failed = std::count_if(cases.begin(), cases.end(), [](const auto& one) { return !one.second.empty(); });
  const std::string suite = clip_text(clip);
  out_ << suite_xml(suite, cases.size(), failed, 0);
  for (const auto& [name, lines] : cases) {
    out_ << case_xml(suite, name);
    if (lines.empty()) {
      out_ << " />\n";
    } else {
      out_ << ">\n" << failure_xml(lines, clip.causes) << "    </testcase>\n";
    }
  }
  out_ << "  </testsuite>\n";
}

void JunitReport::end(const DiffSummary& summary) {
  begin_once();
  if (summary.outcome == DiffOutcome::kNothingCompared) {
    out_ << suite_xml("vmafbatch diff", 1, 0, 1) << case_xml("vmafbatch diff", "(comparison)") << ">\n      <error message=\""
         << xml_escape(summary_text(summary)) << "\" />\n    </testcase>\n  </testsuite>\n";
  }
  out_ << "</testsuites>\n";
}

void CsvReport::begin_once() {
  if (!begun_) out_ << "clip,label,kind,name,compared,changed,only_old,only_new,frame,old,new,causes\n";
  begun_ = true;
}

void CsvReport::add(const ClipDifference& clip) {
  begin_once();
  const std::string name = csv_field(clip.clip);
  const std::string label = csv_field(clip.label);
  const std::string causes = cause_names(clip.causes);
  if (!clip.in_old || !clip.in_new) {
    out_ << csv_line({name, label, "clip,,,,,,", clip.in_old ? "present" : "", clip.in_new ? "present" : "", ""});
  }
  for (const Difference& difference : clip.differences) {
    out_ << csv_line({name, label, kind_name(difference.kind), csv_field(difference.name), values_csv(difference), causes});
  }
}

void CsvReport::end(const DiffSummary& /*summary*/) { begin_once(); }

}  // namespace vmafbatch::store
