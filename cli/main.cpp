// vmafbatch: scores large video libraries into one SQLite database.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "base/heap.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/tell.h"

namespace {

// CLI11 says "new is required". What it is, and where it stands: `vmafbatch diff old new`.
std::optional<std::string> missing_option(const CLI::App& command, const std::string& name, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return std::nullopt;
  const auto is_positional = [](const CLI::Option* option) { return option->nonpositional() ? false : option->get_required(); };
  std::string usage = name;
  const CLI::Option* missing = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (missing == nullptr && option->get_required() && option->count() == 0) missing = option;
    if (is_positional(option)) usage += " " + option->get_name();
  }
  if (missing == nullptr) return std::nullopt;
  if (!is_positional(missing)) usage += " " + missing->get_name() + " ...";
  return fmt::format("{} is missing ({}): {}", missing->get_name(), missing->get_description(), usage);
}

// The subcommand that was given last, with its whole name.
std::pair<const CLI::App*, std::string> chosen_command(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = "vmafbatch";
  while (true) {
    const auto chosen = command->get_subcommands([](const CLI::App* one) { return one->parsed(); });
    if (chosen.empty()) return {command, name};
    command = chosen.front();
    name += " " + command->get_name();
  }
}

// One sentence, and where the right words are listed.
std::string sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, name] = chosen_command(app);
  if (command == &app && !app.remaining().empty()) {
    return fmt::format("there is no subcommand \"{}\"; `vmafbatch --help` lists them", app.remaining().front());
  }
  return fmt::format("{}; see `{} --help`", missing_option(*command, name, error).value_or(error.what()), name);
}

// Output that did not reach its place (a full disk) is no success.
int after_output(int exit_code) {
  using namespace vmafbatch::cli;  // NOLINT(google-build-using-namespace): exit codes, tell
  std::cout.flush();
  if (exit_code == kExitError || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good())) return exit_code;
  tell("vmafbatch: standard output cannot be written; check its place and the room there");
  return kExitError;
}

}  // namespace

int main(int argc, char** argv) {
  vmafbatch::keep_pictures_out_of_the_heap();
  using namespace vmafbatch::cli;  // NOLINT(google-build-using-namespace): the table of commands below
  std::signal(SIGXFSZ, SIG_IGN);   // a file at its size limit is a failed write, which is told and survived
  end_on_signals();
  CLI::App app("Scores large video libraries: features and VMAF models of every frame, in one SQLite database.");
  app.set_version_flag("--version", std::string(vmafbatch::kVersion));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  vmafbatch score catalogue.csv --output scores.db\n"
      "  vmafbatch score --reference a.mp4 --distorted b.mp4 --feature psnr --output scores.db\n"
      "  vmafbatch query scores.db 'SELECT clip, feature, mean FROM clip_scores'\n"
      "  vmafbatch diff old.db new.db\n"
      "Exit codes: 0 all well, 1 different or some clips failed, 2 could not be done, 130 stopped by Ctrl-C.");
  int exit_code = kExitOk;
  add_score(app, exit_code);
  add_query(app, exit_code);
  add_diff(app, exit_code);
  add_export(app, exit_code);
  add_merge(app, exit_code);
  add_import(app, exit_code);
  add_parity(app, exit_code);
  add_verify(app, exit_code);
  add_gate(app, exit_code);
  add_serve(app, exit_code);
  add_frames(app, exit_code);
  add_report(app, exit_code);
  add_features(app, exit_code);
  add_models(app, exit_code);
  add_devices(app, exit_code);
  add_doctor(app, exit_code);
  add_completion(app, exit_code);
  try {
    app.parse(argc, argv);
    return after_output(exit_code);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return after_output(app.exit(e));  // --help, --version
    tell("vmafbatch: " + sentence(app, e));
  } catch (const std::exception& e) {
    tell(std::string("vmafbatch: ") + e.what());
  }
  return kExitError;
}
