#include "support/golden_scores.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace vmafbatch::testing {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> golden_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(VMAFBATCH_GOLDEN_DIR "/scores")) {
    const std::string name = entry.path().stem().string();
    if (name.find(environment("VMAFBATCH_GOLDEN_CLIP")) != std::string::npos) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

SyntheticClip clip_of(const Json& j) {
  return {.scene = j.at("scene"),
          .width = j.at("width"),
          .height = j.at("height"),
          .chroma = j.at("chroma"),
          .depth = j.at("depth"),
          .frames = j.at("frames"),
          .seed = j.at("seed"),
          .distortion = j.at("distortion")};
}

std::string feature_of(const Json& entry) {
  std::string text = entry.at("extractor");
  const char* separator = "=";
  for (const auto& [name, value] : entry.at("options").items()) {
    text += separator + name + "=" + value.get<std::string>();
    separator = ":";
  }
  return text;
}

Json read_golden(const std::string& name) {
  std::ifstream file(VMAFBATCH_GOLDEN_DIR "/scores/" + name + ".json");
  return Json::parse(file);
}

}  // namespace vmafbatch::testing
