#include "model/json_tree.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmafbatch::model {
namespace {

using Json = nlohmann::json;

// Builds the tree from the parser's events; returning false ends the parse.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  JsonValue root;
  std::string problem;

  bool null() override { return add({}) != nullptr; }
  bool boolean(bool value) override { return add({.kind = JsonValue::Kind::kBool, .boolean = value}) != nullptr; }
  bool number_integer(std::int64_t value) override { return add_number(static_cast<double>(value), std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return add_number(static_cast<double>(value), std::to_string(value)); }
  bool number_float(double value, const std::string& text) override {
    std::string decimal = text;
    // The parser may have put the locale's decimal point into the text.
    std::ranges::replace_if(
        decimal, [](char c) { return std::string_view("0123456789+-eE").find(c) == std::string_view::npos; }, '.');
    return add_number(value, std::move(decimal));
  }
  bool string(std::string& value) override { return add({.kind = JsonValue::Kind::kString, .text = std::move(value)}) != nullptr; }
  bool binary(Json::binary_t&) override { return false; }  // not in JSON text
  bool start_object(std::size_t) override { return open(JsonValue::Kind::kObject); }
  bool start_array(std::size_t) override { return open(JsonValue::Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& value) override {
    open_.back()->names.push_back(std::move(value));
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    problem = "the text is no valid JSON at byte " + std::to_string(position);
    return false;
  }

 private:
  bool add_number(double value, std::string text) {
    return add({.kind = JsonValue::Kind::kNumber, .number = value, .text = std::move(text)}) != nullptr;
  }

  // The pointers in open_ stay valid: a container's storage moves only when a value is added to it, and then it is the innermost one.
  JsonValue* add(JsonValue value) {
    if (++values_ > kMaxJsonValues) {
      problem = "the JSON holds more than " + std::to_string(kMaxJsonValues) + " values";
      return nullptr;
    }
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    open_.back()->elements.push_back(std::move(value));
    return &open_.back()->elements.back();
  }

  bool open(JsonValue::Kind kind) {
    if (open_.size() >= kMaxJsonDepth) {
      problem = "the JSON is nested deeper than " + std::to_string(kMaxJsonDepth) + " levels";
      return false;
    }
    JsonValue* const added = add({.kind = kind});
    if (added != nullptr) open_.push_back(added);
    return added != nullptr;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<JsonValue*> open_;
  std::size_t values_ = 0;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &elements[static_cast<std::size_t>(found - names.begin())];
}

Result<JsonValue> parse_json_tree(std::string_view text) {
  TreeBuilder builder;
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
  return Error{builder.problem.empty() ? "the text is no valid JSON" : builder.problem};
}

}  // namespace vmafbatch::model
