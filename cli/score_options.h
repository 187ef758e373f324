// The command line of `score`, and its translation into tasks.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/run.h"

namespace vmafbatch::cli {

struct ScoreOptions {
  std::string catalogue;
  std::string reference, distorted;
  std::string reference_dir, distorted_dir, match = "{stem}";
  std::vector<std::string> features, models;
  bool no_model = false;
  std::string output = "scores.db";
  std::string backend = "auto";
  std::string devices;        // "0,1"; empty: all
  std::string device_memory;  // empty: four fifths of a device's memory
  int threads = 0;            // 0: all processors
  std::string memory;         // empty: a quarter of the memory
  std::string simd = "best";
  std::optional<std::int64_t> frames;
  int subsample = 1;
  std::int64_t skip_reference = 0, skip_distorted = 0;
  std::string start, duration;
  std::string scale = "bicubic";
  std::string sync = "frame";
  bool strict_length = false;
  bool auto_align = false;
  std::optional<double> align_search_s;
  bool convert = false;
  bool fresh = false;
  bool retry_failed = false;
  std::string order = "catalogue";
  bool fail_fast = false;
  std::optional<std::int64_t> max_failures;
  int width = 0, height = 0;
  std::optional<int> bit_depth;
  std::string pixel_format = "420";
  std::string label;
  double checkpoint_s = 10;
  double clip_timeout_s = 0;  // 0: none
  bool quiet = false;
  std::string log_file;
};

// The options that say which pairs, and those that say what is measured, where, with how much memory. They write into `options`, which
// must outlive the parsing.
void add_input_options(CLI::App& command, ScoreOptions& options);
void add_measure_options(CLI::App& command, ScoreOptions& options);

// What a run will do, and what its user should know before it starts (one sentence each).
struct ScoreJob {
  std::vector<graph::ClipTask> tasks;
  graph::RunOptions run;
  std::vector<std::string> notes;
};

// Reads the catalogue, folders or pair, loads the models, and checks everything that can be checked before a clip is opened.
Result<ScoreJob> make_score_job(const ScoreOptions& options);

}  // namespace vmafbatch::cli
