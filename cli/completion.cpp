// vmafbatch completion: a script for the shell, made from the program's own options so that it cannot fall behind them.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace vmafbatch::cli {
namespace {

struct Command {
  std::string name;
  std::string description;
  std::vector<std::string> flags;  // "--feature"
};

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Command command{sub->get_name(), sub->get_description(), {}};
    for (const CLI::Option* option : sub->get_options([](const CLI::Option*) { return true; })) {
      for (const std::string& name : option->get_lnames()) command.flags.push_back("--" + name);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void print_bash(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  fmt::print("_vmafbatch() {{\n  local word=\"${{COMP_WORDS[COMP_CWORD]}}\"\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n");
  fmt::print("    COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return\n  fi\n", joined(names));
  fmt::print("  case \"${{COMP_WORDS[1]}}\" in\n");
  for (const Command& command : commands) {
    fmt::print("    {}) [[ \"$word\" == -* ]] && COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n", command.name, joined(command.flags));
  }
  fmt::print("  esac\n}}\ncomplete -o default -F _vmafbatch vmafbatch\n");
}

// Single quotes of a shell text.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void print_zsh(const std::vector<Command>& commands) {
  fmt::print("#compdef vmafbatch\n_vmafbatch() {{\n  local -a commands=(\n");
  for (const Command& command : commands) fmt::print("    {}\n", quoted(command.name + ":" + command.description));
  fmt::print("  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] in\n");
  for (const Command& command : commands) {
    fmt::print("    {}) compadd -- {}; _files ;;\n", command.name, joined(command.flags));
  }
  fmt::print("  esac\n}}\ncompdef _vmafbatch vmafbatch\n");
}

void print_fish(const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    fmt::print("complete -c vmafbatch -n __fish_use_subcommand -a {} -d {}\n", command.name, quoted(command.description));
    for (const std::string& flag : command.flags) {
      fmt::print("complete -c vmafbatch -n '__fish_seen_subcommand_from {}' -l {}\n", command.name, flag.substr(2));
    }
  }
}

}  // namespace

void add_completion(CLI::App& app, int& exit_code) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer("Example:\n  vmafbatch completion bash > ~/.local/share/bash-completion/completions/vmafbatch");
  command->callback([shell, &app, &exit_code] {
    const std::vector<Command> commands = commands_of(app);
    if (*shell == "bash") print_bash(commands);
    if (*shell == "zsh") print_zsh(commands);
    if (*shell == "fish") print_fish(commands);
    exit_code = kExitOk;
  });
}

}  // namespace vmafbatch::cli
