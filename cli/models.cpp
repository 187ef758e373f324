// vmafbatch models: lists the models that are found, installs files, downloads published ones.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/model_use.h"
#include "cli/tell.h"
#include "model/fetch.h"
#include "model/known_models.h"
#include "model/model_file.h"
#include "model/model_search.h"

namespace vmafbatch::cli {
namespace {

namespace fs = std::filesystem;
using model::KnownModel;
using model::ModelSearch;

// "6 features", "6 features, 20 bootstrap models", or why the file cannot be used.
std::string description(const fs::path& path) {
  const Result<std::string> text = model::read_model_text(path);
  if (!text) return "not usable: " + text.error().message;
  Result<model::ModelFile> file = model::parse_model_file(*text);
  if (!file) return "not usable: " + file.error().message;
  if (const Status usable = check_usable(*file, path); !usable) return "not usable: " + usable.error().message;
  std::string result = fmt::format("{} features", file->members.front().features.size());
  if (file->members.size() > 1) result += fmt::format(", {} bootstrap models", file->members.size() - 1);
  return result;
}

void print_missing(const std::set<std::string>& found) {
  std::string missing;
  for (const KnownModel& known : model::known_models()) {
    if (!found.contains(std::string(known.name()))) missing += "\n  " + std::string(known.name());
  }
  if (!missing.empty()) fmt::print("\nNot here, but `vmafbatch models fetch NAME` downloads them:{}\n", missing);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

int list() {
  const ModelSearch search = ModelSearch::from_environment();
  std::set<std::string> names;
  for (const model::FoundModel& found : model::list_models(search)) {
    const bool first = names.insert(found.name).second;
    fmt::print("{:<28} {}  ({}{})\n", found.name, found.path.string(), description(found.path),
               first ? "" : "; hidden by the one of that name above");
  }
  if (names.empty()) fmt::print("No models were found.\n");
  fmt::print("\nSearched, in this order ($VMAFBATCH_MODEL_PATH comes first):\n");
  for (const fs::path& folder : search.folders) fmt::print("  {}{}\n", folder.string(), is_folder(folder) ? "" : " (not there)");
  print_missing(names);
  return kExitOk;
}

fs::path install_folder(const std::string& chosen) {
  return chosen.empty() ? ModelSearch::from_environment().install_folder : fs::path(chosen);
}

// What has the name of a model by mistake (a video, a database) is not replaced.
Status check_replaced(const fs::path& target) {
  std::error_code ignored;
  if (!fs::exists(target, ignored) || (fs::is_regular_file(target, ignored) && fs::file_size(target, ignored) == 0)) return {};
  const Result<std::string> text = model::read_model_text(target);
  if (text.ok() && model::parse_model_file(*text).ok()) return {};
  return Error{display_text(target.string()) + ": this is no model, and is not replaced; remove it, or rename the new file"};
}

// One file; false after a refusal, which is printed.
bool add_file(const std::string& file, const fs::path& folder, bool replace) {
  const auto refused = [](const std::string& sentence) { return refuse("vmafbatch", Error{sentence}) == kExitOk; };
  const Result<std::string> text = model::read_model_text(file);
  if (!text) return refused(text.error().message);
  if (Result<model::ModelFile> parsed = model::parse_model_file(*text); parsed.ok()) {  // what is no model, install_model tells
    if (const Status usable = check_usable(std::move(*parsed), file); !usable) return refused(usable.error().message);
  }
  const std::string name = fs::path(file).filename().string();
  const fs::path target = folder / name;
  std::error_code ignored;
  if (fs::exists(target, ignored)) {
    const Result<std::string> there = model::read_model_text(target);
    if (there.ok() && *there == *text) {
      fmt::print("{} is installed already\n", target.string());
      return true;
    }
    if (!replace)
      return refused(fmt::format("{} is there with another content; replace it with --replace, or rename the new file", target.string()));
  }
  if (Status replaced = check_replaced(target); !replaced.ok()) return refused(replaced.error().message);
  const Result<fs::path> installed = model::install_model(*text, name, folder);
  if (!installed) return refused(installed.error().message);
  fmt::print("installed {}; use it with --model {}\n", installed->string(), installed->stem().string());
  return true;
}

int add(const std::vector<std::string>& files, const std::string& to, bool replace) {
  const fs::path folder = install_folder(to);
  bool all = true;
  for (const std::string& file : files) all = add_file(file, folder, replace) && all;
  return all ? kExitOk : kExitError;
}

std::string known_names() {
  std::string names;
  for (const KnownModel& known : model::known_models()) names += (names.empty() ? "" : ", ") + std::string(known.name());
  return names;
}

// Shows how far a download is, on a terminal only.
void show_progress(model::FetchSettings& settings, const KnownModel& known) {
  if (::isatty(STDERR_FILENO) == 0) return;
  settings.progress = [name = known.name()](std::uint64_t received, std::uint64_t total) {
    if (received == 0) return;
    const std::string of = total > 0 ? fmt::format(" of {}", (total + 1023) / 1024) : "";
    tell_part(fmt::format("\r{}: {}{} KiB{}", name, (received + 1023) / 1024, of, received == total ? "\n" : ""));
  };
}

bool fetch_one(const KnownModel& known, const fs::path& folder, const std::string& from) {
  if (model::has_model(known, folder)) {
    fmt::print("{} is installed already\n", (folder / known.file_name).string());
    return true;
  }
  if (Status replaced = check_replaced(folder / known.file_name); !replaced.ok()) return refuse("vmafbatch", replaced.error()) == kExitOk;
  model::FetchSettings settings;
  if (!from.empty()) settings.base_url = from;
  show_progress(settings, known);
  const Result<fs::path> installed = model::fetch_model(known, folder, settings);
  if (!installed) return refuse("vmafbatch", installed.error()) == kExitOk;
  fmt::print("installed {}; use it with --model {}\n", installed->string(), known.name());
  return true;
}

int fetch(std::vector<std::string> names, const std::string& from, const std::string& to) {
  if (names.empty()) names.emplace_back(model::kDefaultModel);
  std::vector<const KnownModel*> wanted;
  for (const std::string& name : names) {
    wanted.push_back(model::find_known_model(name));
    if (wanted.back() == nullptr) {
      return refuse(
          "vmafbatch",
          Error{fmt::format("there is no published model \"{}\" that this program knows; known: {}. Install a file of your own with: "
                            "vmafbatch models add FILE",
                            name, known_names())});
    }
  }
  const fs::path folder = install_folder(to);
  bool all = true;
  for (const KnownModel* known : wanted) all = fetch_one(*known, folder, from) && all;
  return all ? kExitOk : kExitError;
}

struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> names;
  std::string from;
  std::string to;
  bool replace = false;
};

}  // namespace

void add_models(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* models = app.add_subcommand("models", "List the models that are found; install or download models");
  models->require_subcommand(0, 1);
  models->footer("Example:\n  vmafbatch models fetch vmaf_v0.6.1");
  models->callback([models, &exit_code] {
    if (models->get_subcommands().empty()) exit_code = list();
  });

  CLI::App* adding = models->add_subcommand("add", "Install model files, after checking that they are models");
  adding->add_option("FILE", arguments->files, "model files (JSON)")->required();
  adding->add_option("--to", arguments->to, "folder to install into; default: the program's, else the user's")->type_name("FOLDER");
  adding->add_flag("--replace", arguments->replace, "replace an installed model of that name");
  adding->footer("Example:\n  vmafbatch models add my_model.json");
  adding->callback([arguments, &exit_code] { exit_code = add(arguments->files, arguments->to, arguments->replace); });

  CLI::App* fetching = models->add_subcommand("fetch", "Download published models and check their SHA-256");
  fetching->add_option("NAME", arguments->names, "models; default: " + std::string(model::kDefaultModel));
  fetching
      ->add_option("--from", arguments->from, "address of a mirror of the folder of models; default: " + std::string(model::kModelBaseUrl))
      ->type_name("URL");
  fetching->add_option("--to", arguments->to, "folder to install into; default: the program's, else the user's")->type_name("FOLDER");
  fetching->footer("Example:\n  vmafbatch models fetch vmaf_v0.6.1 vmaf_b_v0.6.3");
  fetching->callback([arguments, &exit_code] { exit_code = fetch(arguments->names, arguments->from, arguments->to); });
}

}  // namespace vmafbatch::cli
