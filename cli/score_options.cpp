#include "cli/score_options.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include "base/machine.h"
#include "base/number_text.h"
#include "cli/model_use.h"
#include "extractors/registry.h"
#include "model/known_models.h"
#include "model/predictor.h"

namespace vmafbatch::cli {
namespace {

using graph::ClipTask;
using graph::ScoringRequest;
using io::CatalogueRow;

// What is scored where nobody asks for anything.
const std::vector<std::string> kDefaultFeatures = {"psnr", "motion"};

// Requests are built once per distinct text: a catalogue of ten thousand rows has a handful.
class RequestBuilder {
 public:
  explicit RequestBuilder(const ScoreOptions& options) : options_(options) {}

  Result<std::shared_ptr<const ScoringRequest>> build(const CatalogueRow& row) {
    const std::vector<std::string>& features = row.features.empty() ? options_.features : row.features;
    const std::vector<std::string>& models = row.models.empty() ? options_.models : row.models;
    std::string key;
    for (const std::string& feature : features) key += feature + "\n";
    key += "\n";
    for (const std::string& model : models) key += model + "\n";
    if (const auto known = built_.find(key); known != built_.end()) return known->second;
    Result<ScoringRequest> made = make(features, options_.no_model ? std::vector<std::string>{} : models);
    if (!made.ok()) return made.error();
    auto request = std::make_shared<const ScoringRequest>(std::move(*made));
    built_.emplace(key, request);
    return std::shared_ptr<const ScoringRequest>(request);
  }

  // What the user should know of the choice, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Result<ScoringRequest> make(std::vector<std::string> features, const std::vector<std::string>& models) {
    std::vector<std::shared_ptr<const model::Model>> loaded;
    for (const std::string& text : models) {
      Result<std::shared_ptr<const model::Model>> model = load(text);
      if (!model.ok()) return model.error();
      loaded.push_back(*model);
    }
    if (features.empty() && loaded.empty()) {
      features = kDefaultFeatures;
      if (!options_.no_model) add_default_model(loaded);
    }
    std::vector<extractors::FeatureRequest> requests;
    for (const std::string& text : features) {
      Result<extractors::FeatureRequest> request = extractors::parse_feature(text);
      if (!request.ok()) return request.error();
      requests.push_back(std::move(*request));
    }
    return graph::make_request(std::move(requests), std::move(loaded));
  }

  void add_default_model(std::vector<std::shared_ptr<const model::Model>>& loaded) {
    const std::string name(model::kDefaultModel);
    if (!model::find_model(name, search_).ok()) {
      notes_.emplace_back("no VMAF model was found, so psnr and motion are scored; `vmafbatch models fetch` gets one");
    } else if (Result<std::shared_ptr<const model::Model>> model = load("version=" + name); model.ok()) {
      loaded.push_back(*model);
    } else {
      notes_.push_back("the default model is left out: " + model.error().message);
    }
  }

  Result<std::shared_ptr<const model::Model>> load(const std::string& text) {
    const Result<model::ModelSpec> spec = model::parse_model_spec(text, std::filesystem::path(options_.catalogue).parent_path());
    if (!spec.ok()) return spec.error();
    Result<model::Model> model = model::Model::load(*spec, search_, feature_provider());
    if (!model.ok()) return model.error();
    for (const model::OptionOverload& overload : model->unused_overloads()) {
      notes_.push_back("model " + text + ": " + overload.text() + " has no effect, because the model does not use " + overload.extractor);
    }
    return std::shared_ptr<const model::Model>(std::make_shared<const model::Model>(std::move(*model)));
  }

