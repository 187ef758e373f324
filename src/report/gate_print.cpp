// What a gate found, as text for people, JSON for programs and JUnit for CI systems.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/number_text.h"
#include "report/gate.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

using store::json_string;
using store::line_text;
using store::xml_escape;

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return "pass";
    case Verdict::kFail: return "fail";
    case Verdict::kNotApplied: break;
  }
  return "not applied";
}

// Why a rule failed.
std::string reason_of(const RuleResult& result) {
  return result.value ? fmt::format("it is {}", format_double(*result.value)) : result.reason;
}

size_t count_of(const GateResult& result, size_t rule, Verdict verdict) {
  const auto is_it = [&](const ClipResult& clip) { return clip.rules[rule].verdict == verdict; };
  return static_cast<size_t>(std::ranges::count_if(result.clips, is_it));
}

// -- Text ---------------------------------------------------------------------------------------------------------------------------

void print_text(const GateResult& result, const std::vector<Rule>& rules, std::ostream& out) {
  for (const ClipResult& clip : result.clips) {
    const std::string_view word = clip.verdict == Verdict::kPass ? "pass" : clip.verdict == Verdict::kFail ? "FAIL" : "-   ";
    out << word << "  " << line_text(clip.clip);
    if (!clip.label.empty()) out << " (" << line_text(clip.label) << ')';
    out << (clip.verdict == Verdict::kNotApplied ? ": no rule applies\n" : "\n");
    for (size_t rule = 0; rule < rules.size(); ++rule) {
      if (clip.rules[rule].verdict != Verdict::kFail) continue;
      out << "      " << line_text(rules[rule].text) << ": " << reason_of(clip.rules[rule]) << '\n';
    }
  }
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    if (count_of(result, rule, Verdict::kNotApplied) != result.clips.size()) continue;
    out << "note: the rule \"" << line_text(rules[rule].text) << "\" applies to no clip\n";
  }
  out << fmt::format("{}: {} of {} clips pass, {} fail", result.pass() ? "pass" : "FAIL", result.passed, result.clips.size(),
                     result.failed);
  if (result.not_judged > 0) out << fmt::format(", no rule applies to {}", result.not_judged);
  out << '\n';
}

// -- JSON ---------------------------------------------------------------------------------------------------------------------------

std::string rule_json(const GateResult& result, const std::vector<Rule>& rules, size_t rule) {
  return fmt::format(R"({{"rule": {}, "passed": {}, "failed": {}, "not_applied": {}}})", json_string(rules[rule].text),
                     count_of(result, rule, Verdict::kPass), count_of(result, rule, Verdict::kFail),
                     count_of(result, rule, Verdict::kNotApplied));
}

std::string clip_json(const ClipResult& clip) {
  std::string json = fmt::format(R"({{"clip": {}, "label": {}, "status": {}, "result": "{}", "rules": [)", json_string(clip.clip),
                                 json_string(clip.label), json_string(clip.status), verdict_name(clip.verdict));
  const char* separator = "";
  for (const RuleResult& rule : clip.rules) {
    json += fmt::format(R"({}{{"result": "{}", "value": {}, "reason": {}}})", separator, verdict_name(rule.verdict),
                        rule.value ? store::json_number(*rule.value) : "null", rule.reason.empty() ? "null" : json_string(rule.reason));
    separator = ", ";
  }
  return json + "]}";
}

void print_json(const GateResult& result, const std::vector<Rule>& rules, std::ostream& out) {
  out << fmt::format("{{\n  \"result\": \"{}\",\n  \"passed\": {}, \"failed\": {}, \"not_judged\": {},\n  \"rules\": [",
                     verdict_name(result.pass() ? Verdict::kPass : Verdict::kFail), result.passed, result.failed, result.not_judged);
  for (size_t rule = 0; rule < rules.size(); ++rule) out << (rule == 0 ? "\n    " : ",\n    ") << rule_json(result, rules, rule);
  out << "\n  ],\n  \"clips\": [";
  const char* separator = "\n    ";
  for (const ClipResult& clip : result.clips) {
    out << separator << clip_json(clip);
    separator = ",\n    ";
  }
  out << "\n  ]\n}\n";
}

// -- JUnit --------------------------------------------------------------------------------------------------------------------------

void print_case(const ClipResult& clip, const Rule& rule, const RuleResult& result, std::ostream& out) {
  const std::string name = clip.label.empty() ? clip.clip : clip.clip + " (" + clip.label + ")";
  out << fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml_escape(name), xml_escape(rule.text));
  switch (result.verdict) {
    case Verdict::kPass: out << "/>\n"; break;
    case Verdict::kFail: out << fmt::format("><failure message=\"{}\"/></testcase>\n", xml_escape(reason_of(result))); break;
    case Verdict::kNotApplied: out << "><skipped message=\"a condition of the rule does not hold\"/></testcase>\n"; break;
  }
}

void print_junit(const GateResult& result, const std::vector<Rule>& rules, std::ostream& out) {
  size_t failures = 0;
  size_t skipped = 0;
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    failures += count_of(result, rule, Verdict::kFail);
    skipped += count_of(result, rule, Verdict::kNotApplied);
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out << fmt::format("<testsuite name=\"vmafbatch gate\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                     result.clips.size() * rules.size(), failures, skipped);
  for (const ClipResult& clip : result.clips) {
    for (size_t rule = 0; rule < rules.size(); ++rule) print_case(clip, rules[rule], clip.rules[rule], out);
  }
  out << "</testsuite>\n";
}

}  // namespace

Status print_gate(const GateResult& result, const std::vector<Rule>& rules, GateFormat format, std::ostream& out) {
  switch (format) {
    case GateFormat::kText: print_text(result, rules, out); break;
    case GateFormat::kJson: print_json(result, rules, out); break;
    case GateFormat::kJunit: print_junit(result, rules, out); break;
  }
  out.flush();
  if (!out) return Error{"the output cannot be written; check its place and the room there"};
  return {};
}

}  // namespace vmafbatch::report
