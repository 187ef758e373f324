#include "report/feature_direction.h"

#include <algorithm>
#include <array>

namespace vmafbatch::report {
namespace {

// Beginnings of plain keys. An option's suffix may follow.
constexpr std::array<std::string_view, 7> kNeitherKeys = {"motion", "moment", "adm_num", "adm_den", "vif_num", "vif_den", "cambi_source"};
constexpr std::array<std::string_view, 5> kLowerKeys = {"mse_", "aim", "cambi", "speed_chroma", "speed_temporal"};

bool begins_with_one(std::string_view key, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return key.starts_with(beginning); });
}

}  // namespace

std::string_view plain_key(std::string_view feature) {
  for (const std::string_view kind : {"VMAF_integer_feature_", "integer_", "float_"}) {
    if (feature.starts_with(kind)) return feature.substr(kind.size());
  }
  return feature;
}

Direction feature_direction(std::string_view key) {
  const std::string_view feature = plain_key(key);
  if (begins_with_one(feature, kNeitherKeys) || feature.ends_with("_stddev")) return Direction::kNeither;
  return begins_with_one(feature, kLowerKeys) ? Direction::kLowerIsBetter : Direction::kHigherIsBetter;
}

const char* direction_text(Direction direction) {
  switch (direction) {
    case Direction::kHigherIsBetter: return "higher is better";
    case Direction::kLowerIsBetter: return "lower is better";
    case Direction::kNeither: break;
  }
  return "";
}

}  // namespace vmafbatch::report
