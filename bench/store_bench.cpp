// How fast values reach a database on disk and how many bytes each takes there. VMAFBATCH_BENCH_DIR names the folder (default: the
// system's for temporary files, which must be on a disk for the figures to mean something).
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "store/diff.h"
#include "store/query.h"
#include "store/writer.h"

namespace vmafbatch::store {
namespace {

constexpr int kColumns = 20;

std::string bench_file(const char* name) {
  const char* folder = std::getenv("VMAFBATCH_BENCH_DIR");
  return ((folder != nullptr ? std::filesystem::path(folder) : std::filesystem::temp_directory_path()) / name).string();
}

// Scores have many different digits.
double value_at(int clip, int column, int frame) { return 50.0 + 40.0 * std::sin(0.1 * frame + column + 17.0 * clip); }

std::vector<ColumnSpec> columns() {
  std::vector<ColumnSpec> specs;
  for (int column = 0; column < kColumns; ++column)
    specs.push_back({"feature_" + std::to_string(column), ColumnScope::kFrame, "x", column});
  return specs;
}

bool check(benchmark::State& state, const Status& status) {
  if (!status.ok()) state.SkipWithError(status.error().message.c_str());
  return status.ok();
}

ScoringId begin(Writer& writer, int clip) {
  ScoringRecord record;
  record.clip = "clip_" + std::to_string(clip);
  record.options = "bench";
  const std::vector<ExtractorSpec> extractors = {{"x", ""}};
  const auto begun = writer.begin_scoring(record, columns(), extractors);
  return begun.ok() ? begun->id : 0;
}

// `clips` clips of `frames` frames, `lanes` at a time, with a commit every `commit_frames` frames; frame by frame as a run gives them.
Status fill(Writer& writer, int clips, int frames, int lanes, int commit_frames) {
  if (Status status = writer.begin_run({}); !status.ok()) return status;
  for (int first = 0; first < clips; first += lanes) {
    const int last = std::min(clips, first + lanes);
    std::vector<ScoringId> scorings;
    for (int clip = first; clip < last; ++clip) scorings.push_back(begin(writer, clip));
    for (int frame = 0; frame < frames; ++frame) {
      for (int clip = first; clip < last; ++clip) {
        for (int column = 0; column < kColumns; ++column) {
          const Status status = writer.add_value(scorings[static_cast<size_t>(clip - first)], column, frame, value_at(clip, column, frame));
          if (!status.ok()) return status;
        }
      }
      if ((frame + 1) % commit_frames != 0) continue;
      if (Status status = writer.commit(); !status.ok()) return status;
    }
    ScoringEnd end;
    end.frames = frames;
    for (const ScoringId scoring : scorings) {
      if (Status status = writer.finish_scoring(scoring, end); !status.ok()) return status;
    }
  }
  return writer.end_run();
}

Status write_database(const std::string& path, int clips, int frames, int lanes, int commit_frames) {
  std::filesystem::remove(path);
  auto writer = Writer::open(path);
  if (!writer.ok()) return writer.error();
  if (Status status = fill(**writer, clips, frames, lanes, commit_frames); !status.ok()) return status;
  return (*writer)->close();
}

// Arguments: clips, frames a clip, clips at a time, frames between commits. Open, pooling, final checkpoint and close are in the time.
void write_values(benchmark::State& state) {
  const std::string path = bench_file("vmafbatch_store_bench.db");
  const int clips = static_cast<int>(state.range(0));
  const int frames = static_cast<int>(state.range(1));
  for ([[maybe_unused]] auto iteration : state) {
    if (!check(state, write_database(path, clips, frames, static_cast<int>(state.range(2)), static_cast<int>(state.range(3))))) return;
  }
  const double values = static_cast<double>(clips) * frames * kColumns;
  state.counters["values/s"] = benchmark::Counter(values, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["clips/s"] = benchmark::Counter(clips, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes/value"] = static_cast<double>(std::filesystem::file_size(path)) / values;
  std::filesystem::remove(path);
}
BENCHMARK(write_values)
    ->ArgNames({"clips", "frames", "lanes", "commit"})
    ->Args({25, 2000, 1, 500})   // 1 M values, one long clip after the other
    ->Args({24, 2100, 4, 250})   // 1 M values, four lanes
    ->Args({24, 2100, 8, 20})    // 1 M values, slow clips: few frames between commits
    ->Args({1000, 12, 4, 1000})  // a thousand short clips
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Two equal databases of 1 M values.
void diff_values(benchmark::State& state) {
  const std::string before = bench_file("vmafbatch_diff_bench_old.db");
  const std::string after = bench_file("vmafbatch_diff_bench_new.db");
  if (!check(state, write_database(before, 25, 2000, 1, 500)) || !check(state, write_database(after, 25, 2000, 4, 500))) return;
  for ([[maybe_unused]] auto iteration : state) {
    std::ostringstream out;
    const auto summary = print_diff(before, after, DiffFormat::kText, out);
    if (!summary.ok() || summary->outcome != DiffOutcome::kEqual) state.SkipWithError("the databases are not equal");
  }
  state.counters["values/s"] = benchmark::Counter(25.0 * 2000 * kColumns, benchmark::Counter::kIsIterationInvariantRate);
  std::filesystem::remove(before);
  std::filesystem::remove(after);
}
BENCHMARK(diff_values)->Unit(benchmark::kMillisecond);

// One feature of one clip out of 1 M values.
void query_one_feature(benchmark::State& state) {
  const std::string path = bench_file("vmafbatch_query_bench.db");
  if (!check(state, write_database(path, 25, 2000, 1, 500))) return;
  for ([[maybe_unused]] auto iteration : state) {
    std::ostringstream out;
    check(state, run_query(path, "SELECT frame, value FROM frame_features WHERE clip = 'clip_7' AND feature = 'feature_3'",
                           OutputFormat::kCsv, out));
  }
  std::filesystem::remove(path);
}
BENCHMARK(query_one_feature)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vmafbatch::store
