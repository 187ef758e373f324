#include "report/bitrate.h"

#include <cmath>
#include <string_view>

#include "base/number_text.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

std::optional<double> parse_bitrate(std::string_view text) {
  double factor = 1;
  if (!text.empty() && (text.back() == 'k' || text.back() == 'M')) {
    factor = text.back() == 'k' ? 1e3 : 1e6;
    text.remove_suffix(1);
  }
  const auto number = parse_double(text);
  if (!number || !std::isfinite(*number * factor) || !(*number > 0)) return std::nullopt;
  return *number * factor;
}

// The value of a word "NAME=VALUE" of the options' canonical text; nothing where there is none.
std::optional<std::string_view> option(std::string_view options, std::string_view name) {
  for (size_t start = 0; start < options.size();) {
    const size_t end = std::min(options.find(' ', start), options.size());
    const std::string_view word = options.substr(start, end - start);
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') return word.substr(name.size() + 1);
    start = end + 1;
  }
  return std::nullopt;
}

}  // namespace

Bitrate bitrate_of(const ScoringData& scoring, const std::map<std::string, std::string>& tags) {
  if (const auto tag = tags.find("bitrate"); tag != tags.end()) {
    if (const auto rate = parse_bitrate(tag->second)) return {rate, ""};
    return {std::nullopt, "its tag bitrate, \"" + store::line_text(tag->second) + "\", is no bit rate"};
  }
  for (const char* part : {"frames", "start", "duration"}) {
    if (option(scoring.options, part)) return {std::nullopt, "only a part of it was scored and it has no tag bitrate"};
  }
  if (!scoring.distorted.size) return {std::nullopt, "the size of its file is not known and it has no tag bitrate"};
  if (!scoring.fps) return {std::nullopt, "its frames per second are not known and it has no tag bitrate"};
  const std::int64_t skipped = parse_integer(option(scoring.options, "skip_distorted").value_or("0")).value_or(0);
  const double pictures = static_cast<double>(scoring.frames.value_or(0)) + static_cast<double>(std::max<std::int64_t>(0, skipped));
  if (pictures == 0) return {std::nullopt, "it has no frames and no tag bitrate"};
  return {8.0 * static_cast<double>(*scoring.distorted.size) / (pictures / *scoring.fps), ""};
}

}  // namespace vmafbatch::report
