// vmafbatch diff OLD NEW: are two databases the same, bit for bit?
#include "store/diff.h"

#include <iostream>
#include <memory>
#include <string>

#include "cli/choice.h"
#include "cli/commands.h"

namespace vmafbatch::cli {
namespace {

struct DiffArguments {
  std::string old_database;
  std::string new_database;
  store::DiffFormat format = store::DiffFormat::kText;
};

int run(const DiffArguments& arguments) {
  const auto summary = store::print_diff(arguments.old_database, arguments.new_database, arguments.format, std::cout);
  if (!summary.ok()) {
    std::cerr << "vmafbatch diff: " << summary.error().message << '\n';
    return kExitError;
  }
  switch (summary->outcome) {
    case store::DiffOutcome::kEqual: return kExitOk;
    case store::DiffOutcome::kDifferent: return kExitDifferent;
    case store::DiffOutcome::kNothingCompared: break;
  }
  return kExitError;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = app.add_subcommand("diff", "Compare two databases: equal means the same bits");
  command->add_option("old", arguments->old_database, "The database to compare with")->required();
  command->add_option("new", arguments->new_database, "The database to compare")->required();
  add_choice<store::DiffFormat>(*command, "--format", arguments->format,
                                {{"text", store::DiffFormat::kText}, {"json", store::DiffFormat::kJson}}, "text or json (default: text)")
      ->type_name("FORMAT");
  command->footer(
      "Clips are matched by name and label; each side shows its newest finished scoring.\n"
      "Exit code: 0 equal, 1 different, 2 nothing to compare or a database that cannot be read.\n"
      "Example:\n"
      "  vmafbatch diff before.db after.db");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
