// A loaded model: which features it needs, and the scores of one frame from their values.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model_file.h"
#include "model/model_search.h"
#include "model/model_spec.h"

namespace vmafbatch::model {

// An input of a loaded model, with the spec's overloads merged into its options.
struct FeatureNeed {
  std::string extractor;  // the extractor that provides the feature
  std::string feature;    // internal name
  OptionTexts options;

  // "adm" or "adm=OPT=VAL:OPT=VAL": the grammar of --feature.
  std::string request_text() const;
};

// Name of the extractor that provides a feature of that internal name, or nothing.
using ProviderLookup = std::function<std::optional<std::string>(std::string_view internal_name)>;

// Immutable after load: every method may be called from any thread.
class Model {
 public:
  // Finds, reads and parses the model and applies the spec. The error names the model or its file, what is wrong and what to do.
  static Result<Model> load(const ModelSpec& spec, const ModelSearch& search, const ProviderLookup& provider);

  // The same from a parsed file: `path` and `sha256` are kept for the record only.
  static Result<Model> make(ModelFile file, const ModelSpec& spec, std::filesystem::path path, std::string sha256,
                            const ProviderLookup& provider);

  const std::string& name() const { return spec_.name; }
  const ModelSpec& spec() const { return spec_; }
  const std::filesystem::path& path() const { return path_; }
  const std::string& sha256() const { return sha256_; }  // of the file, 64 lower-case hexadecimal digits
  bool is_collection() const { return members_.size() > 1; }

  // In the order in which predict() takes their values.
  std::span<const FeatureNeed> features() const { return features_; }

  // Overloads that name an extractor that this model does not use. libvmaf ignores them, and tools rely on that; worth a warning.
  const std::vector<OptionOverload>& unused_overloads() const { return unused_overloads_; }

  // The names of the scores, in report order: NAME, and for a collection NAME_0001 ..., NAME_bagging, NAME_stddev, NAME_ci_p95_lo,
  // NAME_ci_p95_hi.
  std::vector<std::string> columns() const;

  // The scores of one frame. REQUIRES: values.size() == features().size(), scores.size() == columns().size()
  // Error (without frame number): a score is not a number; `scores` is then unspecified.
  Status predict(std::span<const double> values, std::span<double> scores) const;

 private:
  Model() = default;

  ModelSpec spec_;
  std::filesystem::path path_;
  std::string sha256_;
  std::vector<FeatureNeed> features_;
  std::vector<OptionOverload> unused_overloads_;
  std::vector<RegressionModel> members_;  // flags applied
};

}  // namespace vmafbatch::model
