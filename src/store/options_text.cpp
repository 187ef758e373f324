#include "store/options_text.h"

#include <algorithm>
#include <vector>

#include "base/option_word.h"

namespace vmafbatch::store {
namespace {

constexpr std::string_view kFeatures = "features=";
constexpr std::string_view kModel = "model ";

// Where the features and models end: what stands behind them are words of that form.
size_t end_of_features(std::string_view options) {
  size_t end = options.size();
  while (true) {
    const size_t space = options.substr(0, end).rfind(' ');
    if (space == std::string_view::npos || !is_option_word(options.substr(space + 1, end - space - 1))) return end;
    end = space;
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string join(const std::vector<std::string>& parts, char separator) {
  std::string text = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) (text += separator) += parts[i];
  return text;
}

// "model vmaf 01ab disable_clip adm.gain=1": the options at its end sorted.
std::string canonical_model(std::string_view model) {
  std::vector<std::string> words = split(model, ' ');
  const auto is_overload = [](const std::string& word) { return word.find('.') < word.find('=') && word.find('=') != std::string::npos; };
  const auto begin = std::find_if_not(words.rbegin(), words.rend(), is_overload).base();
  std::sort(begin, words.end());
  return join(words, ' ');
}

}  // namespace

std::string canonical_features(std::string_view features) {
  std::vector<std::string> parts = split(features, ';');
  for (std::string& part : parts) {
    if (part.starts_with(kModel)) part = canonical_model(part);
  }
  std::ranges::sort(parts);
  return join(parts, ';');
}

std::string canonical_options(std::string_view options) {
  if (!options.starts_with(kFeatures)) return std::string(options);
  const size_t end = end_of_features(options);
  return std::string(kFeatures) + canonical_features(options.substr(kFeatures.size(), end - kFeatures.size())) +
         std::string(options.substr(end));
}

}  // namespace vmafbatch::store
