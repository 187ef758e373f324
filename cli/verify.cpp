// vmafbatch verify DB: is a database whole, and what is to be scored again?
#include "store/verify.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/tell.h"

namespace vmafbatch::cli {
namespace {

struct VerifyArguments {
  std::string database;
  store::VerifyOptions options;
};

int run(const VerifyArguments& arguments) {
  const auto summary = store::verify_database(arguments.database, arguments.options, std::cout);
  if (!summary.ok()) return refuse("vmafbatch verify", summary.error());
  return summary->problems == 0 ? kExitOk : kExitDifferent;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "Check that a database is whole, and say which clips to score again");
  command->add_option("database", arguments->database, "The database; it is only read")->required();
  command->add_flag("--hash", arguments->options.hash,
                    "Also read the scored files and compare their content with the stored hashes; relative paths count from the folder in "
                    "which they were scored");
  add_choice<store::VerifyFormat>(*command, "--format", arguments->options.format,
                                  {{"text", store::VerifyFormat::kText}, {"json", store::VerifyFormat::kJson}},
                                  "text or json (default: text)")
      ->type_name("FORMAT");
  command->footer(
      "Checked are the file itself (SQLite's integrity check), that every feature has a value at every reported frame unless a failure "
      "says\n"
      "why, that pooled values are to the bit those of the frames, that it is known what computed them, and that all rows agree with\n"
      "each other (docs/schema.md, \"What must hold\").\n"
      "To redo a clip that did not end, score again: it goes on at its last stored frame. One with another problem: score again with\n"
      "--fresh, with another --label or into a new database.\n"
      "Exit code: 0 clean, 1 something is wrong or to redo, 2 not a database, or too damaged to be read.\n"
      "Example:\n"
      "  vmafbatch verify scores.db --hash");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
