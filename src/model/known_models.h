// The models that the VMAF project publishes and this program knows by their SHA-256.
#pragma once

#include <span>
#include <string_view>

namespace vmafbatch::model {

struct KnownModel {
  std::string_view file_name;  // "vmaf_v0.6.1.json"
  std::string_view sub_path;   // below the project's folder of models: "vmaf_v1.0.16/vmaf_v1.0.16_3d0h.json"
  std::string_view sha256;

  std::string_view name() const { return file_name.substr(0, file_name.size() - std::string_view(".json").size()); }
};

std::span<const KnownModel> known_models();

// By name, with or without ".json" or the folder in front; null where it is not known.
const KnownModel* find_known_model(std::string_view name);

// What `models fetch` gets when no name is given, and what `score` uses when no model is named.
inline constexpr std::string_view kDefaultModel = "vmaf_v0.6.1";

}  // namespace vmafbatch::model
