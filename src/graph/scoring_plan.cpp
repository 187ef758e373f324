#include "graph/scoring_plan.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "store/options_text.h"

namespace vmafbatch::graph {
namespace {

using extractors::FeatureRequest;
using extractors::FeatureScope;
using extractors::FeatureSpec;

// The key under which a model finds one of its features. REQUIRES: make_request accepted the model.
std::string key_of(const model::FeatureNeed& need) {
  const Result<FeatureRequest> request = extractors::parse_feature(need.request_text());
  const std::optional<extractors::Provider> provider = extractors::find_provider(need.feature);
  return extractors::feature_key(provider->extractor->features[provider->feature], request->options);
}

// Of two instances that give one plain key the first one counts: which that is must not depend on the order in which they were named.
void sort_instances(std::span<FeatureRequest> features) {
  for (size_t i = 0; i < features.size(); ++i) {
    for (size_t k = i + 1; k < features.size(); ++k) {
      if (features[k].extractor == features[i].extractor && features[k].text() < features[i].text()) std::swap(features[i], features[k]);
    }
  }
}

// A key that the job gives and an earlier job gives too: features without a suffix have one name in every instance.
std::optional<std::string> key_taken(const ScoringPlan& plan, const Job& job) {
  const auto key = [](const Job& of, size_t feature) {
    return extractors::feature_key(of.request.extractor->features[feature], of.request.options);
  };
  for (const auto& other : plan.jobs) {
    for (const size_t theirs : other->instance->outputs()) {
      for (const size_t ours : job.instance->outputs()) {
        if (key(*other, theirs) == key(job, ours)) return key(job, ours);
      }
    }
  }
  return std::nullopt;
}

// The jobs whose extractors can score this clip.
void create_jobs(const ScoringRequest& request, const extractors::ClipInfo& clip, ScoringPlan& plan) {
  for (const FeatureRequest& feature : request.features) {
    auto job = std::make_unique<Job>(feature);
    Result<std::unique_ptr<extractors::Extractor>> instance = feature.extractor->create(feature.options, clip);
    if (!instance.ok()) {
      plan.refusals.push_back({job->name(), extractors::options_text(feature.options), instance.error().message});
      continue;
    }
    job->instance = std::move(*instance);
    if (const std::optional<std::string> key = key_taken(plan, *job)) {
      plan.refusals.push_back(
          {job->name(), extractors::options_text(feature.options),
           feature.text() + " gives " + *key + ", which another instance of it gives as well; score it under another --label"});
      continue;
    }
    job->needs = job->instance->needs();
    job->implementation = job->name();
    if (!job->needs.distorted) job->shared_key = "measure:" + feature.text();
    job->column_of.resize(feature.extractor->features.size());
    plan.jobs.push_back(std::move(job));
  }
}

// The extractor's name; with its options where the clip is scored with several instances of it.
std::string producer_of(const ScoringRequest& request, const Job& job) {
  const auto instances = std::ranges::count(request.features, job.request.extractor, &FeatureRequest::extractor);
  return instances > 1 ? job.request.text() : job.name();
}

void add_column(const ScoringRequest& request, ScoringPlan& plan, Job& job, size_t feature) {
  const FeatureSpec& spec = job.request.extractor->features[feature];
  job.column_of[feature] = plan.columns.size();
  plan.columns.push_back({extractors::feature_key(spec, job.request.options), spec.scope, producer_of(request, job)});
}

// Columns in the order in which libvmaf's reports first see them: per frame, then what comes at the end of the clip, then models.
void create_columns(const ScoringRequest& request, ScoringPlan& plan) {
  const auto pass = [&](auto&& wanted) {
    for (const auto& job : plan.jobs) {
      for (const size_t feature : job->instance->outputs()) {
        if (wanted(job->request.extractor->features[feature])) add_column(request, plan, *job, feature);
      }
    }
  };
  pass([](const FeatureSpec& f) { return f.scope != FeatureScope::kAggregate && !f.reported_late; });
  pass([](const FeatureSpec& f) { return f.scope != FeatureScope::kAggregate && f.reported_late; });
  pass([](const FeatureSpec& f) { return f.scope == FeatureScope::kAggregate; });
}

void create_models(const ScoringRequest& request, ScoringPlan& plan) {
  for (const auto& model : request.models) {
    ModelJob job{model, {}, {}};
    for (const model::FeatureNeed& need : model->features()) {
      const std::string key = key_of(need);
      const auto column = std::ranges::find(plan.columns, key, &Column::key);
      job.inputs.push_back(column == plan.columns.end() ? std::nullopt : std::optional(static_cast<size_t>(column - plan.columns.begin())));
    }
    for (const std::string& key : model->columns()) {
      job.outputs.push_back(plan.columns.size());
      plan.columns.push_back({key, FeatureScope::kSeries, model->name()});
    }
    plan.models.push_back(std::move(job));
  }
}

}  // namespace

store::ExtractorSpec producer_spec(const model::Model& model) { return {model.name(), "model " + model.path().filename().string()}; }

int ScoringPlan::history() const {
  int frames = 0;
  for (const auto& job : jobs) frames = std::max(frames, job->needs.history);
  return frames;
}

size_t ScoringPlan::bytes_per_frame() const {
  size_t bytes = 0;
  for (const auto& job : jobs) {
    if (!job->on_device()) bytes += job->needs.bytes_per_frame;
  }
  return bytes;
}

std::string ScoringRequest::text() const {
  std::string text;
  for (const FeatureRequest& feature : features) text += (text.empty() ? "" : ";") + feature.text();
  for (const auto& model : models) {
    text += (text.empty() ? "" : ";") + ("model " + model->name() + " " + model->sha256());
    if (model->spec().disable_clip) text += " disable_clip";
    if (model->spec().enable_transform) text += " enable_transform";
    for (const model::OptionOverload& overload : model->spec().overloads) text += " " + overload.text();
  }
  return store::canonical_features(text);
}

Result<ScoringRequest> make_request(std::vector<FeatureRequest> features, std::vector<std::shared_ptr<const model::Model>> models) {
  std::vector<FeatureRequest> all;
  for (size_t i = 0; i < models.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (models[k]->name() == models[i]->name()) {
        return Error{"two models give the score \"" + models[i]->name() +
                     "\"; name one of them: --model path=" + models[i]->path().string() + ":name=" + models[i]->name() + "_2"};
      }
    }
    for (const model::FeatureNeed& need : models[i]->features()) {
      Result<FeatureRequest> request = extractors::parse_feature(need.request_text());
      if (!request.ok()) return Error{"model " + models[i]->path().string() + ": " + request.error().message};
      all.push_back(std::move(*request));
    }
  }
  Result<std::vector<FeatureRequest>> merged = extractors::merge_requests(std::move(all));
  if (!merged.ok()) return merged.error();
  const size_t of_models = merged->size();
  std::ranges::move(features, std::back_inserter(*merged));
  merged = extractors::merge_requests(std::move(*merged));
  if (!merged.ok()) return merged.error();
  sort_instances(std::span(*merged).first(of_models));
  sort_instances(std::span(*merged).subspan(of_models));

