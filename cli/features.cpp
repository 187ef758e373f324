// vmafbatch features: the extractors, their options and keys.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/tell.h"
#include "extractors/registry.h"

namespace vmafbatch::cli {
namespace {

using extractors::ExtractorInfo;
using extractors::FeatureScope;
using extractors::FeatureSpec;
using extractors::OptionRole;
using extractors::OptionSpec;
using extractors::OptionType;

std::string range_text(const OptionSpec& option) {
  switch (option.type) {
    case OptionType::kBool: return "true or false";
    case OptionType::kInt:
    case OptionType::kReal:
      return option.maximum > 1e300 ? "at least " + format_general(option.minimum, 6)
                                    : format_general(option.minimum, 6) + " to " + format_general(option.maximum, 6);
    case OptionType::kText: {
      std::string text;
      for (const std::string_view choice : option.choices) text += (text.empty() ? "" : ", ") + std::string(choice);
      return text.empty() ? "text" : text;
    }
  }
  return "";
}

std::string suffix_text(const OptionSpec& option) {
  if (option.role != OptionRole::kKey) return "";
  const std::string name(option.alias.empty() ? option.name : option.alias);
  return "  key: _" + name + (option.type == OptionType::kBool ? "" : "_<value>");
}

void describe(const ExtractorInfo& info) {
  fmt::print("{}\n  {}\n  range: {}\n  source: {}\n", info.name, info.summary, info.range, info.source);
  fmt::print("  features:\n");
  for (const FeatureSpec& feature : info.features) {
    const char* scope = feature.scope == FeatureScope::kAggregate ? " (one value per clip)" : "";
    fmt::print("    {:<32} {}{}\n", feature.reported_name, feature.help, scope);
  }
  if (info.options.empty()) {
    fmt::print("  options: none\n");
    return;
  }
  fmt::print("  options:\n");
  for (const OptionSpec& option : info.options) {
    fmt::print("    {:<26} {}; {}; default {}{}\n", option.name, option.help, range_text(option),
               extractors::option_value_text(extractors::to_value(option.default_value)), suffix_text(option));
  }
}

int features(const std::string& name) {
  if (name.empty()) {
    for (const ExtractorInfo* info : extractors::all_extractors()) fmt::print("{:<16} {}\n", info->name, info->summary);
    return kExitOk;
  }
  if (name == "all") {
    for (const ExtractorInfo* info : extractors::all_extractors()) describe(*info);
    return kExitOk;
  }
  const ExtractorInfo* info = extractors::find_extractor(name);
  if (info == nullptr) {
    return refuse("vmafbatch", Error{fmt::format("there is no extractor \"{}\"; `vmafbatch features` lists them", name)});
  }
  describe(*info);
  return kExitOk;
}

}  // namespace

void add_features(CLI::App& app, int& exit_code) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("features", "List the extractors; describe one with its options, ranges and keys");
  command->add_option("--describe", *name, "one extractor, or all")->type_name("NAME");
  command->footer("Example:\n  vmafbatch features --describe motion");
  command->callback([name, &exit_code] { exit_code = features(*name); });
}

}  // namespace vmafbatch::cli
