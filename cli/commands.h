// The subcommands of the program; each has a file of its own that parses, calls the rooms and prints.
#pragma once

#include <CLI/CLI.hpp>

namespace vmafbatch::cli {

// Exit codes (docs: README, "Exit codes").
inline constexpr int kExitOk = 0;
inline constexpr int kExitDifferent = 1;  // the answer is "different", or some clips failed or are partial
inline constexpr int kExitError = 2;      // the command could not do its work
inline constexpr int kExitInterrupted = 130;

// Each adds its subcommand to `app`; when it was chosen and parsed, its callback stores the exit code in `exit_code`.
void add_score(CLI::App& app, int& exit_code);
void add_query(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
void add_parity(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_gate(CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_frames(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_features(CLI::App& app, int& exit_code);
void add_models(CLI::App& app, int& exit_code);
void add_devices(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);

}  // namespace vmafbatch::cli
