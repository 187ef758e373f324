// vmafbatch merge DB... -o OUT: several databases become one.
#include "store/merge.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/open_files.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/tell.h"

namespace vmafbatch::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> databases;
  std::string output;
  std::vector<std::string> relabel;
  bool quiet = false;
};

// "a.db=LABEL": split at the last '=', because a path may hold one.
std::string check_relabel(const std::string& text) {
  const auto at = text.rfind('=');
  return at == std::string::npos || at == 0 ? "\"" + text + "\" is not DB=LABEL" : std::string();
}

int run(const MergeArguments& arguments) {
  raise_open_file_limit();
  store::MergeOptions options;
  for (const std::string& text : arguments.relabel) {
    options.labels.emplace_back(text.substr(0, text.rfind('=')), text.substr(text.rfind('=') + 1));
  }
  std::error_code ignored;
  if (!std::filesystem::exists(arguments.output, ignored)) {  // what is there is refused anyway, as that
    if (Status place = check_outputs({arguments.output}, arguments.databases); !place.ok()) return refuse("vmafbatch merge", place.error());
  }
  const auto summary = store::merge_databases(arguments.databases, arguments.output, options);
  if (!summary.ok()) return refuse("vmafbatch merge", summary.error());
  if (arguments.quiet) return kExitOk;
  fmt::print("{}: {} clips, {} scorings", display_text(arguments.output), summary->clips, summary->finished);
  if (summary->unfinished > 0) fmt::print(", {} unfinished ones", summary->unfinished);
  if (summary->same > 0) fmt::print("; left out as kept already: {}", summary->same);
  fmt::print("\n");
  return kExitOk;
}

}  // namespace

void add_merge(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = app.add_subcommand("merge", "Make one database of several");
  command->add_option("databases", arguments->databases, "The databases; they are only read")->required()->type_name("DB");
  command->add_option("-o,--output", arguments->output, "The new database; must not be there yet")->required()->type_name("DB");
  command
      ->add_option("--relabel", arguments->relabel, "DB=LABEL: all scorings of this database get this label (can be given once for each)")
      ->check(CLI::Validator(check_relabel, ""))
      ->type_name("DB=LABEL")
      ->allow_extra_args(false);
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->footer(
      "A scoring that is in several databases (same clip, label, files, options, models, program version) is kept once. Its values (of "
      "frames,\n"
      "of the clip, pooled) must be equal to the bit, its numbers of frames and what failed at which frame must be equal: a difference is "
      "an\n"
      "error that names clip, label and what differs. Times, warnings and reasons may differ. A done one is kept before a partial one, "
      "that\n"
      "before a failed one.\n"
      "The newest scoring of a clip is the one that ended last, by its time, over all databases. Unfinished scorings come along and can "
      "be\n"
      "continued, unless the same one is finished. Of two values of one tag, the later-named database's is kept.\n"
      "The result is written as OUT.part and gets its name when it is complete.\n"
      "Examples:\n"
      "  vmafbatch merge monday.db tuesday.db -o week.db\n"
      "  vmafbatch merge x264.db x265.db --relabel x265.db=x265 -o both.db");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