  std::unordered_map<std::string, std::string> owner;
  for (const auto& model : models) {
    for (const std::string& key : model->columns()) {
      if (const auto [at, added] = owner.emplace(key, model->name()); !added) {
        return Error{"models " + at->second + " and " + model->name() + " both give the score \"" + key +
                     "\"; give one of them another name with name="};
      }
    }
  }
  for (const FeatureRequest& request : *merged) {
    for (const FeatureSpec& spec : request.extractor->features) {
      if (owner.contains(extractors::feature_key(spec, request.options))) {
        return Error{"model " + owner[extractors::feature_key(spec, request.options)] + " has the key of a feature of " + request.text() +
                     "; give the model another name with name="};
      }
    }
  }
  return ScoringRequest{std::move(*merged), std::move(models)};
}

ScoringRequest in_stored_order(const ScoringRequest& request, std::span<const store::ExtractorSpec> stored) {
  const auto place = [&](const store::ExtractorSpec& wanted) {
    return std::ranges::find_if(stored, [&](const store::ExtractorSpec& one) { return store::is_same_producer(one, wanted); });
  };
  ScoringRequest ordered = request;
  std::ranges::stable_sort(ordered.features, {}, [&](const FeatureRequest& feature) {
    return place({std::string(feature.extractor->name), extractors::options_text(feature.options)});
  });
  std::ranges::stable_sort(ordered.models, {}, [&](const auto& model) { return place(producer_spec(*model)); });
  return ordered;
}

ScoringPlan plan_scoring(const ScoringRequest& request, const extractors::ClipInfo& clip) {
  ScoringPlan plan;
  create_jobs(request, clip, plan);
  create_columns(request, plan);
  create_models(request, plan);
  return plan;
}

void plan_twins(ScoringPlan& plan, const extractors::ClipInfo& clip, size_t device) {
  plan.device = device;
  for (const auto& job : plan.jobs) {
    const hip::TwinInfo* const info = hip::find_twin(job->name());
    if (info == nullptr) {
      job->leave_device(job->name() + " has no HIP twin");
      continue;
    }
    Result<std::unique_ptr<hip::Twin>> twin = info->create(job->request.options, clip);
    if (!twin.ok()) {
      job->leave_device(twin.error().message);
      continue;
    }
    job->twin = std::move(*twin);
    job->implementation = info->implementation;
  }
}

}  // namespace vmafbatch::graph
