// What a reader wants to know of a feature beside its values.
#pragma once

#include <optional>
#include <string_view>

#include "report/feature_direction.h"

namespace vmafbatch::report {

struct FeatureFacts {
  Direction direction = Direction::kHigherIsBetter;
  std::string_view unit;      // "dB", "" none
  std::string_view range;     // "0 .. 100"; "" not known
  std::optional<double> low;  // the ends of the usual range; nothing: open, or it depends on options
  std::optional<double> high;
  bool of_model = false;  // a model's score, as far as can be told
  std::string_view help;  // what it measures, in a few words; "" not known
};

// Of a feature or model score by its key, as feature_direction(). source: the extractor or model that gives it, as the database says.
// The extractors cannot be asked: a database may hold features of other versions and of logs.
FeatureFacts feature_facts(std::string_view feature, std::string_view source);

}  // namespace vmafbatch::report
