// Short ways to write an extractor's tables of options and features. A row that needs more is written out: OptionSpec{...}.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "extractors/extractor.h"

namespace vmafbatch::extractors {

// Options whose value becomes part of the key. Both bounds are inclusive; an empty alias: the name.
constexpr OptionSpec real_option(std::string_view name, std::string_view alias, double value, double minimum, double maximum,
                                 std::string_view help) {
  return {.name = name,
          .alias = alias,
          .type = OptionType::kReal,
          .default_value = value,
          .minimum = minimum,
          .maximum = maximum,
          .help = help};
}
constexpr OptionSpec integer_option(std::string_view name, std::string_view alias, int value, double minimum, double maximum,
                                    std::string_view help) {
  return {
      .name = name, .alias = alias, .type = OptionType::kInt, .default_value = value, .minimum = minimum, .maximum = maximum, .help = help};
}
// Off unless given.
constexpr OptionSpec flag_option(std::string_view name, std::string_view alias, std::string_view help) {
  return {.name = name, .alias = alias, .type = OptionType::kBool, .default_value = false, .help = help};
}

// An option that only adds outputs.
constexpr OptionSpec output_option(std::string_view name, bool value, std::string_view help) {
  return {.name = name, .type = OptionType::kBool, .role = OptionRole::kOutput, .default_value = value, .help = help};
}

// The options that several extractors share, and one more.
template <size_t kCount>
constexpr std::array<OptionSpec, kCount + 1> with_option(const std::array<OptionSpec, kCount>& shared, const OptionSpec& last) {
  std::array<OptionSpec, kCount + 1> table{};
  std::ranges::copy(shared, table.begin());
  table.back() = last;
  return table;
}

// A feature of each frame, whose key carries the suffix of the options.
constexpr FeatureSpec frame_feature(std::string_view internal_name, std::string_view reported_name, std::string_view help) {
  return {.internal_name = internal_name, .reported_name = reported_name, .help = help};
}
// The same under one name for models and reports.
constexpr FeatureSpec frame_feature(std::string_view name, std::string_view help) { return frame_feature(name, name, help); }

// Extractor::outputs() where they are the first `count` of the table.
inline std::vector<size_t> first_features(size_t count) {
  std::vector<size_t> list(count);
  for (size_t i = 0; i < count; ++i) list[i] = i;
  return list;
}

}  // namespace vmafbatch::extractors
