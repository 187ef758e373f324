// vmafbatch: scores large video libraries into one SQLite database.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "base/heap.h"
#include "base/version.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
  vmafbatch::keep_pictures_out_of_the_heap();
  using namespace vmafbatch::cli;  // NOLINT(google-build-using-namespace): the table of commands below
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
  add_features(app, exit_code);
  add_models(app, exit_code);
  add_doctor(app, exit_code);
  add_completion(app, exit_code);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    fmt::print(stderr, "vmafbatch: {}\nRun with --help for the options.\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "vmafbatch: {}\n", e.what());
  }
  return kExitError;
}
