// vmafbatch gate DB: do the clips keep the rules?
#include "report/gate.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/tell.h"

namespace vmafbatch::cli {
namespace {

struct GateArguments {
  std::string database;
  std::vector<std::string> rules;
  std::vector<std::string> rule_files;
  std::vector<std::string> clips;
  std::optional<std::string> label;
  report::GateFormat format = report::GateFormat::kText;
};

// The rules of the command line, then those of the files.
Result<std::vector<report::Rule>> all_rules(const GateArguments& arguments) {
  std::vector<report::Rule> rules;
  for (const std::string& text : arguments.rules) {
    auto rule = report::parse_rule(text);
    if (!rule.ok()) return rule.error();
    rules.push_back(std::move(*rule));
  }
  for (const std::string& path : arguments.rule_files) {
    auto more = report::read_rules(path);
    if (!more.ok()) return more.error();
    rules.insert(rules.end(), more->begin(), more->end());
  }
  if (rules.empty()) return Error{"there is no rule; give one with --rule 'vmaf.mean >= 90' or a file of them with --rules"};
  return rules;
}

int run(const GateArguments& arguments) {
  const auto fail = [](const Error& error) { return refuse("vmafbatch gate", error); };
  auto rules = all_rules(arguments);
  if (!rules.ok()) return fail(rules.error());
  const auto result = report::run_gate(arguments.database, {*rules, arguments.clips, arguments.label});
  if (!result.ok()) return fail(result.error());
  if (const Status status = report::print_gate(*result, *rules, arguments.format, std::cout); !status.ok()) return fail(status.error());
  return result->pass() ? kExitOk : kExitDifferent;
}

}  // namespace

void add_gate(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<GateArguments>();
  CLI::App* command = app.add_subcommand("gate", "Check the clips of a database against rules: pass or fail");
  command->add_option("database", arguments->database, "The database; it is only read")->required();
  command->add_option("--rule", arguments->rules, "a rule, for example 'vmaf.p5 >= 85'; may be given several times")
      ->allow_extra_args(false)
      ->type_name("RULE");
  command->add_option("--rules", arguments->rule_files, "a file of rules, one a line, # begins a comment; may be given several times")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--clips", arguments->clips, "only clips whose name matches: '*' is any text, '?' one character")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  command
      ->add_option_function<std::string>(
          "--label", [label = &arguments->label](const std::string& text) { *label = text; }, "only scorings under this label")
      ->type_name("LABEL");
  add_choice<report::GateFormat>(
      *command, "--format", arguments->format,
      {{"text", report::GateFormat::kText}, {"json", report::GateFormat::kJson}, {"junit", report::GateFormat::kJunit}},
      "text, json or junit (for CI systems) (default: text)")
      ->type_name("FORMAT");
  command->footer(
      "A rule is FEATURE.STATISTIC, one of >= > <= < = !=, and a number; conditions may follow: if tag.NAME = VALUE and height >= 1080.\n"
      "A clip that lacks the feature or is not done fails the rule. The grammar is in docs/rules.md.\n"
      "Exit code: 0 every clip passes, 1 some fail, 2 a wrong rule, no clip, no rule that applies, or a database that cannot be read.\n"
      "Examples:\n"
      "  vmafbatch gate scores.db --rule 'vmaf.p5 >= 85' --rule 'psnr_y.min >= 30 if tag.codec = av1'\n"
      "  vmafbatch gate scores.db --rules release.rules --format junit > gate.xml");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
