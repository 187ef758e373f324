// The text of a scoring's options: features and models first, then how its files were opened and paired.
#pragma once

#include <string>
#include <string_view>

namespace vmafbatch::store {

// Features and models, ";" between them, in the one order in which they are written: sorted, and so the options of each model.
std::string canonical_features(std::string_view features);

// The same text with its features and models in the one order in which they are written today: scorings of the same features and models
// were once stored in the order in which somebody had named them, and that order decides no value. A text that is not of this form (an
// imported log's) as it is.
std::string canonical_options(std::string_view options);

}  // namespace vmafbatch::store
