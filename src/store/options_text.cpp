#include "store/options_text.h"

#include <algorithm>
#include <vector>

namespace vmafbatch::store {
namespace {

constexpr std::string_view kFeatures = "features=";

// "scale=bicubic". What a model's text has ("psnr.enable_mse=true", "disable_clip") is none.
bool is_option(std::string_view word) {
  const size_t end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end != 0 && end != std::string_view::npos && word[end] == '=';
}

// Where the features and models end: what stands behind them are words of that form.
size_t end_of_features(std::string_view options) {
  size_t end = options.size();
  while (true) {
    const size_t space = options.substr(0, end).rfind(' ');
    if (space == std::string_view::npos || !is_option(options.substr(space + 1, end - space - 1))) return end;
    end = space;
  }
}

}  // namespace

std::string canonical_options(std::string_view options) {
  if (!options.starts_with(kFeatures)) return std::string(options);
  const size_t end = end_of_features(options);
  std::vector<std::string_view> parts;
  for (size_t begin = kFeatures.size(); begin <= end;) {
    const size_t semicolon = std::min(options.find(';', begin), end);
    parts.push_back(options.substr(begin, semicolon - begin));
    begin = semicolon + 1;
  }
  std::ranges::sort(parts);
  std::string text(kFeatures);
  for (size_t i = 0; i < parts.size(); ++i) text.append(i == 0 ? "" : ";").append(parts[i]);
  return text.append(options.substr(end));
}

}  // namespace vmafbatch::store
