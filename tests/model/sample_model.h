// Model files for tests, made from a formula, and where the published ones may lie.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace vmafbatch::testing {

// The SVM text of a model with `features` inputs; `shift` makes different ones.
inline std::string sample_svm(int features, int vectors = 5, double shift = 0.0) {
  std::ostringstream text;
  text << "svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\ntotal_sv " << vectors << "\nrho -0.9\nSV\n";
  for (int j = 0; j < vectors; ++j) {
    text << (j % 2 == 0 ? 1.5 : -0.75) + shift << " ";
    for (int i = 0; i < features; ++i) text << i + 1 << ":" << 0.1 * j + 0.05 * i + shift / 10 << " ";
    text << "\n";
  }
  return text.str();
}

// As JSON writes a text with line ends.
inline std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// The parts of a model_dict as JSON; an empty part is left out.
struct SampleModel {
  std::string type = R"("LIBSVMNUSVR")";
  std::string names = R"(["VMAF_integer_feature_adm2_score", "VMAF_integer_feature_motion2_score"])";
  std::string options = R"([{"adm_enhn_gain_limit": 1.0}, {}])";
  std::string norm = R"("linear_rescale")";
  std::string slopes = "[0.012, 2.8, 0.0625]";
  std::string intercepts = "[-0.3, -1.8, -0.003]";
  std::string clip = "[0.0, 100.0]";
  std::string transform;
  std::string chroma;
  std::string svm = json_text(sample_svm(2));
  std::string extra;  // further members, with a comma in front

  std::string dict() const {
    std::string text = R"({"feature_dict": {"VMAF_feature": ["adm2", "motion2"]})";
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) text += ", \"" + std::string(name) + "\": " + value;
    };
    add("model_type", type);
    add("feature_names", names);
    add("feature_opts_dicts", options);
    add("norm_type", norm);
    add("slopes", slopes);
    add("intercepts", intercepts);
    add("score_clip", clip);
    add("score_transform", transform);
    add("chroma_correction_parameter", chroma);
    add("model", svm);
    return text + extra + "}";
  }
  std::string json() const { return R"({"param_dict": {"C": 4.0}, "model_dict": )" + dict() + "}"; }
};

// A collection of a main model and `count` bootstrap models.
inline std::string sample_collection(int count, const SampleModel& base = {}) {
  std::string text = "{";
  for (int i = 0; i <= count; ++i) {
    SampleModel member = base;
    if (i > 0) member.type = R"("BOOTSTRAP_LIBSVMNUSVR")";
    member.svm = json_text(sample_svm(2, 5, 0.01 * i));
    text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": " + member.json();
  }
  return text + "}";
}

// The extractors that provide the features of the published models.
inline std::optional<std::string> sample_provider(std::string_view name) {
  if (name.starts_with("VMAF_integer_feature_adm")) return "adm";
  if (name.starts_with("VMAF_integer_feature_motion")) return "motion";
  if (name.starts_with("VMAF_integer_feature_vif")) return "vif";
  if (name.starts_with("VMAF_feature_adm")) return "float_adm";
  if (name.starts_with("VMAF_feature_motion")) return "float_motion";
  if (name.starts_with("VMAF_feature_vif")) return "float_vif";
  if (name.starts_with("Cambi_feature")) return "cambi";
  if (name.starts_with("Speed_chroma_feature")) return "speed_chroma";
  return std::nullopt;
}

// A published model file, or nothing where it is not there. They lie in $VMAFBATCH_TEST_MODELS or beside the source tree.
inline std::optional<std::filesystem::path> published_model(const std::string& file_name) {
  const char* const folder = std::getenv("VMAFBATCH_TEST_MODELS");
  const std::filesystem::path beside = std::filesystem::path(VMAFBATCH_GOLDEN_DIR) / "../../../shared/models";
  for (const std::filesystem::path& place : {folder == nullptr ? beside : std::filesystem::path(folder), beside}) {
    if (std::filesystem::exists(place / file_name)) return place / file_name;
  }
  return std::nullopt;
}

}  // namespace vmafbatch::testing
