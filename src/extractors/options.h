// The options of an extractor: their table, their values, their text grammar (NAME=OPT=VAL:OPT=VAL).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace vmafbatch::extractors {

using OptionValue = std::variant<bool, int, double, std::string>;
// The same in a constant table: std::string in a constexpr table compiles neither with Clang nor under the sanitizers.
using OptionDefault = std::variant<bool, int, double, std::string_view>;

OptionValue to_value(const OptionDefault& value);

enum class OptionType { kBool, kInt, kReal, kText };

// What an option does to the names and values of the features; decides how two requests of one extractor combine.
enum class OptionRole {
  kKey,     // a value other than the default becomes part of the key: two values are two instances
  kOutput,  // only adds outputs: two requests merge by union
  kValue,   // changes values whose key stays the same: two different values in one run are an error
};

struct OptionSpec {
  std::string_view name;
  std::string_view alias{};  // the short form that keys use; empty: the name
  OptionType type = OptionType::kBool;
  OptionRole role = OptionRole::kKey;
  OptionDefault default_value = false;  // of `type`; may lie outside minimum..maximum and can then not be written
  double minimum = 0.0;                 // kInt, kReal: both bounds are inclusive
  double maximum = 0.0;
  std::string_view help{};                      // one line, with the unit
  std::span<const std::string_view> choices{};  // kText: the valid texts; empty: any that ends_its_option() does not refuse
};

// The values of all options of one extractor: what was given, else the default.
class Options {
 public:
  explicit Options(std::span<const OptionSpec> specs);

  // Sets one option from its text, after the normalisation of libvmaf (six significant digits) and its range check.
  // The error names the option, the text and what is valid.
  Status set(std::string_view name, std::string_view text);

  // REQUIRES: the option exists and has that type (a programming error otherwise: throws std::logic_error)
  bool flag(std::string_view name) const;
  int integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  std::span<const OptionSpec> specs() const { return specs_; }
  const OptionValue& value(size_t index) const { return values_[index]; }
  void set_value(size_t index, OptionValue value) { values_[index] = std::move(value); }
  bool is_default(size_t index) const { return values_[index] == to_value(specs_[index].default_value); }

  bool operator==(const Options& other) const { return values_ == other.values_; }

 private:
  size_t index_of(std::string_view name) const;

  std::span<const OptionSpec> specs_;
  std::vector<OptionValue> values_;
};

// "true", "1.2" (%g), "3" or the text itself: as keys and reports write an option's value.
std::string option_value_text(const OptionValue& value);

// "_egl_1_ssclz": the options of role kKey that differ from their defaults, sorted by full name. "" where there are none.
std::string key_suffix(const Options& options);

// "adm_enhn_gain_limit=1:debug=true": every option that differs from its default, in table order; "" where there are none.
std::string options_text(const Options& options);

}  // namespace vmafbatch::extractors
