// Rules over the clips of a database: which pass, which fail, and why.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/rule.h"

namespace vmafbatch::report {

struct GateOptions {
  std::vector<Rule> rules;           // at least one
  std::vector<std::string> clips;    // patterns (base/glob.h); empty: every clip
  std::optional<std::string> label;  // nothing: the newest scoring of a clip, whatever its label
};

enum class Verdict {
  kPass,
  kFail,
  kNotApplied,  // a condition of the rule does not hold; of a clip: no rule applies
};

struct RuleResult {
  Verdict verdict = Verdict::kNotApplied;
  std::optional<double> value;  // what was compared, where there is a value
  std::string reason;           // of a failure without a value that is wrong: why it fails
};

struct ClipResult {
  std::string clip;
  std::string label;
  std::string status;  // of the scoring that was judged: done, partial, failed, running; "" where there is none
  Verdict verdict = Verdict::kNotApplied;
  std::vector<RuleResult> rules;  // one per rule, in their order
};

struct GateResult {
  std::vector<ClipResult> clips;  // by name
  size_t passed = 0;
  size_t failed = 0;
  size_t not_judged = 0;  // no rule applied

  bool pass() const { return failed == 0; }
};

enum class GateFormat { kText, kJson, kJunit };

// Judges the newest scoring of every chosen clip (docs/rules.md). Errors: a database that cannot be read, no clip that fits, or no clip to
// which any rule applies.
Result<GateResult> run_gate(const std::string& database, const GateOptions& options);

// Writes the result. Error: `out` failed.
Status print_gate(const GateResult& result, const std::vector<Rule>& rules, GateFormat format, std::ostream& out);

}  // namespace vmafbatch::report
