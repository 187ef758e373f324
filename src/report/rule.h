// Rules of `vmafbatch gate`, read from text: "psnr_y.min >= 30 if tag.codec = av1 and height >= 1080". docs/rules.md is their grammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::report {

enum class Comparison { kAtLeast, kAbove, kAtMost, kBelow, kEqual, kDifferent };

// What stands on the left of a comparison.
struct Quantity {
  enum class Kind {
    kPooled,     // `statistic` (a column of pooled_score) of the feature `name`: vmaf.p5
    kAggregate,  // the one value of the feature `name` for the whole clip: apsnr_y.value
    kClip,       // a number of the clip: frames
    kTag,        // the tag `name` of the clip, a text: tag.codec
  };
  Kind kind = Kind::kPooled;
  std::string name;
  std::string statistic;
};

// `quantity` `comparison` `bound`. A tag is compared as text for = and !=, as a number for the others.
struct Check {
  Quantity quantity;
  Comparison comparison = Comparison::kAtLeast;
  double number = 0;  // never NaN; what `text` says, 0 where a tag is compared as text
  std::string text;   // the right side as written, without its quotes
};

struct Rule {
  std::string text;               // as written, without spaces and comments around it
  Check check;                    // never of a tag
  std::vector<Check> conditions;  // all must hold, or the rule says nothing about the clip
};

// The columns of pooled_score that a rule may name, in the order of the table.
const std::vector<std::string>& pooled_statistics();
// The numbers of a clip that a rule may name.
const std::vector<std::string>& clip_quantities();

// One rule. Error: one sentence with the rule and the column (1, 2 ... in characters) where it is wrong.
Result<Rule> parse_rule(std::string_view text);

// One rule a line; empty lines and what follows a # are left out. `name` is the file's, for errors. Error: as parse_rule, with the line.
Result<std::vector<Rule>> parse_rules(std::string_view text, const std::string& name);

// parse_rules of a file's content. Error: also a file that cannot be read, is longer than 1 MiB, or holds no rule.
Result<std::vector<Rule>> read_rules(const std::string& path);

// The whole text as a number of a rule: [-] digits with a dot among them [e[+-]digits], inf or -inf. Too large is inf.
std::optional<double> rule_number(std::string_view text);

bool holds(Comparison comparison, double left, double right);

}  // namespace vmafbatch::report
