// vmafbatch score: decodes pairs, extracts features, stores them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/machine.h"
#include "base/simd.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/interrupt.h"
#include "cli/score_options.h"
#include "graph/progress.h"
#include "graph/run.h"
#include "store/writer.h"

namespace vmafbatch::cli {
namespace {

using store::ScoringStatus;

int refuse(const Error& error) {
  fmt::print(stderr, "vmafbatch: {}\n", error.message);
  log_error(error.message);
  return kExitError;
}

void note(const ScoreOptions& options, const std::string& text) {
  log_info(text);
  if (!options.quiet) fmt::print(stderr, "note: {}\n", text);
}

// Failures are always told; warnings unless --quiet.
void print_outcomes(const graph::RunSummary& summary, bool quiet) {
  for (const graph::ClipOutcome& clip : summary.clips) {
    for (const std::string& warning : clip.warnings) {
      const std::string text = clip.name + ": " + warning;
      log_warning(text);
      if (!quiet) fmt::print(stderr, "warning: {}\n", text);
    }
    for (const std::string& failure : clip.failures) {
      const std::string text = fmt::format("{}: {}: {}", store::status_name(clip.status), clip.name, failure);
      log_error(text);
      fmt::print(stderr, "{}\n", text);
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
  text +=
      fmt::format("; {} frames in {} ({:.1f} fps, {:.1f} % of it in SQLite, {} reference pictures decoded)", summary.frames,
                  graph::duration_text(summary.seconds), summary.seconds > 0 ? static_cast<double>(summary.frames) / summary.seconds : 0.0,
                  summary.seconds > 0 ? 100 * summary.seconds_in_store / summary.seconds : 0.0, summary.reference_frames_decoded);
  const bool is_failure = summary.kept_failed > 0;  // told even when quiet: it makes the exit code
  if (!quiet || is_failure) fmt::print(stderr, "{}: {}\n", output, text);
  log_info(output + ": " + text);
}

int exit_code_of(const graph::RunSummary& summary, bool single_pair) {
  if (summary.error) return kExitError;
  if (summary.interrupted) return kExitInterrupted;
  for (const graph::ClipOutcome& clip : summary.clips) {
    if (clip.status == ScoringStatus::kDone) continue;
    return single_pair && clip.status == ScoringStatus::kFailed ? kExitError : kExitDifferent;
  }
  return summary.kept_failed > 0 ? kExitDifferent : kExitOk;
}

int score(const ScoreOptions& options) {
  if (!options.log_file.empty()) {
    if (Status opened = open_log(options.log_file); !opened.ok()) return refuse(opened.error());
  }
  set_simd_mode(options.simd == "scalar" ? SimdMode::kScalar : SimdMode::kBest);
  Result<ScoreJob> job = make_score_job(options);
  if (!job.ok()) return refuse(job.error());
  job->run.command_line = command_line_text();
  Result<DeviceChoice> devices = choose_devices(options.backend, options.devices);
  if (!devices.ok()) return refuse(devices.error());
  devices->apply(job->run);
  for (const std::string& text : devices->notes) note(options, text);
  for (const std::string& text : job->notes) note(options, text);
  Result<std::unique_ptr<store::Writer>> writer = store::Writer::open(options.output);
  if (!writer.ok()) return refuse(writer.error());
  const size_t notes_at_start = (*writer)->notes().size();
  for (const std::string& text : (*writer)->notes()) note(options, text);

  graph::ProgressCounters progress;
  Result<graph::RunSummary> summary = Error{""};
  {
    using Style = graph::ProgressReporter::Style;
    const Style style = options.quiet ? Style::kSilent : isatty(STDERR_FILENO) != 0 ? Style::kBar : Style::kLines;
    const graph::ProgressReporter reporter(progress, style, stderr);
    summary = graph::run_tasks(job->tasks, job->run, **writer, stop_on_signals(), progress);
  }
  if (!summary.ok()) return refuse(summary.error());
  if (Status closed = (*writer)->close(); !closed.ok() && !summary->error) summary->error = closed.error();

  for (size_t i = notes_at_start; i < (*writer)->notes().size(); ++i) note(options, (*writer)->notes()[i]);
  print_outcomes(*summary, options.quiet);
  print_totals(*summary, options.output, options.quiet);
  if (summary->error) refuse(*summary->error);
  if (summary->interrupted && !options.quiet) {
    fmt::print(stderr, "stopped; what was scored is stored, run the same command again to go on\n");
  }
  return exit_code_of(*summary, options.catalogue.empty() && options.reference_dir.empty());
}

void add_input_options(CLI::App& command, ScoreOptions& o) {
  command.add_option("catalogue", o.catalogue, "CSV or JSON lines file of pairs; its columns are in the README")->type_name("CATALOGUE");
  command.add_option("--reference", o.reference, "the reference of a single pair")->type_name("FILE");
  command.add_option("--distorted", o.distorted, "the distorted video of a single pair")->type_name("FILE");
  command.add_option("--reference-dir", o.reference_dir, "a folder of references")->type_name("DIR");
  command.add_option("--distorted-dir", o.distorted_dir, "a folder of distorted videos")->type_name("DIR");
  command.add_option("--match", o.match, "how a distorted file's stem contains its reference's")
      ->type_name("PATTERN")
      ->capture_default_str();
  command.add_option("--frames", o.frames, "at most so many pairs of each clip")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}).description(""));
  command.add_option("--subsample", o.subsample, "report every N-th frame")->type_name("N")->check(CLI::Range(1, 1'000'000));
  command.add_option("--skip-reference", o.skip_reference, "drop N frames at the reference's start")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000}).description(""));
  command.add_option("--skip-distorted", o.skip_distorted, "drop N frames at the distorted video's start")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000}).description(""));
  command.add_option("--start", o.start, "cut both sides at this presentation time")->type_name("TIME");
  command.add_option("--duration", o.duration, "so long from --start on")->type_name("TIME");
  command.add_option("--scale", o.scale, "how a distorted video of another size is scaled to the reference's; none: an error")
      ->type_name("METHOD")
      ->capture_default_str();
  command.add_flag("--convert", o.convert, "accept RGB, and sides of different depth or chroma layout, by conversion");
  command.add_option("--width", o.width, "raw video: luma samples of a row")->type_name("N")->check(CLI::Range(1, 65536));
  command.add_option("--height", o.height, "raw video: luma rows")->type_name("N")->check(CLI::Range(1, 65536));
  command.add_option("--pixel-format", o.pixel_format, "raw video: 420, 422, 444, 400 or an FFmpeg name")->capture_default_str();
  command.add_option("--bit-depth", o.bit_depth, "raw video: 8, 10, 12 or 16")->check(CLI::IsMember({8, 10, 12, 16}));
}

