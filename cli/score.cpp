// vmafbatch score: decodes pairs, extracts features, stores them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/machine.h"
#include "base/number_text.h"
#include "base/open_files.h"
#include "base/simd.h"
#include "base/teller.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/interrupt.h"
#include "cli/number_check.h"
#include "cli/outputs.h"
#include "cli/score_options.h"
#include "cli/tell.h"
#include "graph/progress.h"
#include "graph/run.h"
#include "store/no_room.h"
#include "store/writer.h"

namespace vmafbatch::cli {
namespace {

using store::ScoringStatus;

int refuse(const Error& error) {
  log_error(error.message);
  return cli::refuse("vmafbatch", error);
}

void note(const ScoreOptions& options, const std::string& text) {
  log_info(text);
  if (!options.quiet) tell("note: " + text);
}

// Failures are always told; warnings unless --quiet. The log file has them from the moment at which each clip ended.
void print_outcomes(const graph::RunSummary& summary, bool quiet) {
  for (const graph::ClipOutcome& clip : summary.clips) {
    for (const std::string& warning : clip.warnings) {
      if (!quiet) tell("warning: " + clip.name + ": " + warning);
    }
    for (const std::string& failure : clip.failures) {
      tell(fmt::format("{}: {}: {}", store::status_name(clip.status), clip.name, failure));
    }
  }
}

void print_totals(const graph::RunSummary& summary, const std::string& output, bool quiet) {
  std::int64_t done = 0;
  std::int64_t partial = 0;
  std::int64_t failed = 0;
  for (const graph::ClipOutcome& clip : summary.clips) {
    if (clip.status == ScoringStatus::kDone) ++done;
    if (clip.status == ScoringStatus::kPartial) ++partial;
    if (clip.status == ScoringStatus::kFailed) ++failed;
  }
  std::string text = fmt::format("{} done", done);
  if (partial > 0) text += fmt::format(", {} partial", partial);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (summary.kept > 0) text += fmt::format(", {} kept from before", summary.kept);
  if (summary.kept_failed > 0)
    text += fmt::format(" ({} of them failed or partial: --retry-failed scores them again)", summary.kept_failed);
  if (summary.unfinished > 0) text += fmt::format(", {} unfinished", summary.unfinished);
  if (summary.frames_resumed > 0) text += fmt::format(", {} stored frames not measured again", summary.frames_resumed);
  text +=
      fmt::format("; {} frames in {} ({:.1f} fps, {:.1f} % of it in SQLite, {} reference pictures decoded)", summary.frames,
                  graph::duration_text(summary.seconds), summary.seconds > 0 ? static_cast<double>(summary.frames) / summary.seconds : 0.0,
                  summary.seconds > 0 ? 100 * summary.seconds_in_store / summary.seconds : 0.0, summary.reference_frames_decoded);
  const bool is_failure = summary.kept_failed > 0;  // told even when quiet: it makes the exit code
  if (!quiet || is_failure) tell(output + ": " + text);
  log_info(output + ": " + text);
}

// Told even when quiet: clips of the catalogue were not scored.
void print_gave_up(const graph::RunSummary& summary, const ScoreOptions& options) {
  const auto bad = std::ranges::count_if(summary.clips, [](const graph::ClipOutcome& clip) { return clip.status != ScoringStatus::kDone; });
  const std::string option = options.fail_fast ? "--fail-fast" : fmt::format("--max-failures {}", *options.max_failures);
  const std::string text = fmt::format(
      "stopped by {}, because {} failed or {} partial; {} not finished. What was scored is stored: run the same command again to go on "
      "with the "
      "others, or with --retry-failed to try the failed ones again, too",
      option, bad == 1 ? "1 clip" : fmt::format("{} clips", bad), bad == 1 ? "is" : "are",
      summary.unfinished == 1 ? "1 clip is" : fmt::format("{} clips are", summary.unfinished));
  log_error(text);
  tell(text);
}

// Where the database's place has less room than the rest of the catalogue will take.
void print_room_needed(const ScoreOptions& options, const graph::ProgressCounters& progress) {
  const std::optional<std::uint64_t> room = store::room_to_grow(options.output);
  const std::optional<std::uint64_t> needed = graph::bytes_left(progress);
  if (!room || !needed || *room >= *needed) return;
  const std::string text = fmt::format("the rest of the catalogue needs about {} in {}, and {} are free there: at least {} are missing",
                                       bytes_text(*needed), display_text(options.output), bytes_text(*room), bytes_text(*needed - *room));
  log_error(text);
  tell(text);
}

// The one pair of a command without a catalogue has no score at all, from this run or an earlier one.
bool is_lost_pair(const ScoreOptions& options, const graph::RunSummary& summary) {
  if (!options.catalogue.empty() || !options.reference_dir.empty()) return false;
  return summary.clips.empty() ? summary.kept_without_scores > 0 : summary.clips.front().status == ScoringStatus::kFailed;
}

int exit_code_of(const graph::RunSummary& summary, bool lost_pair) {
  if (summary.error) return kExitError;
  if (summary.interrupted) return kExitInterrupted;
  if (lost_pair) return kExitError;
  const bool all_done = std::ranges::all_of(summary.clips, [](const auto& clip) { return clip.status == ScoringStatus::kDone; });
  return all_done && summary.kept_failed == 0 ? kExitOk : kExitDifferent;
}

int score(const ScoreOptions& options) {
  raise_open_file_limit();
  set_simd_mode(options.simd == "scalar" ? SimdMode::kScalar : SimdMode::kBest);
  Result<ScoreJob> job = make_score_job(options);
  if (Status opened = open_log_file(options, job.ok() ? &*job : nullptr); !opened.ok()) return refuse(opened.error());
  if (!job.ok()) return refuse(job.error());
  if (Status place = check_database_place(options, *job); !place.ok()) return refuse(place.error());
  if (Status heatmaps = check_heatmaps(options, *job, options.output); !heatmaps.ok()) return refuse(heatmaps.error());
  job->run.command_line = command_line_text();
  Result<DeviceChoice> devices = choose_devices(options.backend, options.devices);
  if (!devices.ok()) return refuse(devices.error());
  devices->apply(job->run);
  for (const std::string& text : devices->notes) note(options, text);
  for (const std::string& text : job->notes) note(options, text);
  Result<std::unique_ptr<store::Writer>> writer = store::Writer::open(options.output, {.tell = [](const std::string& text) {
                                                                        log_warning(text);
                                                                        tell("note: " + text);
                                                                      }});
  if (!writer.ok()) return refuse(writer.error());
  const size_t notes_at_start = (*writer)->notes().size();
  for (const std::string& text : (*writer)->notes()) note(options, text);

  graph::ProgressCounters progress;
  Result<graph::RunSummary> summary = Error{""};
  {
    using Style = graph::ProgressReporter::Style;
    const Style style = options.quiet ? Style::kSilent : isatty(STDERR_FILENO) != 0 ? Style::kBar : Style::kLines;
    const graph::ProgressReporter reporter(progress, style, standard_error());
    summary = graph::run_tasks(job->tasks, job->run, **writer, stop_on_signals(options.fresh ? kFreshRunWords : kRunWords), progress);
  }
  if (!summary.ok()) return refuse(summary.error());
  if (Status closed = (*writer)->close(); !closed.ok() && !summary->error) summary->error = closed.error();

  for (size_t i = notes_at_start; i < (*writer)->notes().size(); ++i) note(options, (*writer)->notes()[i]);
  for (const std::string& reason : summary->lost_devices) {
    const std::string text = reason + "; the device was not used any more, the CPU scored what was left";
    log_warning(text);
    tell("warning: " + text);
  }
  print_outcomes(*summary, options.quiet);
  print_totals(*summary, options.output, options.quiet);
  if (summary->error) {
    refuse(*summary->error);
    print_room_needed(options, progress);
  }
  if (summary->interrupted && !options.quiet) {
    tell(fmt::format("stopped; what was scored is stored, run the same command again{} to go on", options.fresh ? " without --fresh" : ""));
  }
  if (summary->gave_up && !summary->interrupted) print_gave_up(*summary, options);
  return exit_code_of(*summary, is_lost_pair(options, *summary));
}

void add_run_options(CLI::App& command, ScoreOptions& o) {
  command.add_option("-o,--output", o.output, "the database")->type_name("DB")->capture_default_str();
  command.add_option("--label", o.label, "tells several scorings of one clip apart")->type_name("TEXT");
  command
      .add_option("--backend", o.backend,
                  "where features are computed: auto takes a device where one is found, hip insists on one, hip-host runs the device "
                  "kernels on CPU threads (slow: for tests)")
      ->check(CLI::IsMember({"auto", "cpu", "hip", "hip-host"}))
      ->capture_default_str();
  command.add_flag("--fresh", o.fresh,
                   "score everything anew, also what the database holds already; what ended before stays in the all_ views");
  command.add_flag("--retry-failed", o.retry_failed, "score again what ended partial or failed in an earlier run");
  command.add_option("--order", o.order, "which clips are taken first: as the catalogue has them, or the largest files first")
      ->check(CLI::IsMember({"catalogue", "longest-first"}))
      ->capture_default_str();
  CLI::Option* const fail_fast = command.add_flag("--fail-fast", o.fail_fast, "stop, as Ctrl-C does, once a clip failed or is partial");
  command.add_option("--max-failures", o.max_failures, "stop, as Ctrl-C does, once more than N clips failed or are partial")
      ->type_name("N")
      ->transform(whole_number(0))
      ->excludes(fail_fast);
  command
      .add_option("--clip-timeout", o.clip_timeout_s,
                  "end a clip that takes longer where it is, and go on with the next: seconds, or 90s, 1.5m, 2h; 0: none")
      ->type_name("TIME")
      ->transform(seconds(0, 31'536'000))
      ->capture_default_str();
  command.add_option("--checkpoint", o.checkpoint_s, "time between checkpoints: seconds, or 500ms, 10s, 1.5m, 2h")
      ->type_name("TIME")
      ->transform(seconds(0, 86400))
      ->capture_default_str();
  command.add_flag("--quiet", o.quiet, "no progress, no warnings; failures are still told");
  command.add_option("--log-file", o.log_file, "append plain lines to this file, for the morning after")->type_name("FILE");
}

}  // namespace

void add_score(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = app.add_subcommand("score", "Score a catalogue, two folders or a pair into a database");
  add_input_options(*command, *options);
  add_measure_options(*command, *options);
  add_run_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  vmafbatch score catalogue.csv --output scores.db --feature psnr --model vmaf_v0.6.1\n"
      "  vmafbatch score --reference-dir masters --distorted-dir encodes --match '{stem}_*' -o scores.db\n"
      "  vmafbatch score --reference a.yuv --distorted b.yuv --width 1920 --height 1080 --feature psnr=enable_mse=true");
  command->callback([options, &exit_code] { exit_code = score(*options); });
}

}  // namespace vmafbatch::cli
