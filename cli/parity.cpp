// vmafbatch parity: does another backend give the same bits on this machine and this content?
#include "store/parity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/machine.h"
#include "base/open_files.h"
#include "base/simd.h"
#include "base/teller.h"
#include "cli/commands.h"
#include "cli/device_choice.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/score_options.h"
#include "cli/tell.h"
#include "graph/progress.h"
#include "graph/run.h"
#include "store/writer.h"

namespace vmafbatch::cli {
namespace {

struct ParityOptions {
  ScoreOptions score;
  std::string backends = "cpu,hip";
  bool allow_fallback = false;
  std::string keep;  // folder that keeps the databases
};

// A folder that goes with its owner.
class Workplace {
 public:
  explicit Workplace(std::string keep) : keep_(!keep.empty()), folder_(std::move(keep)) {}
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    if (!keep_ && !folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  Status make() {
    std::error_code failed;
    if (keep_) {
      std::filesystem::create_directories(folder_, failed);
      if (failed) return Error{"--keep " + folder_ + ": " + failed.message()};
      if (!std::filesystem::is_empty(folder_, failed) || failed) return Error{"--keep takes an empty folder, and " + folder_ + " is not"};
      return {};
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "vmafbatch_parity_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return Error{"no temporary folder can be made at " + pattern};
    folder_ = pattern;
    return {};
  }
  std::string path(const std::string& name) const { return (std::filesystem::path(folder_) / name).string(); }

 private:
  bool keep_;
  std::string folder_;
};

Result<std::pair<std::string, std::string>> two_backends(const std::string& text) {
  const size_t comma = text.find(',');
  const auto known = [](const std::string& name) { return name == "cpu" || name == "hip" || name == "hip-host"; };
  if (comma != std::string::npos && text.substr(0, comma) == text.substr(comma + 1)) {
    return Error{"--backends names \"" + text.substr(0, comma) + "\" twice; a backend equals itself, so name two"};
  }
  if (comma != std::string::npos && known(text.substr(0, comma)) && known(text.substr(comma + 1))) {
    return std::pair(text.substr(0, comma), text.substr(comma + 1));
  }
  return Error{"--backends takes two of cpu, hip and hip-host with a comma between them, not \"" + text + "\""};
}

// Scores everything on one backend into a fresh database.
Result<graph::RunSummary> score_on(const ScoreOptions& options, const DeviceChoice& devices, const std::string& database) {
  Result<ScoreJob> job = make_score_job(options);
  if (!job.ok()) return job.error();
  if (Status heatmaps = check_heatmaps(options, *job, database); !heatmaps.ok()) return heatmaps.error();
  job->run.command_line = command_line_text();
  devices.apply(job->run);
  Result<std::unique_ptr<store::Writer>> writer = store::Writer::open(database);
  if (!writer.ok()) return writer.error();
  graph::ProgressCounters progress;
  using Style = graph::ProgressReporter::Style;
  const Style style = options.quiet ? Style::kSilent : isatty(STDERR_FILENO) != 0 ? Style::kBar : Style::kLines;
  Result<graph::RunSummary> summary = Error{""};
  {
    const graph::ProgressReporter reporter(progress, style, standard_error());
    summary = graph::run_tasks(job->tasks, job->run, **writer, stop_on_signals(), progress);
  }
  if (Status closed = (*writer)->close(); !closed.ok()) return closed.error();
  if (summary.ok() && summary->error) return *summary->error;
  return summary;
}

void print_speed(const std::string& backend, const graph::RunSummary& summary) {
  fmt::print("{:<9} {} frames in {:.2f} s, {:.1f} frames per second\n", backend, summary.frames, summary.seconds,
             summary.seconds > 0 ? static_cast<double>(summary.frames) / summary.seconds : 0.0);
}

// True where every clip is done.
bool print_failures(const std::string& backend, const graph::RunSummary& summary) {
  bool all_done = true;
  for (const graph::ClipOutcome& clip : summary.clips) {
    all_done = all_done && clip.status == store::ScoringStatus::kDone;
    for (const std::string& failure : clip.failures) tell(fmt::format("{}: {}: {}", backend, clip.name, failure));
  }
  return all_done;
}

// The table, and whether all is equal and where it was asked to be.
bool print_rows(const std::vector<store::ParityRow>& rows, bool allow_fallback) {
  fmt::print("{:<24} {:>10} {:>10} {:>12}  {}\n", "extractor", "values", "identical", "worst", "where");
  bool good = true;
  std::int64_t values = 0;
  std::int64_t identical = 0;
  std::int64_t fallbacks = 0;
  for (const store::ParityRow& row : rows) {
    fmt::print("{:<24} {:>10} {:>10} {:>12.6g}  {}\n", row.source, row.values, row.identical, row.worst, row.worst_at);
    for (const std::string& fallback : row.fallbacks) fmt::print("    {}\n", fallback);
    good = good && row.values == row.identical;
    fallbacks += static_cast<std::int64_t>(row.fallbacks.size());
    values += row.values;
    identical += row.identical;
  }
  fmt::print("identical {} of {}, {} not on the backend that was asked for\n", identical, values, fallbacks);
  return good && (allow_fallback || fallbacks == 0);
}

int parity(const ParityOptions& options) {
  raise_open_file_limit();
  set_simd_mode(options.score.simd == "scalar" ? SimdMode::kScalar : SimdMode::kBest);
  const auto backends = two_backends(options.backends);
  if (!backends.ok()) return refuse("vmafbatch parity", backends.error());
  Workplace workplace(options.keep);
  if (Status made = workplace.make(); !made.ok()) return refuse("vmafbatch parity", made.error());
  const std::string first = workplace.path("first.db");
  const std::string second = workplace.path("second.db");
  // Both before the first clip: what cannot be used is told at once.
  const auto choose = [&](const std::string& backend) { return choose_devices(backend, backend == "cpu" ? "" : options.score.devices); };
  const Result<DeviceChoice> devices_a = choose(backends->first);
  if (!devices_a.ok()) return refuse("vmafbatch parity", devices_a.error());
  const Result<DeviceChoice> devices_b = choose(backends->second);
  if (!devices_b.ok()) return refuse("vmafbatch parity", devices_b.error());
  const Result<graph::RunSummary> a = score_on(options.score, *devices_a, first);
  if (!a.ok()) return refuse("vmafbatch parity", a.error());
  const Result<graph::RunSummary> b = score_on(options.score, *devices_b, second);
  if (!b.ok()) return refuse("vmafbatch parity", b.error());
  if (a->interrupted || b->interrupted) return kExitInterrupted;
  print_speed(backends->first, *a);
  print_speed(backends->second, *b);
  const bool first_done = print_failures(backends->first, *a);
  const bool second_done = print_failures(backends->second, *b);
  const auto rows = store::compare_backends({first, backends->first}, {second, backends->second});
  if (!rows.ok()) return refuse("vmafbatch parity", rows.error());
  if (rows->empty()) return refuse("vmafbatch parity", Error{"no clip gave a value; nothing was compared"});
  return print_rows(*rows, options.allow_fallback) && first_done && second_done ? kExitOk : kExitDifferent;
}

}  // namespace

void add_parity(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ParityOptions>();
  CLI::App* command = app.add_subcommand("parity", "Score on two backends and compare every double's bits");
  add_input_options(*command, options->score);
  add_measure_options(*command, options->score);
  command->add_option("--backends", options->backends, "the two to compare, of cpu, hip and hip-host")
      ->type_name("A,B")
      ->capture_default_str();
  command->add_flag("--allow-fallback", options->allow_fallback, "extractors that ran elsewhere than asked do not make the exit code 1");
  command->add_option("--keep", options->keep, "an empty folder that keeps the two databases, first.db and second.db")->type_name("DIR");
  command->add_flag("--quiet", options->score.quiet, "no progress");
  command->footer(
      "Exit code: 0 all clips scored, identical and on the backends that were asked for, 1 not, 2 nothing to compare.\n"
      "Example:\n"
      "  vmafbatch parity catalogue.csv --backends cpu,hip --feature psnr --feature motion");
  command->callback([options, &exit_code] { exit_code = parity(*options); });
}

}  // namespace vmafbatch::cli
