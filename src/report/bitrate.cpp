#include "report/bitrate.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "io/pair_options.h"
#include "store/text.h"

namespace vmafbatch::report {
namespace {

std::optional<double> parse_bitrate(std::string_view text) {
  double factor = 1;
  if (!text.empty() && (text.back() == 'k' || text.back() == 'M')) {
    factor = text.back() == 'k' ? 1e3 : 1e6;
    text.remove_suffix(1);
  }
  const auto number = parse_decimal(text);
  if (!number || !std::isfinite(*number * factor) || !(*number > 0)) return std::nullopt;
  return *number * factor;
}

// How the files were paired; nothing where the options cannot be read, as of an imported log.
std::optional<io::PairOptions> pairing_of(const ScoringData& scoring) {
  Result<io::PairOptions> options = io::parse_pair_options(scoring.options);
  if (!options.ok() || !io::apply_alignment_note(scoring.treatment, *options).ok()) return std::nullopt;
  return std::move(*options);
}

// The distorted has pictures behind the last pair, of which nobody knows how many. By frame number the reader saw one of them; by time,
// where any number of pictures can make a pair, it said so.
bool goes_on(const ScoringData& scoring, const io::PairOptions& options, const std::vector<std::string>& warnings) {
  if (options.sync == io::Sync::kFrame) {
    return scoring.decoded_distorted.value_or(0) - scoring.frames.value_or(0) > options.skip_distorted;
  }
  const std::string longer = scoring.distorted.path + " goes on; the common ";
  return std::ranges::any_of(warnings, [&](const std::string& text) { return text.find(longer) != std::string::npos; });
}

}  // namespace

Bitrate bitrate_of(const ScoringData& scoring, const std::map<std::string, std::string>& tags, const std::vector<std::string>& warnings) {
  const auto unknown = [](const std::string& why) { return Bitrate{std::nullopt, why + " and it has no tag bitrate"}; };
  if (const auto tag = tags.find("bitrate"); tag != tags.end()) {
    if (const auto rate = parse_bitrate(tag->second)) return {rate, ""};
    return {std::nullopt, "its tag bitrate, \"" + store::line_text(tag->second) + "\", is no bit rate"};
  }
  if (scoring.status != "done") return unknown("its status is " + store::line_text(scoring.status));
  if (!scoring.distorted.size) return unknown("the size of its file is not known");
  if (!scoring.fps) return unknown("its frames per second are not known");
  const std::optional<io::PairOptions> options = pairing_of(scoring);
  if (!options) return unknown("its options cannot be read");
  if (options->frames || options->start_s || options->duration_s) return unknown("only a part of it was scored");
  if (goes_on(scoring, *options, warnings)) return unknown("its file goes on behind the reference's end");
  const double pictures = static_cast<double>(scoring.frames.value_or(0)) + static_cast<double>(options->skip_distorted);
  if (pictures == 0) return unknown("it has no frames");
  return {8.0 * static_cast<double>(*scoring.distorted.size) / (pictures / *scoring.fps), ""};
}

}  // namespace vmafbatch::report
