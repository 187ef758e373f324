// Scores a list of pairs into a database: the one entry from the command line into the graph.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/progress.h"
#include "graph/score_sink.h"
#include "graph/scoring_plan.h"
#include "hip/device.h"
#include "io/catalogue.h"
#include "io/file_identity.h"
#include "io/scaler.h"
#include "io/sync.h"
#include "store/writer.h"

namespace vmafbatch::graph {

// One pair and what is asked of it: everything the command line and the catalogue said.
struct ClipTask {
  io::CatalogueRow row;
  std::shared_ptr<const ScoringRequest> request;
  std::string label;
  int subsample = 1;
  io::Scaler scaler = io::Scaler::kBicubic;
  io::Sync sync = io::Sync::kFrame;
  // As they were when the run began; nothing: not looked at, or look_error.
  std::optional<io::FileIdentity> reference_file{}, distorted_file{};
  // Why they could not be looked at. Then it is not known what of the clip is in the database, and it must not be scored over that.
  std::optional<Error> look_error{};
};

// In which order clips are taken; the values are the same.
enum class ClipOrder { kCatalogue, kLongestFirst };

struct RunOptions {
  int threads = 1;                        // TBB's workers and the decoders' threads together; at least 1
  size_t memory_bytes = size_t{1} << 30;  // of pictures and derived planes in flight
  bool convert = false;
  bool strict_length = false;              // sides of different length: a failure
  bool auto_align = false;                 // look for a constant offset before scoring, and skip frames so that it is gone
  std::optional<double> align_search_s{};  // look so far, under auto_align
  ClipOrder order = ClipOrder::kCatalogue;
  std::optional<std::int64_t> max_failures{};  // stop once more clips than that failed or are partial in this run
  bool fresh = false;                          // score everything, whatever the database holds of it
  bool retry_failed = false;                   // score again what ended partial or failed in an earlier run
  std::chrono::milliseconds checkpoint{10'000};
  std::optional<double> clip_timeout_s{};  // a clip that takes longer ends where it is (graph/clip_timeout.h); more than 0
  std::vector<hip::Device*> devices{};     // where twins run, clip by clip; empty: the CPU computes
  std::string device_backend = "hip";      // what the database says of them
  size_t device_memory_bytes = 0;          // in flight on each device; 0: four fifths of its memory
  std::string command_line{};
};

struct RunSummary {
  std::vector<ClipOutcome> clips;        // that ended in this run, in the order of their ends
  std::int64_t kept_failed = 0;          // of `kept`, failed or partial
  std::int64_t kept = 0;                 // that were in the database already
  std::int64_t kept_without_scores = 0;  // of `kept`, failed: they gave no value
  std::int64_t unfinished = 0;           // interrupted or not started
  std::int64_t reference_frames_decoded = 0;
  std::int64_t frames = 0;
  std::int64_t frames_resumed = 0;  // stored by an interrupted run and not measured again
  double seconds = 0;
  double seconds_in_store = 0;
  bool interrupted = false;
  bool gave_up = false;                   // more failures than max_failures, and clips were left
  std::vector<std::string> lost_devices;  // one sentence each: from that error on the CPU took their frames
  std::optional<Error> error;             // of the database, or no more files can be opened: what was stored is safe
};

// Runs until every task ended, `stop` became true (frames in flight are finished and stored), too many failed (as a stop) or the database
// failed. An error: nothing was scored, because the run could not start (a clip that is in the database with other options, say).
Result<RunSummary> run_tasks(const std::vector<ClipTask>& tasks, const RunOptions& options, store::Writer& writer,
                             const std::atomic<bool>& stop, ProgressCounters& progress);

// What a scoring's row says of its machine and program.
store::RunRecord describe_run(const std::string& command_line);

}  // namespace vmafbatch::graph
