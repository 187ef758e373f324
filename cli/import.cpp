// vmafbatch import LOG... -o DB: logs of libvmaf become scorings.
#include "store/import.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/kept_files.h"
#include "base/machine.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/tell.h"
#include "graph/run.h"

namespace vmafbatch::cli {
namespace {

struct ImportArguments {
  std::vector<std::string> logs;
  std::string output;
  std::string clip;
  std::string label;
  std::vector<std::string> renames;
  bool quiet = false;
};

std::string check_rename(const std::string& text) {
  const auto at = text.find('=');
  return at == std::string::npos || at == 0 || at + 1 == text.size() ? "\"" + text + "\" is not OLD=NEW" : std::string();
}

// The database, opened when the first log is fit.
class Target {
 public:
  explicit Target(std::string path) : path_(std::move(path)) {}

  Result<bool> store(const store::PreparedLog& log) {
    if (!writer_) {
      if (Status status = open(); !status.ok()) {
        is_broken_ = true;
        return status.error();
      }
    }
    auto stored = store::store_prepared_log(log, *writer_);
    is_broken_ = writer_->has_failed();
    return stored;
  }

  // Not the log but the database was the reason why one was not stored: no other will be.
  bool is_broken() const { return is_broken_; }

  Status close() {
    if (!writer_) return {};
    if (Status ended = writer_->end_run(); !ended.ok()) return ended;
    return writer_->close();
  }

 private:
  Status open() {
    store::OpenOptions options;
    options.tell = [](const std::string& text) { tell("vmafbatch import: " + text); };
    options.sync_commits = false;  // a power cut leaves the logs, and close() syncs
    auto writer = store::Writer::open(path_, options);
    if (!writer.ok()) return writer.error();
    writer_ = std::move(*writer);
    return writer_->begin_run(graph::describe_run(command_line_text()));
  }

  const std::string path_;
  std::unique_ptr<store::Writer> writer_;
  bool is_broken_ = false;
};

Status import_one(const std::string& path, const store::ImportOptions& options, Target& target, bool quiet) {
  const auto prepared = store::prepare_log(path, options);
  if (!prepared.ok()) return prepared.error();
  const auto stored = target.store(*prepared);
  if (!stored.ok()) return stored.error();
  if (quiet) return {};
  const std::string clip = display_text(prepared->record.clip);
  if (*stored) {
    fmt::print("{}: {} features, last frame {}, version {}\n", clip, prepared->log.columns.size() + prepared->log.aggregates.size(),
               prepared->log.frames - 1, display_text(prepared->record.program_version));
  } else {
    fmt::print("{}: is there already\n", clip);
  }
  return {};
}

store::ImportOptions options_of(const ImportArguments& arguments) {
  store::ImportOptions options;
  if (!arguments.clip.empty()) options.clip = arguments.clip;
  options.label = arguments.label;
  for (const std::string& text : arguments.renames) options.renames[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  return options;
}

int run(const ImportArguments& arguments) {
  const auto say = [](const Error& error) { return refuse("vmafbatch import", error); };
  if (!arguments.clip.empty() && arguments.logs.size() > 1) {
    return say(Error{"--clip names one clip, and there are several logs; give one log at a time"});
  }
  KeptFiles kept;
  for (const std::string& log : arguments.logs) kept.add(log, "a log to import");
  if (Status place = kept.check(arguments.output); !place.ok()) {
    say(place.error());
    return kExitError;
  }
  Target target(arguments.output);
  const store::ImportOptions options = options_of(arguments);
  size_t good = 0;
  for (const std::string& path : arguments.logs) {
    const Status status = import_one(path, options, target, arguments.quiet);
    if (status.ok()) {
      ++good;
    } else {
      say(status.error());
    }
    if (target.is_broken()) break;
  }
  if (target.is_broken()) return good == 0 ? kExitError : kExitDifferent;
  if (Status closed = target.close(); !closed.ok()) return say(closed.error());
  if (good == 0) return kExitError;
  return good == arguments.logs.size() ? kExitOk : kExitDifferent;
}

}  // namespace

void add_import(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app.add_subcommand("import", "Read libvmaf's logs (JSON, XML, CSV; also ffmpeg's libvmaf filter) into a database");
  command->add_option("logs", arguments->logs, "The logs; each becomes a scoring")->required()->type_name("LOG");
  command->add_option("-o,--output", arguments->output, "The database; it is made, or the scorings are added")->required()->type_name("DB");
  command->add_option("--clip", arguments->clip, "The clip's name, for one log (default: the log's file name without extension)");
  command->add_option("--label", arguments->label, "The scorings' label");
  command->add_option("--rename", arguments->renames, "OLD=NEW: store the log's feature OLD under the key NEW (can be given several times)")
      ->check(CLI::Validator(check_rename, ""))
      ->type_name("OLD=NEW")
      ->allow_extra_args(false);
  command->add_flag("--quiet", arguments->quiet, "Print nothing but errors");
  command->footer(
      "Features get the keys of `vmafbatch features`; libvmaf's internal names (VMAF_integer_feature_adm2_score) get their aliases\n"
      "(integer_adm2). Numbers are stored as the log has them: a log with six decimals differs from a scoring in the digits it left out\n"
      "(see `vmafbatch diff --help`). A null is stored as inf, a nan is left out; warnings say so. Pooled values are computed from the "
      "frames.\n"
      "A log that cannot be read is named and left out as a whole, the others are stored; so is one in which a frame, column, member or\n"
      "attribute stands twice, or a number that no double can hold (1e999).\n"
      "Exit code: 0 all logs are in the database, 1 some are not, 2 none is.\n"
      "Examples:\n"
      "  vmafbatch import old/*.json -o old.db && vmafbatch diff old.db new.db\n"
      "  vmafbatch import log.xml --clip film_720p --rename vmaf_hd=vmaf -o old.db");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace vmafbatch::cli
