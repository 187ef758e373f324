// What one scoring will compute: the extractor instances for its clip's format, the models, and the columns they fill.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "extractors/registry.h"
#include "hip/twin.h"
#include "model/predictor.h"
#include "store/records.h"

namespace vmafbatch::graph {

// A place where the values of one feature of one scoring go.
struct Column {
  std::string key;
  extractors::FeatureScope scope = extractors::FeatureScope::kFrame;
  std::string producer;  // the extractor's or model's name; the extractor's with its options where there are several instances
};

// One extractor instance of a scoring. Constant while frames are measured, but for failed_at.
struct Job {
  explicit Job(extractors::FeatureRequest asked) : request(std::move(asked)) {}

  extractors::FeatureRequest request;
  std::unique_ptr<extractors::Extractor> instance;
  extractors::Needs needs;
  std::string shared_key;                        // of its measurement, where it depends on the reference alone
  std::vector<std::optional<size_t>> column_of;  // by index into ExtractorInfo::features: the scoring's column
  // Measures instead of the instance, on the scoring's device; null: the CPU computes.
  std::unique_ptr<hip::Twin> twin;
  std::string implementation;  // "psnr_hip"; the extractor's name where there is no twin
  // Why the CPU computes although devices are there: no twin, the twin declined, or the device failed in the middle.
  std::string cpu_reason() const {
    const std::lock_guard lock(reason_mutex_);
    return cpu_reason_;
  }
  // From now on the CPU computes. The first reason stays. Any thread.
  void leave_device(const std::string& reason) {
    const std::lock_guard lock(reason_mutex_);
    if (cpu_reason_.empty()) cpu_reason_ = reason;
    left_device_.store(true);
  }
  bool on_device() const { return twin != nullptr && !left_device_.load(); }

  // The first frame this extractor is known to have failed at: later frames need not be measured.
  std::atomic<std::int64_t> failed_at{std::numeric_limits<std::int64_t>::max()};

  std::string name() const { return std::string(request.extractor->name); }

 private:
  mutable std::mutex reason_mutex_;
  std::string cpu_reason_;
  std::atomic<bool> left_device_{false};
};

// One model of a scoring.
struct ModelJob {
  std::shared_ptr<const model::Model> model;
  std::vector<std::optional<size_t>> inputs;  // by feature of the model: the column that holds it; none: it is not computed
  std::vector<size_t> outputs;                // by column of the model: the scoring's column
};

// An extractor or model that cannot score this clip, with the sentence that says why.
struct Refusal {
  std::string extractor;
  std::string options;  // canonical text
  std::string reason;
};

struct ScoringPlan {
  std::vector<std::unique_ptr<Job>> jobs;
  std::vector<ModelJob> models;
  std::vector<Column> columns;  // in the order of reports
  std::vector<Refusal> refusals;
  size_t device = 0;  // index into the run's devices, where a job has a twin

  // Earlier frames that some job looks at.
  int history() const;
  // Memory that the jobs derive from one frame on the host, beside the pictures.
  size_t bytes_per_frame() const;
};

// What is asked of a clip: independent of its format.
struct ScoringRequest {
  std::vector<extractors::FeatureRequest> features;  // merged; those of the models first
  std::vector<std::shared_ptr<const model::Model>> models;

  // One text that decides whether two scorings compute the same: extractors with their options, models with their files' hashes, sorted.
  std::string text() const;
};

// Adds the extractors that the models need, in front of `features`, and merges equal instances. The error names the model and the
// feature that no extractor provides, or the two requests that contradict each other.
Result<ScoringRequest> make_request(std::vector<extractors::FeatureRequest> features,
                                    std::vector<std::shared_ptr<const model::Model>> models);

// As a database lists a model among the producers of a scoring.
store::ExtractorSpec producer_spec(const model::Model& model);

// The same request in the order in which `stored`, the producers of an interrupted scoring, has its parts: it goes on with its own columns.
ScoringRequest in_stored_order(const ScoringRequest& request, std::span<const store::ExtractorSpec> stored);

// Creates the instances for one clip. Extractors that cannot score its format become refusals; the others go on.
ScoringPlan plan_scoring(const ScoringRequest& request, const extractors::ClipInfo& clip);

// Gives each job its twin, which will run on device `device`; a job without one learns why the CPU computes.
void plan_twins(ScoringPlan& plan, const extractors::ClipInfo& clip, size_t device);

}  // namespace vmafbatch::graph
