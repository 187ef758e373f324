#include "graph/run.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "base/log.h"
#include "base/machine.h"
#include "base/version.h"
#include "graph/clip_record.h"
#include "graph/clip_timeout.h"
#include "graph/decode_lane.h"
#include "graph/device_set.h"
#include "graph/file_shortage.h"
#include "graph/pair_words.h"
#include "graph/scoring_graph.h"
#include "graph/task_order.h"
#include "io/frame_pool.h"

namespace vmafbatch::graph {
namespace {

// How `threads` are shared between the arena, the lanes that run in it, and the decoders' own threads.
struct ThreadPlan {
  size_t lanes = 1;
  int decoder_threads = 1;  // 1: the decoder works in its lane's thread
  int arena = 1;
};

ThreadPlan plan_threads(int threads, const std::vector<ClipGroup>& groups) {
  ThreadPlan plan;
  plan.lanes = std::clamp<size_t>(groups.size(), 1, static_cast<size_t>(threads));
  plan.arena = threads;
  size_t files = 2;  // that one lane decodes
  for (const ClipGroup& group : groups) files = std::max(files, group.size() + 1);
  // Few clips on many cores: one decoding thread per file would starve the extractors. A quarter of the cores goes to the decoders.
  constexpr int kMostThreadsPerDecoder = 8;
  const int decoders = static_cast<int>(plan.lanes * files);
  const int spare = threads / 4 / decoders;
  if (spare >= 2) {
    plan.decoder_threads = std::min(spare, kMostThreadsPerDecoder);
    plan.arena = threads - decoders * plan.decoder_threads;
  }
  return plan;
}

// How many steps may be open at once.
size_t open_steps(const RunOptions& options, size_t lanes) {
  // Frames whose scores the disk has not taken yet: far more than are ever measured at once.
  constexpr size_t kOnCpu = 4096;
  // Pinned pictures are dear to make and are used again: enough for the device's frames, those on their way, one in each lane, and one
  // on each thread for the extractors that have no twin.
  constexpr size_t kPerDevice = 16;
  if (options.devices.empty()) return kOnCpu;
  return lanes + kPerDevice * options.devices.size() + static_cast<size_t>(options.threads);
}

// What is left to do, in the order of the tasks, and what is not.
struct Work {
  std::vector<ClipTask> tasks;
  std::vector<store::StoredPrefix> prefixes;  // by task: what an interrupted run left of it; no frames where it begins anew
  std::vector<std::pair<store::EndedScoring, store::Tags>> kept;
};

// The frames of an interrupted scoring that need not be measured again; none where rows are damaged.
Result<store::StoredPrefix> stored_prefix(const store::ScoringRecord& record, store::Writer& writer) {
  Result<std::optional<store::StoredPrefix>> found = writer.find_unfinished(record);
  if (!found.ok()) return found.error();
  if (!found->has_value()) return store::StoredPrefix{};
  const Result<std::vector<std::vector<std::uint64_t>>> pairs = writer.pairs((*found)->id);
  if (!pairs.ok()) return pairs.error();
  if (!std::ranges::all_of(*pairs, [](const auto& words) { return pair_facts(words).has_value(); })) {
    log_warning(record.clip + ": what an interrupted run stored of it is damaged; it is scored from its first frame");
    return store::StoredPrefix{};
  }
  return std::move(**found);
}

// A run that was to score it again (--fresh, --retry-failed) may have been interrupted: that one goes on.
bool is_kept(const store::EndedScoring& ended, const store::StoredPrefix& unfinished, const RunOptions& options) {
  if (options.fresh || (unfinished.frames > 0 && unfinished.id > ended.id)) return false;
  return ended.status == store::ScoringStatus::kDone || !options.retry_failed;
}

// Which of them the database has, under any label.
Result<std::vector<bool>> known_clips(const std::vector<ClipTask>& tasks, store::Writer& writer) {
  std::vector<bool> known;
  for (const ClipTask& task : tasks) {
    const Result<bool> has = writer.has_clip(task.row.name);
    if (!has.ok()) return has.error();
    known.push_back(*has);
  }
  return known;
}

// An error where a clip is in the database with other options. Of a clip that the database does not know no file is looked at: on a network
// mount that takes its time. `limits`: of one look.
Result<Work> work_to_do(const std::vector<ClipTask>& tasks, const RunOptions& options, store::Writer& writer,
                        const std::function<io::ReadLimits()>& limits) {
  Work work;
  const Result<std::vector<bool>> known = known_clips(tasks, writer);
  if (!known.ok()) return known.error();
  const auto is_looked_at = [&](size_t index) { return (*known)[index] || options.order == ClipOrder::kLongestFirst; };
  std::vector<std::string> paths;
  for (size_t index = 0; index < tasks.size(); ++index) {
    if (is_looked_at(index)) paths.insert(paths.end(), {tasks[index].row.reference, tasks[index].row.distorted});
  }
  io::FileLook look;
  look.expect(paths);
  for (size_t index = 0; index < tasks.size(); ++index) {
    ClipTask task = tasks[index];
    if (is_looked_at(index)) look_at_files(task, look, limits());
    if (!(*known)[index]) task.look_error.reset();  // its reader will say it
    store::StoredPrefix prefix;
    if ((*known)[index]) {
      const store::ScoringRecord record = identity_record(task, options);
      const Result<std::optional<store::EndedScoring>> ended = writer.find_ended(record);
      if (!ended.ok()) return ended.error();
      Result<store::StoredPrefix> stored = options.fresh ? store::StoredPrefix{} : stored_prefix(record, writer);
      if (!stored.ok()) return stored.error();
      if (*ended && is_kept(**ended, *stored, options)) {
        work.kept.emplace_back(**ended, task.row.tags);
        continue;
      }
      prefix = std::move(*stored);
      if (prefix.frames > 0) {
        task.request = std::make_shared<const ScoringRequest>(in_stored_order(*task.request, prefix.extractors));
      }
    }
    work.tasks.push_back(std::move(task));
    work.prefixes.push_back(std::move(prefix));
  }
  return work;
}

Status keep_ended(const Work& work, store::Writer& writer, ProgressCounters& progress, RunSummary& summary) {
  for (const auto& [ended, tags] : work.kept) {
    if (Status kept = writer.keep(ended, tags); !kept.ok()) return kept;
    if (ended.status != store::ScoringStatus::kDone) ++summary.kept_failed;
    if (ended.status == store::ScoringStatus::kFailed) ++summary.kept_without_scores;
  }
  summary.kept = static_cast<std::int64_t>(work.kept.size());
  progress.clips_ended.fetch_add(summary.kept);
  progress.clips_kept.fetch_add(summary.kept);
  return {};
}

// What the parts of the run counted.
void take_counts(RunSummary& summary, const ScoreSink& sink, const LaneContext& context) {
  for (size_t i = 0; i < context.devices.size(); ++i) {
    if (std::optional<std::string> reason = context.devices.queue(i).retired()) summary.lost_devices.push_back(std::move(*reason));
  }
  summary.clips = sink.outcomes();
  summary.error = sink.error();
  summary.frames_resumed = sink.frames_resumed();
  summary.seconds_in_store = sink.seconds_in_store();
  summary.reference_frames_decoded = context.reference_frames_decoded.load();
  summary.frames = context.progress.frames_scored.load();
}

}  // namespace

store::RunRecord describe_run(const std::string& command_line) {
  return {command_line, std::string(kVersion), c_library_text(), processor_text(), host_name()};
}

Result<RunSummary> run_tasks(const std::vector<ClipTask>& tasks, const RunOptions& options, store::Writer& writer,
                             const std::atomic<bool>& stop, ProgressCounters& progress) {
  const auto start = std::chrono::steady_clock::now();
  RunSummary summary;
  progress.clips_total.store(static_cast<std::int64_t>(tasks.size()));
  FileShortage shortage;
  const ClipTimeout timeout(options.clip_timeout_s, [&](int error) { shortage.meet(error); });
  const Result<Work> work = work_to_do(tasks, options, writer, [&] { return timeout.limits(1, [&] { return stop.load(); }); });
  if (!work.ok()) return work.error();
  if (Status begun = writer.begin_run(describe_run(options.command_line)); !begun.ok()) return begun.error();
  if (Status kept = keep_ended(*work, writer, progress, summary); !kept.ok()) return kept.error();

  std::vector<ClipGroup> groups = group_tasks(work->tasks);
  if (options.order == ClipOrder::kLongestFirst) put_longest_first(work->tasks, groups);
  const ThreadPlan threads = plan_threads(options.threads, groups);
  Admission admission(options.memory_bytes, open_steps(options, threads.lanes));
  Result<std::unique_ptr<DeviceSet>> devices = DeviceSet::open(options);
  if (!devices.ok()) return devices.error();
  io::FramePool pool(options.memory_bytes / 4, (*devices)->picture_memory());
  ScoreSink sink(writer, progress, options.checkpoint);
  const auto too_many_failed = [&] { return options.max_failures && progress.clips_failed.load() > *options.max_failures; };
  LaneContext context{.tasks = work->tasks,
                      .prefixes = work->prefixes,
                      .groups = groups,
                      .options = options,
                      .decoder_threads = threads.decoder_threads,
                      .pool = pool,
                      .admission = admission,
                      .devices = **devices,
                      .progress = progress,
                      .should_stop = [&] { return stop.load() || sink.failed() || too_many_failed() || shortage.is_met(); },
                      .timeout = timeout,
                      .send_frame = {},
                      .send_writer = {}};

  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads.arena));
  oneapi::tbb::task_arena arena(threads.arena);
  arena.execute([&] {
    ScoringGraph graph(context, sink, threads.lanes);
    graph.run();
    admission.shut();  // pictures that are freed with the lanes must not start a step any more
  });

  take_counts(summary, sink, context);
  summary.unfinished = static_cast<std::int64_t>(tasks.size()) - summary.kept - static_cast<std::int64_t>(summary.clips.size());
  summary.interrupted = stop.load();
  summary.gave_up = too_many_failed() && summary.unfinished > 0;
  if (!summary.error) {
    if (Status ended = writer.end_run(); !ended.ok()) summary.error = ended.error();
  }
  if (!summary.error) summary.error = shortage.error();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

}  // namespace vmafbatch::graph
