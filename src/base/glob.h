// Patterns that choose names: clips, features.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vmafbatch {

// True where the whole of `name` fits `pattern`: '*' stands for any text, also none and also with '/', '?' for one character of UTF-8
// (one byte where the name is no UTF-8); everything else, brackets too, for itself. Takes at most |pattern| * |name| steps.
bool glob_matches(std::string_view pattern, std::string_view name);

// True where `name` fits one of the patterns, or there is none: all names are chosen then.
bool is_chosen(std::string_view name, const std::vector<std::string>& patterns);

}  // namespace vmafbatch
