// A VMAF model file (JSON): one model, or a collection of a main model and bootstrap models.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/score_transform.h"
#include "model/support_vectors.h"

namespace vmafbatch::model {

// Options of an extractor as (name, text); the texts are normalised as libvmaf does it (numbers: binary32, six significant digits).
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

// One input of a model: the feature's internal name ("VMAF_integer_feature_adm2_score") and the options it wants its extractor to have.
struct ModelFeature {
  std::string name;
  OptionTexts options;  // in the file's order, no name twice

  bool operator==(const ModelFeature&) const = default;
};

enum class ModelType { kUnstated, kNuSvr, kBootstrap, kResidueBootstrap };
enum class NormType { kNone, kLinearRescale };

// slopes and intercepts: element 0 belongs to the score, element i + 1 to feature i; n + 1 elements for kLinearRescale, else unused.
struct RegressionModel {
  ModelType type = ModelType::kUnstated;
  std::vector<ModelFeature> features;
  NormType norm = NormType::kNone;
  std::vector<double> slopes;
  std::vector<double> intercepts;
  std::optional<double> chroma_correction;  // chroma_correction_parameter
  std::optional<ScoreTransform> transform;
  std::optional<ScoreClip> clip;
  SupportVectors svm;
};

// members[0] is the main model; the others are bootstrap models of one type. All members have equal features and options.
struct ModelFile {
  std::vector<RegressionModel> members;  // 1, or 2 and more for a collection
};

// What a file may hold; more is refused. The largest published model has 21 members, 6 features and 0.5 MB.
inline constexpr std::size_t kMaxModelFileBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxModelFeatures = 256;
inline constexpr std::size_t kMaxModelMembers = 1001;
inline constexpr std::size_t kMaxModelComponents = std::size_t{1} << 22;  // of all support vectors of all members

// Parses the JSON text of a model file. Any input gives a model or one sentence that says what is wrong (without the file's name); memory
// and time are bounded by a multiple of the text's size.
Result<ModelFile> parse_model_file(std::string_view json);

}  // namespace vmafbatch::model
