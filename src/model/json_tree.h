// A JSON text as a tree that keeps what a model file needs and a map of values would lose: the order of members, repeated members,
// and the decimal text of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vmafbatch::model {

struct JsonValue {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool boolean = false;
  double number = 0.0;                // the double nearest to the text; finite
  std::string text{};                 // of a string; of a number its decimal text
  std::vector<JsonValue> elements{};  // of an array; of an object the members' values
  std::vector<std::string> names{};   // of an object: the members' names, names[i] belongs to elements[i]

  // The first member of that name, or null.
  const JsonValue* find(std::string_view name) const;
};

// Nested deeper, or of more values, is refused: the published model files have 6 levels and under 4000 values.
inline constexpr std::size_t kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 18;

// The error says where the text is no JSON.
Result<JsonValue> parse_json_tree(std::string_view text);

}  // namespace vmafbatch::model
