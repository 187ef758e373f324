#include "graph/alignment_warnings.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/number_text.h"

namespace vmafbatch::graph {
namespace {

std::string frames_text(std::int64_t count) { return std::to_string(count) + (count == 1 ? " frame" : " frames"); }

std::string state_text(int behind) {
  if (behind == 0) return "in step";
  return frames_text(std::abs(behind)) + (behind > 0 ? " behind" : " ahead");
}

std::string place_text(const Stretch& stretch) {
  const std::string first = std::to_string(stretch.first);
  return stretch.first == stretch.latest_first ? first : first + " to " + std::to_string(stretch.latest_first);
}

// What made a change, as far as it can be told from here.
std::string cause_text(int change) {
  const std::string count = std::to_string(std::abs(change));
  const std::string pictures = std::abs(change) == 1 ? " picture" : " pictures";
  return change > 0 ? count + pictures + " doubled or added" : count + pictures + " lost";
}

std::string changes_sentence(const AlignmentFindings& findings) {
  std::string text = "the distorted does not stay in step with the reference: ";
  for (size_t i = 0; i < findings.stretches.size(); ++i) {
    const Stretch& stretch = findings.stretches[i];
    if (i > 0) text += ", from frame " + place_text(stretch) + " on ";
    text += state_text(stretch.behind);
    if (i > 0) text += " (" + cause_text(stretch.behind - findings.stretches[i - 1].behind) + ")";
  }
  if (findings.more_stretches > 0) text += "; " + std::to_string(findings.more_stretches) + " more changes before the last";
  return text + "; no skip cures all of it, sync timestamp does where the container's times are right";
}

std::string freezes_sentence(const AlignmentFindings& findings) {
  std::string text = "the distorted stands still while the reference moves: frames ";
  for (size_t i = 0; i < findings.freezes.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(findings.freezes[i].first) + " to " + std::to_string(findings.freezes[i].last);
  }
  if (findings.more_freezes > 0) text += " and " + std::to_string(findings.more_freezes) + " more such places";
  return text;
}

}  // namespace

Skips skips_for(std::int64_t behind, const Skips& now) {
  Skips cure = now;
  std::int64_t& more = behind > 0 ? cure.distorted : cure.reference;
  std::int64_t& less = behind > 0 ? cure.reference : cure.distorted;
  // A skip of one side alone that makes the offset, or a part of it, is taken back first.
  const std::int64_t taken_back = more == 0 ? std::min(std::abs(behind), less) : 0;
  less -= taken_back;
  more += std::abs(behind) - taken_back;
  return cure;
}

std::string skips_text(const Skips& cure, const Skips& now) {
  std::string text;
  if (cure.reference != now.reference) text = "skip_reference " + std::to_string(cure.reference);
  if (cure.distorted != now.distorted) text += (text.empty() ? "" : " and ") + ("skip_distorted " + std::to_string(cure.distorted));
  return text;
}

std::string offset_sentence(std::int64_t behind) {
  const std::string count = std::to_string(std::abs(behind));
  return "the distorted starts " + frames_text(std::abs(behind)) +
         (behind > 0 ? " early (its picture n is the reference's n - " : " late (its picture n is the reference's n + ") + count + ")";
}

std::vector<std::string> alignment_warnings(const AlignmentFindings& findings, const Skips& now) {
  std::vector<std::string> warnings;
  if (const std::optional<int> behind = findings.constant_offset()) {
    warnings.push_back(offset_sentence(*behind) + ": " + skips_text(skips_for(*behind, now), now) + " brings them in step");
  } else if (!findings.in_step()) {
    warnings.push_back(changes_sentence(findings));
  }
  if (!findings.freezes.empty()) warnings.push_back(freezes_sentence(findings));
  return warnings;
}

std::optional<std::string> frame_rate_warning(double reference, double distorted) {
  constexpr double kNear = 1.05;
  if (std::max(reference, distorted) <= kNear * std::min(reference, distorted)) return std::nullopt;
  return "the reference has " + format_general(reference, 4) + " and the distorted " + format_general(distorted, 4) +
         " pictures a second, and they are paired one by one: --sync timestamp pairs them by their times";
}

}  // namespace vmafbatch::graph