void add_run_options(CLI::App& command, ScoreOptions& o) {
  command.add_option("--feature", o.features, "an extractor, NAME or NAME=OPTION=VALUE:...; may be repeated (see `vmafbatch features`)")
      ->type_name("FEATURE")
      ->allow_extra_args(false);
  CLI::Option* const model =
      command.add_option("--model", o.models, "a VMAF model, a file or a name, name=, flags and overloads behind colons; may be repeated")
          ->type_name("MODEL")
          ->allow_extra_args(false);
  command.add_flag("--no-model", o.no_model, "score no model, not those that a catalogue's rows name either")->excludes(model);
  command.add_option("-o,--output", o.output, "the database")->type_name("DB")->capture_default_str();
  command.add_option("--label", o.label, "tells several scorings of one clip apart")->type_name("TEXT");
  command
      .add_option("--backend", o.backend,
                  "where features are computed: auto takes a device where one is found, hip insists on one, hip-host runs the device "
                  "kernels on CPU threads (slow: for tests)")
      ->check(CLI::IsMember({"auto", "cpu", "hip", "hip-host"}))
      ->capture_default_str();
  command
      .add_option("--device", o.devices, "device numbers as `vmafbatch devices` lists them, 0,1; clips are spread over them (default: all)")
      ->type_name("LIST");
  command.add_option("--device-memory", o.device_memory, "of frames in flight on each device (default: four fifths of its memory)")
      ->type_name("SIZE");
  command.add_option("--threads", o.threads, "threads in all, decoders included (default: all processors)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_option("--memory", o.memory, "of frames in flight (default: a quarter of the memory)")->type_name("SIZE");
  command.add_option("--simd", o.simd, "scalar: the plain twin of every fast loop; the same bits")
      ->check(CLI::IsMember({"best", "scalar"}))
      ->capture_default_str();
  command.add_flag("--retry-failed", o.retry_failed, "score again what ended partial or failed in an earlier run");
  command.add_option("--checkpoint", o.checkpoint_s, "seconds between checkpoints")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command.add_flag("--quiet", o.quiet, "no progress, no warnings; failures are still told");
  command.add_option("--log-file", o.log_file, "append plain lines here")->type_name("FILE");
}

}  // namespace

void add_score(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = app.add_subcommand("score", "Score a catalogue, two folders or a pair into a database");
  add_input_options(*command, *options);
  add_run_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  vmafbatch score catalogue.csv --output scores.db --feature psnr --model vmaf_v0.6.1\n"
      "  vmafbatch score --reference-dir masters --distorted-dir encodes --match '{stem}_*' -o scores.db\n"
      "  vmafbatch score --reference a.yuv --distorted b.yuv --width 1920 --height 1080 --feature psnr=enable_mse=true");
  command->callback([options, &exit_code] { exit_code = score(*options); });
}

}  // namespace vmafbatch::cli
