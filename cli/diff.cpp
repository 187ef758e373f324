// vmafbatch diff OLD NEW: are two databases the same, bit for bit?
#include "store/diff.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "base/number_text.h"
#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/tell.h"
#include "store/diff_words.h"

namespace vmafbatch::cli {
namespace {

// 2^52 doubles lie between 1 and 2: more are no longer near.
constexpr std::int64_t kMostUlps = std::int64_t{1} << 52;
constexpr std::int64_t kMostTop = 1'000'000;

struct DiffArguments {
  std::string old_database;
  std::string new_database;
  store::DiffFormat format = store::DiffFormat::kText;
  store::DiffOptions options;
};

int run(const DiffArguments& arguments) {
  const auto summary = store::print_diff(arguments.old_database, arguments.new_database, arguments.format, std::cout, arguments.options);
  if (!summary.ok()) return refuse("vmafbatch diff", summary.error());
  switch (summary->outcome) {
    case store::DiffOutcome::kEqual: return kExitOk;
    case store::DiffOutcome::kDifferent: return kExitDifferent;
    case store::DiffOutcome::kNothingCompared: break;
  }
  // The other formats say it.
  if (arguments.format == store::DiffFormat::kCsv) tell("vmafbatch diff: " + store::summary_text(*summary));
  return kExitError;
}

// An option that may be given several times, one value each.
void add_each(CLI::App& command, const std::string& name, const std::string& type, const std::string& help,
              const std::function<void(const std::string&)>& take) {
  command
      .add_option_function<std::vector<std::string>>(
          name,
          [take](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) take(text);
          },
          help)
      ->allow_extra_args(false)
      ->type_name(type);
}

void add_count(CLI::App& command, const std::string& name, std::int64_t& value, std::int64_t least, std::int64_t most,
               const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [=, &value](const std::string& text) {
            const auto number = parse_integer(text);
            if (!number || *number < least || *number > most) {
              throw CLI::ValidationError(name, fmt::format("\"{}\" is no whole number from {} to {}", display_text(text), least, most));
            }
            value = *number;
          },
          help)
      ->type_name("N");
}

void add_pattern(CLI::App& command, const std::string& name, std::vector<std::string>& patterns, const std::string& help) {
  add_each(command, name, "GLOB", help, [name, &patterns](const std::string& text) {
    if (text.empty()) throw CLI::ValidationError(name, "the pattern is empty; '*' stands for any text, '?' for one character");
    patterns.push_back(text);
  });
}

void add_choices_of_values(CLI::App& command, store::DiffOptions& options) {
  add_each(command, "--tolerance", "FEATURE=X",
           "values of the features that match are equal where they are at most X apart; the last that matches counts",
           [&options](const std::string& text) {
             const auto tolerance = store::parse_tolerance(text);
             if (!tolerance.ok()) throw CLI::ValidationError("--tolerance", tolerance.error().message);
             options.tolerances.push_back(*tolerance);
           });
  add_count(command, "--ulps", options.ulps, 0, kMostUlps, "values at most N doubles apart are equal (default: 0, the same bits)");
  add_pattern(command, "--clips", options.clips, "only clips whose name matches");
  add_pattern(command, "--features", options.features, "only features whose name matches");
  command
      .add_option_function<std::string>(
          "--label", [&options](const std::string& text) { options.label = text; }, "only scorings under this label")
      ->type_name("LABEL");
  command.add_flag("--ignore-backend", options.ignore_backend, "what computed a value (CPU, device) is no difference");
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand("diff", "Compare two databases: equal means the same bits");
  command->add_option("old", arguments->old_database, "The database to compare with")->required();
  command->add_option("new", arguments->new_database, "The database to compare")->required();
  add_choices_of_values(*command, arguments->options);
  add_choice<store::DiffFormat>(*command, "--format", arguments->format,
                                {{"text", store::DiffFormat::kText},
                                 {"json", store::DiffFormat::kJson},
                                 {"junit", store::DiffFormat::kJunit},
                                 {"csv", store::DiffFormat::kCsv}},
                                "text, json, junit (for CI systems) or csv (default: text)")
      ->type_name("FORMAT");
  add_count(*command, "--top", arguments->options.top, 1, kMostTop, "show only the N largest differences, the largest first");
  command->footer(
      "Clips are matched by name and label; each side shows its newest finished scoring. A value that a side lacks is a difference,\n"
      "whatever --tolerance and --ulps allow. Of a clip that was imported from a log only values, status and failures are compared. GLOB "
      "and FEATURE: '*' is any text, '?' one character. --tolerance, --clips and --features\n"
      "may be given several times.\n"
      "Exit code: 0 equal, 1 different, 2 nothing to compare or a database that cannot be read.\n"
      "Examples:\n"
      "  vmafbatch diff before.db after.db\n"
      "  vmafbatch diff before.db after.db --tolerance 'vmaf*=0.01' --ignore-backend --top 20");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
