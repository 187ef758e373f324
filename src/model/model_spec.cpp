#include "model/model_spec.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "base/number_text.h"
#include "base/option_word.h"

namespace vmafbatch::model {
namespace {

constexpr std::string_view kValidItems =
    "valid items are path=FILE, version=NAME, name=TEXT, disable_clip, enable_transform and EXTRACTOR.OPTION=VALUE";

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

// Splits at ":"; of the backslashes directly before a colon each pair stands for one backslash, and a left-over one makes the colon text.
std::vector<std::string> split_items(std::string_view text) {
  std::vector<std::string> items(1);
  std::size_t backslashes = 0;  // at the end of the current item
  for (const char c : text) {
    std::string& item = items.back();
    if (c == ':') {
      item.resize(item.size() - (backslashes + 1) / 2);
      if (backslashes % 2 == 1) {
        item += ':';
      } else {
        items.emplace_back();
      }
    } else {
      item += c;
    }
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return items;
}

// What the items say, before path and version are weighed against each other.
struct Parts {
  ModelSpec spec;
  std::optional<std::string> plain, path, version;
};

Result<bool> parse_flag(std::string_view key, std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  return Error{std::string(key) + " is true or false, not " + in_quotes(value)};
}

Status take_flag(bool& flag, std::string_view key, std::string_view value) {
  const Result<bool> parsed = parse_flag(key, value);
  if (!parsed) return parsed.error();
  flag = *parsed;
  return {};
}

Status take_text(std::optional<std::string>& target, std::string_view key, std::string_view value) {
  if (value.empty()) return Error{in_quotes(std::string(key) + "=") + " has no value"};
  target = value;
  return {};
}

Status check_separators(std::string_view key, std::string_view value) {
  if (!ends_its_option(value)) return {};
  return Error{in_quotes(std::string(key) + "=" + std::string(value)) +
               " holds \";\" or \" NAME=\", which begin another option; leave that out"};
}

Status take_name(ModelSpec& spec, std::string_view value) {
  if (value.empty() || value.size() > kMaxModelNameBytes) {
    return Error{"name= has " + std::to_string(value.size()) + " bytes; 1 to " + std::to_string(kMaxModelNameBytes) + " are possible"};
  }
  spec.name = value;
  return check_separators("name", value);
}

Status take_overload(ModelSpec& spec, std::string_view key, std::string_view value) {
  const std::size_t dot = key.find('.');
  if (dot == 0 || dot + 1 == key.size()) return Error{in_quotes(key) + " is no EXTRACTOR.OPTION"};
  OptionOverload overload{std::string(key.substr(0, dot)), std::string(key.substr(dot + 1)), normalise_option_number(value)};
  const auto place = std::ranges::lower_bound(spec.overloads, overload.name(), {}, &OptionOverload::name);
  if (place != spec.overloads.end() && place->name() == overload.name()) {
    *place = std::move(overload);
  } else {
    spec.overloads.insert(place, std::move(overload));
  }
  return check_separators(key, value);
}

Status take_item(Parts& parts, std::string_view item, bool first) {
  if (item.empty()) return Error{"an item is empty (\"::\" or a colon at an end); " + std::string(kValidItems)};
  const std::size_t equals = item.find('=');
  const std::string_view key = item.substr(0, equals);
  const bool has_value = equals != std::string_view::npos;
  const std::string_view value = has_value ? item.substr(equals + 1) : "true";
  if (key == "disable_clip") return take_flag(parts.spec.disable_clip, key, value);
  if (key == "enable_transform") return take_flag(parts.spec.enable_transform, key, value);
  if (!has_value && first) return take_text(parts.plain, "path", item);
  if (!has_value) return Error{in_quotes(item) + " has no value; " + std::string(kValidItems)};
  if (key == "path") return take_text(parts.path, key, value);
  if (key == "version") return take_text(parts.version, key, value);
  if (key == "name") return take_name(parts.spec, value);
  if (key.find('.') != std::string_view::npos) return take_overload(parts.spec, key, value);
  return Error{"unknown item " + in_quotes(key) + "; " + std::string(kValidItems)};
}

bool is_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

std::string path_text(const std::string& path, const std::filesystem::path& base) { return (base / path).string(); }

}  // namespace

Result<ModelSpec> parse_model_spec(std::string_view text, const std::filesystem::path& base) {
  const auto refused = [&](const std::string& why) { return Error{"--model " + std::string(text) + ": " + why}; };
  // A file whose name holds a colon is found before the colon means anything.
  if (text.find('=') == std::string_view::npos && is_file(base / text)) {
    ModelSpec spec;
    spec.model = path_text(std::string(text), base);
    spec.is_path = true;
    return spec;
  }
  Parts parts;
  bool first = true;
  for (const std::string& item : split_items(text)) {
    const Status taken = take_item(parts, item, first);
    if (!taken) return refused(taken.error().message);
    first = false;
  }
  if (parts.plain && (parts.path || parts.version)) return refused("the model is named twice");
  if (!parts.plain && !parts.path && !parts.version) return refused("no model is named; give a path, a name, path=FILE or version=NAME");
  ModelSpec spec = std::move(parts.spec);
  // What is there but is no file (a folder, a device) is taken as a path too where it looks like one, so that the error can say it.
  const bool looks_like_a_path = parts.plain && parts.plain->find('/') != std::string::npos && is_there(base / *parts.plain);
  if (parts.plain && (looks_like_a_path || is_file(base / *parts.plain))) parts.path = parts.plain;
  spec.is_path = parts.path && !parts.version;
  spec.model = spec.is_path ? path_text(*parts.path, base) : parts.version ? *parts.version : *parts.plain;
  return spec;
}

}  // namespace vmafbatch::model
