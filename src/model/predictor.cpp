#include "model/predictor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "model/known_models.h"
#include "model/sha256.h"

namespace vmafbatch::model {
namespace {

constexpr std::size_t kStatisticColumns = 4;  // bagging, stddev, ci_p95_lo, ci_p95_hi

// Efron and Tibshirani, "An Introduction to the Bootstrap" (1993): the 95 % percentile interval.
constexpr double kLowPercentile = 2.5;
constexpr double kHighPercentile = 97.5;
// Half the step of the difference quotient that carries the deviation through the transform.
constexpr double kStep = 0.01;

std::size_t find_feature(const RegressionModel& model, std::string_view part) {
  const auto holds = [&](const ModelFeature& feature) { return feature.name.find(part) != std::string::npos; };
  return static_cast<std::size_t>(std::ranges::find_if(model.features, holds) - model.features.begin());
}

double normalised(const RegressionModel& model, std::size_t feature, double value) {
  if (model.norm == NormType::kNone) return value;
  return model.slopes[feature + 1] * value + model.intercepts[feature + 1];
}

double denormalised(const RegressionModel& model, std::size_t feature, double x) {
  if (model.norm == NormType::kNone) return x;
  return (x - model.intercepts[feature + 1]) / model.slopes[feature + 1];
}

// SpEED-chroma is exactly 0 where it could not be measured; a guess from adm3 then takes its place. `x` holds the normalised features.
// Both are read back from x, not from the measured values: the last bits can differ, and these are the ones that count.
void correct_chroma(const RegressionModel& model, std::span<double> x) {
  if (!model.chroma_correction || *model.chroma_correction == 0.0) return;
  const std::size_t adm = find_feature(model, "adm3");
  const std::size_t chroma = find_feature(model, "speed_chroma");
  if (adm == x.size() || chroma == x.size()) return;
  if (denormalised(model, chroma, x[chroma]) != 0.0) return;
  const double parameter = *model.chroma_correction;
  const double guess = (-parameter * denormalised(model, adm, x[adm])) + parameter;
  x[chroma] = normalised(model, chroma, guess);
}

// The score before transform and clip.
double raw_score(const RegressionModel& model, std::span<const double> values) {
  std::array<double, kMaxModelFeatures> buffer;
  const std::span<double> x = std::span(buffer).first(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) x[i] = normalised(model, i, values[i]);
  correct_chroma(model, x);
  const double decision = decision_value(model.svm, x);
  return model.norm == NormType::kNone ? decision : (decision - model.intercepts[0]) / model.slopes[0];
}

double finished_score(const RegressionModel& model, double score) {
  if (model.transform && model.transform->enabled) score = transform_score(*model.transform, score);
  return model.clip ? clip_score(*model.clip, score) : score;
}

// Linear interpolation between order statistics. REQUIRES: `sorted` ascending, not empty
double percentile(std::span<const double> sorted, double percent) {
  const double position = percent * static_cast<double>(sorted.size() - 1) / 100.0;
  const double low = std::floor(position);
  const double high = std::ceil(position);
  const double below = sorted[static_cast<std::size_t>(low)];
  if (low == high) return below;
  return below * (high - position) + sorted[static_cast<std::size_t>(high)] * (position - low);
}

// The four statistics of the raw scores of the bootstrap models, through the transform and clip of the first of them.
void bootstrap_statistics(const RegressionModel& first, std::vector<double> raw, std::span<double> statistics) {
  const double count = static_cast<double>(raw.size());
  double sum = 0.0;
  for (const double score : raw) sum += score;
  const double mean = sum / count;
  double squares = 0.0;
  for (const double score : raw) {
    const double deviation = score - mean;
    squares += deviation * deviation;
  }
  const double slope = (finished_score(first, mean + kStep) - finished_score(first, mean - kStep)) / (2.0 * kStep);
  std::ranges::sort(raw);
  statistics[0] = finished_score(first, mean);
  statistics[1] = std::sqrt(squares / count) * slope;
  statistics[2] = finished_score(first, percentile(raw, kLowPercentile));
  statistics[3] = finished_score(first, percentile(raw, kHighPercentile));
}

void set_option(OptionTexts& options, const OptionOverload& overload) {
  const auto same = std::ranges::find(options, overload.option, [](const auto& option) { return option.first; });
  if (same == options.end()) {
    options.emplace_back(overload.option, overload.value);
  } else {
    same->second = overload.value;
  }
}

// Options go to the extractors as text, OPTION=VALUE:OPTION=VALUE. A name or value with a separator in it would set another option.
Status check_options(const OptionTexts& options) {
  for (const auto& [name, value] : options) {
    if (name.empty() || name.find_first_of(":=") != std::string::npos || value.find(':') != std::string::npos) {
      return Error{"option \"" + name + "\" with the value \"" + value + "\": a name must not hold \":\" or \"=\", a value no \":\""};
    }
  }
  return {};
}

// A model file is data from elsewhere: it must not choose where on this machine files are written. The user may, with an overload.
Status check_writes_nothing(const ModelFeature& feature) {
  for (const auto& [name, value] : feature.options) {
    if (name == "heatmaps_path") return Error{"its feature \"" + feature.name + "\" sets heatmaps_path; a model must not write files"};
  }
  return {};
}

Result<std::vector<FeatureNeed>> feature_needs(const RegressionModel& model, const ModelSpec& spec, const ProviderLookup& provider) {
  std::vector<FeatureNeed> needs;
  for (const ModelFeature& feature : model.features) {
    const std::optional<std::string> extractor = provider(feature.name);
    if (!extractor) return Error{"its feature \"" + feature.name + "\" is provided by no extractor of this program; use another model"};
    if (Status checked = check_writes_nothing(feature); !checked) return checked.error();
    FeatureNeed need{*extractor, feature.name, feature.options};
    for (const OptionOverload& overload : spec.overloads) {
      if (overload.extractor == need.extractor) set_option(need.options, overload);
    }
    if (Status checked = check_options(need.options); !checked) return checked.error();
    needs.push_back(std::move(need));
  }
  return needs;
}

std::vector<OptionOverload> unused(const ModelSpec& spec, const std::vector<FeatureNeed>& needs) {
  std::vector<OptionOverload> result;
  for (const OptionOverload& overload : spec.overloads) {
    if (std::ranges::find(needs, overload.extractor, &FeatureNeed::extractor) == needs.end()) result.push_back(overload);
  }
  return result;
}

// A missing file whose name is that of a published model: say how to get it.
Error with_remedy(Error error, const ModelSpec& spec) {
  std::error_code ignored;
  const std::filesystem::path path = spec.model;
  const KnownModel* const known = std::filesystem::exists(path, ignored) ? nullptr : find_known_model(path.filename().string());
  if (known == nullptr) return error;
  const std::string name(known->name());
  return Error{error.message + "; get it with: vmafbatch models fetch " + name + ", and use it with: --model " + name};
}

}  // namespace

std::string FeatureNeed::request_text() const {
  std::string text = extractor;
  for (std::size_t i = 0; i < options.size(); ++i) text += (i == 0 ? "=" : ":") + options[i].first + "=" + options[i].second;
  return text;
}

Result<Model> Model::load(const ModelSpec& spec, const ModelSearch& search, const ProviderLookup& provider) {
  std::filesystem::path path = spec.model;
  if (!spec.is_path) {
    Result<std::filesystem::path> found = find_model(spec.model, search);
    if (!found) return found.error();
    path = std::move(*found);
  }
  const Result<std::string> text = read_model_text(path);
  if (!text) return with_remedy(text.error(), spec);
  Result<ModelFile> file = parse_model_file(*text);
  if (!file) return Error{"model file " + path.string() + " cannot be used: " + file.error().message};
  std::string sha256 = sha256_hex(*text);
  return make(std::move(*file), spec, std::move(path), std::move(sha256), provider);
}

Result<Model> Model::make(ModelFile file, const ModelSpec& spec, std::filesystem::path path, std::string sha256,
                          const ProviderLookup& provider) {
  Result<std::vector<FeatureNeed>> needs = feature_needs(file.members.front(), spec, provider);
  if (!needs) return Error{"model file " + path.string() + " cannot be used: " + needs.error().message};
  Model model;
  model.spec_ = spec;
  model.path_ = std::move(path);
  model.sha256_ = std::move(sha256);
  model.features_ = std::move(*needs);
  model.unused_overloads_ = unused(spec, model.features_);
  model.members_ = std::move(file.members);
  for (RegressionModel& member : model.members_) {
    if (spec.disable_clip) member.clip.reset();
    if (spec.enable_transform && member.transform) member.transform->enabled = true;
  }
  return model;
}

std::vector<std::string> Model::columns() const {
  std::vector<std::string> names = {name()};
  if (!is_collection()) return names;
  for (std::size_t i = 1; i < members_.size(); ++i) {
    std::string number = std::to_string(i);
    if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
    names.push_back(name() + "_" + number);
  }
  for (const char* statistic : {"_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"}) names.push_back(name() + statistic);
  return names;
}

Status Model::predict(std::span<const double> values, std::span<double> scores) const {
  std::vector<double> raw;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const double score = raw_score(members_[i], values);
    scores[i] = finished_score(members_[i], score);
    if (i > 0) raw.push_back(score);
  }
  const bool is_number = std::ranges::none_of(scores.first(members_.size()), [](double score) { return std::isnan(score); }) &&
                         std::ranges::none_of(raw, [](double score) { return std::isnan(score); });
  if (!is_number) return Error{"the score of model \"" + name() + "\" is not a number: its features are outside what the model can take"};
  if (!is_collection()) return {};
  const std::span<double> statistics = scores.last(kStatisticColumns);
  bootstrap_statistics(members_[1], std::move(raw), statistics);
  if (std::ranges::any_of(statistics, [](double score) { return std::isnan(score); })) {
    return Error{"a statistic of model \"" + name() + "\" is not a number: its features are outside what the model can take"};
  }
  return {};
}

}  // namespace vmafbatch::model
