#include "extractors/options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "base/number_text.h"
#include "base/option_word.h"

namespace vmafbatch::extractors {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string range_text(const OptionSpec& spec) {
  std::string low = format_general(spec.minimum, 6);
  if (spec.maximum == std::numeric_limits<double>::max()) return "at least " + low;
  return low + " to " + format_general(spec.maximum, 6);
}

Result<OptionValue> parse_value(const OptionSpec& spec, std::string_view given) {
  const std::string text = normalise_option_number(given);
  switch (spec.type) {
    case OptionType::kBool:
      if (text == "true") return OptionValue(true);
      if (text == "false") return OptionValue(false);
      return Error{"option " + std::string(spec.name) + " is true or false, not " + quoted(given)};
    case OptionType::kInt: {
      const std::optional<std::int64_t> value = parse_integer(text);
      if (!value || static_cast<double>(*value) < spec.minimum || static_cast<double>(*value) > spec.maximum || text == "-0") {
        return Error{"option " + std::string(spec.name) + " is a whole number from " + range_text(spec) + ", not " + quoted(given)};
      }
      return OptionValue(static_cast<int>(*value));
    }
    case OptionType::kReal: {
      const std::optional<double> value = parse_double(text);
      if (!value || std::isnan(*value) || *value < spec.minimum || *value > spec.maximum || text == "-0") {
        return Error{"option " + std::string(spec.name) + " is a number, " + range_text(spec) + ", not " + quoted(given)};
      }
      return OptionValue(*value);
    }
    case OptionType::kText:
      if (!spec.choices.empty() && std::ranges::find(spec.choices, std::string_view(text)) == spec.choices.end()) {
        std::string list;
        for (const std::string_view choice : spec.choices) list += (list.empty() ? "" : ", ") + std::string(choice);
        return Error{"option " + std::string(spec.name) + " is one of " + list + ", not " + quoted(given)};
      }
      if (ends_its_option(text)) {
        return Error{"option " + std::string(spec.name) +
                     " is a text without \";\" and without \" NAME=\", which begin another option, not " + quoted(given)};
      }
      return OptionValue(text);
  }
  return Error{"option " + std::string(spec.name) + " has no type"};
}

template <class T>
const T& typed(const OptionValue& value, std::string_view name) {
  if (const T* found = std::get_if<T>(&value)) return *found;
  throw std::logic_error("option " + std::string(name) + " was read as another type than its table says");
}

}  // namespace

OptionValue to_value(const OptionDefault& value) {
  return std::visit(
      [](auto plain) -> OptionValue {
        if constexpr (std::is_same_v<decltype(plain), std::string_view>) {
          return std::string(plain);
        } else {
          return plain;
        }
      },
      value);
}

Options::Options(std::span<const OptionSpec> specs) : specs_(specs) {
  values_.reserve(specs.size());
  for (const OptionSpec& spec : specs) values_.push_back(to_value(spec.default_value));
}

Status Options::set(std::string_view name, std::string_view text) {
  const auto found = std::ranges::find_if(specs_, [&](const OptionSpec& spec) { return spec.name == name; });
  if (found == specs_.end()) {
    std::string list;
    for (const OptionSpec& spec : specs_) list += (list.empty() ? "" : ", ") + std::string(spec.name);
    return Error{"unknown option " + quoted(name) + (list.empty() ? "; there are none" : "; valid: " + list)};
  }
  Result<OptionValue> value = parse_value(*found, text);
  if (!value) return value.error();
  values_[static_cast<size_t>(found - specs_.begin())] = std::move(*value);
  return {};
}

size_t Options::index_of(std::string_view name) const {
  const auto found = std::ranges::find_if(specs_, [&](const OptionSpec& spec) { return spec.name == name; });
  if (found == specs_.end()) throw std::logic_error("no option " + std::string(name) + " in this extractor's table");
  return static_cast<size_t>(found - specs_.begin());
}

bool Options::flag(std::string_view name) const { return typed<bool>(values_[index_of(name)], name); }
int Options::integer(std::string_view name) const { return typed<int>(values_[index_of(name)], name); }
double Options::real(std::string_view name) const { return typed<double>(values_[index_of(name)], name); }
const std::string& Options::text(std::string_view name) const { return typed<std::string>(values_[index_of(name)], name); }

std::string option_value_text(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const int* number = std::get_if<int>(&value)) return std::to_string(*number);
  if (const double* number = std::get_if<double>(&value)) return format_general(*number, 6);
  return std::get<std::string>(value);
}

std::string key_suffix(const Options& options) {
  std::vector<size_t> changed;
  for (size_t i = 0; i < options.specs().size(); ++i) {
    if (options.specs()[i].role == OptionRole::kKey && !options.is_default(i)) changed.push_back(i);
  }
  std::ranges::sort(changed, {}, [&](size_t i) { return options.specs()[i].name; });
  std::string suffix;
  for (const size_t i : changed) {
    const OptionSpec& spec = options.specs()[i];
    suffix += "_" + std::string(spec.alias.empty() ? spec.name : spec.alias);
    if (spec.type != OptionType::kBool) suffix += "_" + option_value_text(options.value(i));
  }
  return suffix;
}

std::string options_text(const Options& options) {
  std::string text;
  for (size_t i = 0; i < options.specs().size(); ++i) {
    if (options.is_default(i)) continue;
    text += (text.empty() ? "" : ":") + std::string(options.specs()[i].name) + "=" + option_value_text(options.value(i));
  }
  return text;
}

}  // namespace vmafbatch::extractors