  const ScoreOptions& options_;
  model::ModelSearch search_ = model::ModelSearch::from_environment();
  std::map<std::string, std::shared_ptr<const ScoringRequest>> built_;
  std::vector<std::string> notes_;
};

Result<std::optional<io::RawGeometry>> geometry(const ScoreOptions& options) {
  if (options.width == 0 && options.height == 0) return std::optional<io::RawGeometry>();
  if (options.width <= 0 || options.height <= 0) {
    return Error{"raw video needs both --width and --height, and both greater than 0"};
  }
  io::RawGeometry raw;
  raw.width = options.width;
  raw.height = options.height;
  raw.pixel_format = options.pixel_format;
  raw.bit_depth = options.bit_depth;
  return std::optional(raw);
}

Result<std::optional<double>> time_option(const char* name, const std::string& text) {
  if (text.empty()) return std::optional<double>();
  const std::optional<double> seconds = io::parse_time(text);
  if (!seconds) return Error{std::string(name) + " is a time such as 12.5, 90s, 1.5m or HH:MM:SS.mmm, not \"" + text + "\""};
  return seconds;
}

Result<std::vector<CatalogueRow>> read_rows(const ScoreOptions& options, std::vector<std::string>& notes) {
  const int ways = static_cast<int>(!options.catalogue.empty()) +
                   static_cast<int>(!options.reference.empty() || !options.distorted.empty()) +
                   static_cast<int>(!options.reference_dir.empty() || !options.distorted_dir.empty());
  if (ways != 1) {
    return Error{"name what to score in one way: a catalogue file, --reference with --distorted, or --reference-dir with --distorted-dir"};
  }
  if (!options.catalogue.empty()) {
    if (options.width != 0) return Error{"--width and --height are for a pair or folders; a catalogue has columns for them"};
    return io::read_catalogue(options.catalogue);
  }
  const Result<std::optional<io::RawGeometry>> raw = geometry(options);
  if (!raw.ok()) return raw.error();
  std::vector<CatalogueRow> rows;
  if (!options.reference_dir.empty() || !options.distorted_dir.empty()) {
    if (options.reference_dir.empty() || options.distorted_dir.empty()) return Error{"--reference-dir and --distorted-dir go together"};
    Result<io::FolderMatch> matched = io::match_folders(options.reference_dir, options.distorted_dir, options.match);
    if (!matched.ok()) return matched.error();
    std::ranges::move(matched->unmatched, std::back_inserter(notes));
    std::ranges::move(matched->unused, std::back_inserter(notes));
    rows = std::move(matched->rows);
  } else {
    if (options.reference.empty() || options.distorted.empty()) return Error{"--reference and --distorted go together"};
    CatalogueRow row;
    row.reference = options.reference;
    row.distorted = options.distorted;
    row.name = std::filesystem::path(options.distorted).stem().string();
    rows.push_back(std::move(row));
  }
  for (CatalogueRow& row : rows) row.reference_raw = row.distorted_raw = *raw;
  return rows;
}

// What the row does not say comes from the command line.
Status fill_in(CatalogueRow& row, const ScoreOptions& options) {
  const Result<std::optional<double>> start = time_option("--start", options.start);
  if (!start.ok()) return start.error();
  const Result<std::optional<double>> duration = time_option("--duration", options.duration);
  if (!duration.ok()) return duration.error();
  if (!row.start_s) row.start_s = *start;
  if (!row.duration_s) row.duration_s = *duration;
  if (row.skip_reference == 0) row.skip_reference = options.skip_reference;
  if (row.skip_distorted == 0) row.skip_distorted = options.skip_distorted;
  if (!row.frames) row.frames = options.frames;
  if (!row.scale) row.scale = options.scale;
  if (!row.subsample) row.subsample = options.subsample;
  if (!row.sync) row.sync = options.sync;
  const Result<io::Sync> sync = io::parse_sync(*row.sync);
  if (!sync.ok()) return sync.error();
  if (*sync == io::Sync::kTimestamp && (options.auto_align || options.align_search_s)) {
    return Error{"--auto-align and --align-search count frames, so they go with sync frame, not with sync timestamp"};
  }
  return {};
}

Result<graph::RunOptions> run_options(const ScoreOptions& options) {
  graph::RunOptions run;
  run.threads = options.threads > 0 ? options.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  run.memory_bytes = physical_memory_bytes() / 4;
  if (!options.memory.empty()) {
    const std::optional<std::uint64_t> bytes = parse_bytes(options.memory);
    if (!bytes || *bytes == 0) return Error{"--memory is a size such as 512M or 4G, not \"" + options.memory + "\""};
    run.memory_bytes = static_cast<size_t>(*bytes);
  }
  if (!options.device_memory.empty()) {
    const std::optional<std::uint64_t> bytes = parse_bytes(options.device_memory);
    if (!bytes || *bytes == 0) return Error{"--device-memory is a size such as 512M or 4G, not \"" + options.device_memory + "\""};
    run.device_memory_bytes = static_cast<size_t>(*bytes);
  }
  run.convert = options.convert;
  run.strict_length = options.strict_length;
  run.auto_align = options.auto_align || options.align_search_s.has_value();
  run.align_search_s = options.align_search_s;
  run.fresh = options.fresh;
  run.retry_failed = options.retry_failed;
  if (options.order == "longest-first") run.order = graph::ClipOrder::kLongestFirst;
  run.max_failures = options.fail_fast ? 0 : options.max_failures;
  if (options.clip_timeout_s > 0) run.clip_timeout_s = options.clip_timeout_s;
  run.checkpoint = std::chrono::milliseconds(static_cast<std::int64_t>(options.checkpoint_s * 1000));
  return run;
}

}  // namespace

Result<ScoreJob> make_score_job(const ScoreOptions& options) {
  ScoreJob job;
  Result<graph::RunOptions> run = run_options(options);
  if (!run.ok()) return run.error();
  job.run = std::move(*run);
  Result<std::vector<CatalogueRow>> rows = read_rows(options, job.notes);
  if (!rows.ok()) return rows.error();
  RequestBuilder requests(options);
  for (CatalogueRow& row : *rows) {
    const std::string where = row.line > 0 ? options.catalogue + ": line " + std::to_string(row.line) + ": " : "";
    if (Status filled = fill_in(row, options); !filled.ok()) return Error{where + filled.error().message};
    Result<std::shared_ptr<const ScoringRequest>> request = requests.build(row);
    if (!request.ok()) return Error{where + request.error().message};
    const Result<io::Scaler> scaler = io::parse_scaler(*row.scale);
    if (!scaler.ok()) return Error{where + scaler.error().message};
    ClipTask task;
    task.request = *request;
    task.label = row.label.value_or(options.label);
    task.subsample = static_cast<int>(*row.subsample);
    task.scaler = *scaler;
    task.sync = *io::parse_sync(*row.sync);
    task.row = std::move(row);
    job.tasks.push_back(std::move(task));
  }
  if (job.tasks.empty()) return Error{options.catalogue + " has no rows: there is nothing to score"};
  for (const std::string& text : requests.notes()) job.notes.push_back(text);
  return job;
}

}  // namespace vmafbatch::cli
