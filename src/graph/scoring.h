// One clip under one set of options, on its way from the catalogue to the database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/alignment.h"
#include "graph/alignment_warnings.h"
#include "graph/frame_record.h"
#include "graph/scoring_plan.h"
#include "graph/sequencer.h"
#include "store/records.h"

namespace vmafbatch::graph {

struct Scoring {
  // Constant while the graph runs.
  std::string name;  // the clip
  int subsample = 1;
  ScoringPlan plan;
  std::string device_backend;  // "hip" or "hip-host", where a job has a twin
  std::string device_name;
  store::ScoringRecord record;
  std::vector<std::string> warnings;  // known when the clip was opened
  Skips skips;                        // under which its pictures are paired
  store::StoredPrefix prefix;         // what an interrupted run stored of it: those frames are not measured again

  // The writer's own; no other node touches it.
  struct Stored {
    std::optional<store::ScoringId> id;
    Sequencer<FrameScores> frames;
    std::int64_t identical_frames = 0;
    std::int64_t reported_frames = 0;
    std::int64_t values = 0;
    std::int64_t frames_counted = 0;  // until the last extractor failed: what comes behind does not count, however far decoding got
    // By job: where its frames were measured; a range lasts until the next one begins, or until the end.
    std::vector<std::vector<store::BackendRecord>> ranges;
    std::vector<std::optional<std::int64_t>> failed_at;  // by job: the first frame without values
    bool any_failure = false;
    Alignment alignment;
  };
  Stored stored;
};

// How the pictures of a clip ended.
struct ClipEnd {
  enum class Kind {
    kComplete,     // both sides ended, or as many frames were read as were asked for
    kDamaged,      // a side broke at `frames`: what came before is kept
    kInterrupted,  // the run was stopped: the scoring stays unfinished
  };
  std::shared_ptr<Scoring> scoring;
  Kind kind = Kind::kComplete;
  std::int64_t frames = 0;  // pairs that went into the graph
  std::string reason;       // kDamaged
  std::vector<std::string> warnings;
  std::int64_t decoded_reference = 0;
  std::int64_t decoded_distorted = 0;
  double seconds = 0;
  double decode_seconds = 0;
  std::optional<std::string> reference_hash{}, distorted_hash{};  // of files that were read as a whole
};

// A clip with no frame to score.
struct ClipFailed {
  std::string name;
  store::ScoringRecord record;
  std::string reason;
};

struct ClipBegin {
  std::shared_ptr<Scoring> scoring;
};

// What the serial writer node takes. Per scoring: ClipBegin, its frames in any order, ClipEnd (which may overtake frames).
using WriterMessage = std::variant<ClipBegin, FrameScores, ClipEnd, ClipFailed>;

}  // namespace vmafbatch::graph
