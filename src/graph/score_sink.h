// The serial writer node's body: puts frames in order, stores them, and finishes clips.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/clip_outcome.h"
#include "graph/pair_words.h"
#include "graph/progress.h"
#include "graph/scoring.h"
#include "store/writer.h"

namespace vmafbatch::graph {

// One thread at a time. Never throws: the first error of the store makes failed() true, and everything after it is dropped.
class ScoreSink {
 public:
  // `checkpoint`: how often what is stored is made durable while clips run.
  ScoreSink(store::Writer& writer, ProgressCounters& progress, std::chrono::milliseconds checkpoint)
      : writer_(writer), progress_(progress), checkpoint_(checkpoint) {}

  void take(WriterMessage message) noexcept;

  // True once the store failed; any thread.
  bool failed() const { return failed_.load(); }
  // The store's error, once there is one.
  const std::optional<Error>& error() const { return error_; }
  // One entry per clip that ended, in the order of their ends.
  const std::vector<ClipOutcome>& outcomes() const { return outcomes_; }
  double seconds_in_store() const { return seconds_in_store_; }
  // Frames of interrupted runs that were not measured again.
  std::int64_t frames_resumed() const { return frames_resumed_; }

 private:
  Status handle(ClipBegin& begin);
  Status handle(FrameScores& frame);
  Status handle(ClipEnd& end);
  Status handle(ClipFailed& failed);
  Status begin_new(Scoring& scoring);
  Status resume(Scoring& scoring);
  void count_pair(Scoring& scoring, const PairFacts& facts);
  Status note_place(Scoring& scoring, size_t job, const FrameScores& frame);
  Status store_frame(FrameScores frame);
  // producer: the index of the extractor or model in producer_specs(); nothing: the clip itself.
  Status store_failure(Scoring& scoring, std::optional<size_t> producer, std::optional<std::int64_t> frame, const std::string& source,
                       const std::string& reason);
  Status finish(const ClipEnd& end);
  void fail(const Error& error);
  void checkpoint_if_due();
  ClipOutcome& outcome_of(Scoring& scoring);
  void end_clip(ClipOutcome outcome);

  store::Writer& writer_;
  ProgressCounters& progress_;
  std::chrono::milliseconds checkpoint_;
  std::chrono::steady_clock::time_point last_commit_ = std::chrono::steady_clock::now();
  double seconds_in_store_ = 0;
  std::int64_t frames_resumed_ = 0;
  std::optional<Error> error_;
  std::atomic<bool> failed_{false};
  std::map<const Scoring*, ClipEnd> ending_;  // ends whose last frames are still in the graph
  struct Running {
    Scoring* scoring;
    ClipOutcome outcome;
  };
  std::map<const Scoring*, Running> running_;  // begun and not ended
  std::vector<ClipOutcome> outcomes_;
};

}  // namespace vmafbatch::graph
