// Which way a feature's values are better: what "worst" means in a report.
#pragma once

#include <string_view>

namespace vmafbatch::report {

enum class Direction {
  kHigherIsBetter,
  kLowerIsBetter,
  kNeither,  // it measures something else than quality: motion, moments, the two halves of a quotient, a spread
};

// A feature's key without the word for its arithmetic: "adm2_egl_1.2" of "integer_adm2_egl_1.2".
std::string_view plain_key(std::string_view feature);

// Of a feature or model score by its key ("integer_adm2_egl_1.2"). What is not known (models, logs of other tools) is better when higher,
// as VMAF is. `vmafbatch features --describe` says the same of the extractors.
Direction feature_direction(std::string_view feature);

// "higher is better", "lower is better", or "" for kNeither.
const char* direction_text(Direction direction);

}  // namespace vmafbatch::report
