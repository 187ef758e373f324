// One frame of one scoring on its way through the graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "extractors/extractor.h"
#include "graph/admission.h"
#include "graph/countdown.h"
#include "graph/luma_signature.h"
#include "io/frame.h"

namespace vmafbatch::graph {

struct Scoring;

// What one job found in one frame: written by the node that ran it, read by gather.
struct JobOutcome {
  bool measured = false;
  bool on_device = false;
  extractors::Measurements measurements;
  std::optional<std::string> failure;
};

// A complete frame, as the writer takes it.
struct FrameScores {
  struct Value {
    size_t column;
    double value;
  };
  struct Failure {
    size_t job;
    std::string reason;
  };
  enum class Place : std::uint8_t { kNowhere, kCpu, kDevice };

  std::shared_ptr<Scoring> scoring;
  std::int64_t index = 0;
  bool reported = true;
  bool identical = false;
  LumaSignature reference_luma;  // for the alignment
  LumaSignature distorted_luma;
  std::optional<double> reference_time_s;
  std::optional<double> distorted_time_s;
  std::vector<std::vector<Value>> values;        // by job
  std::vector<extractors::Measurements> series;  // by job; empty where finish() does not need it
  std::vector<Place> places;                     // by job: where it was measured
  std::vector<Failure> failures;
  std::shared_ptr<OpenStep> open_step;
};

struct FrameRecord {
  FrameRecord(std::shared_ptr<Scoring> owner, io::FrameWindow frames, bool is_reported, std::vector<size_t> jobs_to_run, size_t job_count,
              std::shared_ptr<OpenStep> step)
      : scoring(std::move(owner)),
        window(std::move(frames)),
        reported(is_reported),
        jobs(std::move(jobs_to_run)),
        outcomes(job_count),
        // One report for each job and one for the comparison of the two pictures.
        countdown(static_cast<int>(jobs.size()) + 1) {
    scores.index = window->index();
    scores.reported = reported;
    scores.values.resize(job_count);
    scores.series.resize(job_count);
    scores.places.resize(job_count, FrameScores::Place::kNowhere);
    scores.failures.reserve(job_count);
    scores.open_step = std::move(step);
  }

  std::shared_ptr<Scoring> scoring;
  std::optional<io::FrameWindow> window;  // dropped when the frame is complete: its pictures can then be freed
  bool reported;                          // false: measured for its neighbours' sake only (--subsample)
  std::vector<size_t> jobs;               // indices into the plan's jobs
  std::vector<JobOutcome> outcomes;       // by index into the plan's jobs
  Countdown countdown;
  FrameScores scores;  // filled and moved on by gather
};

// What a node is asked to do: job `job` of a frame.
struct JobMessage {
  std::shared_ptr<FrameRecord> record;
  size_t job = 0;
};

}  // namespace vmafbatch::graph
